// SPDX-License-Identifier: Apache-2.0
// Any bytes as a case file of `tern verify`: reading it, and judging outputs by it.
#include <string>
#include <string_view>
#include <vector>

#include "cli/cases/case.h"
#include "fuzz/scratch.h"

namespace tern::fuzz {
namespace {

// Files of the system that never end are the user's business.
bool NamesADevice(std::string_view text) {
  return text.find("/dev") != text.npos || text.find("/proc") != text.npos ||
         text.find("/sys") != text.npos || text.find('\\') != text.npos;
}

void Judge(const cli::Case& c) {
  for (const cli::CaseOutput& output : c.outputs) {
    for (const size_t bytes : {output.wanted.size(), size_t{0}, size_t{16}}) {
      const std::vector<uint8_t> got(bytes, 1);
      for (const cli::Judge judge : {cli::Judge::kCpu, cli::Judge::kGpu, cli::Judge::kF16}) {
        cli::Compare(output, got.data(), got.size(), judge);
      }
      cli::Compare(output, output.wanted.data(), output.wanted.size(), cli::Judge::kCpu);
    }
    cli::CompareStrings(output, {"text", ""});
    cli::CompareStrings(output, output.strings);
  }
}

}  // namespace
}  // namespace tern::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (tern::fuzz::NamesADevice(text)) return 0;
  tern::fuzz::Scratch::Write("fuzz.case.json", {data, size});
  const auto read = tern::cli::ReadCase(tern::fuzz::Scratch::Folder() / "fuzz.case.json");
  if (read.ok()) tern::fuzz::Judge(*read);
  return 0;
}
