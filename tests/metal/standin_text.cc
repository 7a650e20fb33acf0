// SPDX-License-Identifier: Apache-2.0
#include "metal/standin_text.h"

#include <regex>

#include "base/status.h"

namespace tern::metal_standin {
namespace {

using gpu::Element;

constexpr char kEntry[] = "kernel void tern_main(";

Element ElementOf(const std::string& scalar) {
  if (scalar == "half") return Element::kFloat16;
  if (scalar == "int") return Element::kInt32;
  if (scalar == "uchar") return Element::kByte;
  return Element::kFloat32;
}

size_t Occurrences(const std::string& text, const std::string& word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

}  // namespace

absl::StatusOr<gpu::ProgramSource> ReadKernel(const std::string& text) {
  const size_t entry = text.find(kEntry);
  if (entry == std::string::npos) return Invalid("the text has no ", kEntry, "...)");
  const size_t head_end = text.find(") {", entry);
  if (head_end == std::string::npos) return Invalid("the head of tern_main does not end");
  gpu::ProgramSource source;
  source.text = text;
  const std::string head = text.substr(entry, head_end - entry);
  static const std::regex buffer(R"(device (const )?(\w+)\* (\w+)_data \[\[buffer\((\d+)\)\]\])");
  for (std::sregex_iterator it(head.begin(), head.end(), buffer), end; it != end; ++it) {
    const std::smatch& found = *it;
    if (std::stoul(found[4]) != source.signature.buffers.size())
      return Invalid("buffers of tern_main are out of order");
    source.signature.buffers.push_back(
        {found[3], ElementOf(found[2]), !found[1].matched, /*single=*/false});
  }
  const size_t fields = text.find("struct Uniforms {\n");
  if (fields != std::string::npos && fields < entry) {
    const std::string body = text.substr(fields, text.find("};", fields) - fields);
    static const std::regex field(R"(\n  (int|float) (\w+);)");
    for (std::sregex_iterator it(body.begin(), body.end(), field), end; it != end; ++it)
      source.signature.uniforms.push_back({(*it)[2], (*it)[1] == "float", 0, 0.0f});
  }
  const std::string body = text.substr(head_end);
  if (Occurrences(body, "\n  threadgroup ") != 0) source.signature.locals.push_back({});
  // The words of the language define the barrier, which uses nothing.
  const size_t uses = Occurrences(text, "BARRIER") + Occurrences(text, "threadgroup_barrier(");
  source.has_barrier = uses != 2 * Occurrences(text, "#define BARRIER threadgroup_barrier(");
  return source;
}

}  // namespace tern::metal_standin
