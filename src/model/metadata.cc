// SPDX-License-Identifier: Apache-2.0
// Reads metadata entries and the control dependency blob (varints, see
// SerializeControlDependencies).

#include "model/metadata.h"

#include "model/vectors.h"

namespace tern {
namespace {

constexpr uint64_t kControlVersion = 1;

// The payload of an entry, empty when anything about it is broken.
std::string_view Payload(const tflite::Model& model, const tflite::Metadata& entry) {
  const auto* buffers = model.buffers();
  if (entry.buffer() >= SizeOf(buffers)) return {};
  const auto* data = buffers->Get(entry.buffer())->data();
  if (SizeOf(data) == 0) return {};
  return {reinterpret_cast<const char*>(data->data()), data->size()};
}

class VarintReader {
 public:
  explicit VarintReader(std::string_view blob) : blob_(blob) {}

  bool Read(uint64_t* value) {
    *value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at_ >= blob_.size()) return false;
      const auto byte = static_cast<uint8_t>(blob_[at_++]);
      *value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if ((byte & 0x80) == 0) return true;
    }
    return false;
  }

  // Signed numbers alternate: 0, -1, 1, -2, ...
  bool ReadSigned(int32_t* value) {
    uint64_t code;
    if (!Read(&code) || code > 0xFFFFFFFFull) return false;
    const auto half = static_cast<int64_t>(code >> 1);
    *value = static_cast<int32_t>((code & 1) != 0 ? -half - 1 : half);
    return true;
  }

  size_t remaining() const { return blob_.size() - at_; }

 private:
  std::string_view blob_;
  size_t at_ = 0;
};

void AppendVarint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>((value & 0x7F) | 0x80);
  out += static_cast<char>(value);
}

void AppendSigned(std::string& out, int64_t value) {
  AppendVarint(out, value >= 0 ? 2 * static_cast<uint64_t>(value)
                               : 2 * static_cast<uint64_t>(-(value + 1)) + 1);
}

}  // namespace

std::map<std::string, std::string> ReadAllMetadata(const tflite::Model& model) {
  std::map<std::string, std::string> entries;
  if (model.metadata() == nullptr) return entries;
  for (const tflite::Metadata* entry : *model.metadata()) {
    if (entry->name() == nullptr) continue;
    const std::string_view payload = Payload(model, *entry);
    if (!payload.empty()) entries[entry->name()->str()] = std::string(payload);
  }
  return entries;
}

std::string_view FindMetadata(const tflite::Model& model, std::string_view name) {
  if (model.metadata() == nullptr) return {};
  for (const tflite::Metadata* entry : *model.metadata()) {
    if (entry->name() == nullptr) continue;
    if (std::string_view(entry->name()->c_str(), entry->name()->size()) == name) {
      return Payload(model, *entry);
    }
  }
  return {};
}

std::string MinRuntimeVersion(const tflite::Model& model) {
  const std::string_view payload = FindMetadata(model, kMinRuntimeVersionKey);
  const size_t end = payload.find('\0');
  return end == std::string_view::npos ? std::string() : std::string(payload.substr(0, end));
}

StatusOr<ModelControlDependencies> ParseControlDependencies(std::string_view blob) {
  VarintReader reader(blob);
  uint64_t version = 0;
  uint64_t subgraphs = 0;
  if (!reader.Read(&version) || version != kControlVersion) {
    return Invalid("control dependencies: unknown version (", version, ")");
  }
  if (!reader.Read(&subgraphs) || subgraphs > reader.remaining()) {
    return Invalid("control dependencies: cut short");
  }
  ModelControlDependencies result(subgraphs);
  for (ControlEdges& edges : result) {
    uint64_t count = 0;
    if (!reader.Read(&count) || count > reader.remaining() / 2) {
      return Invalid("control dependencies: cut short");
    }
    edges.resize(count);
    for (ControlEdge& edge : edges) {
      if (!reader.ReadSigned(&edge.first) || !reader.ReadSigned(&edge.second)) {
        return Invalid("control dependencies: cut short");
      }
    }
  }
  if (reader.remaining() != 0) return Invalid("control dependencies: bytes left over");
  return result;
}

std::string SerializeControlDependencies(const ModelControlDependencies& dependencies) {
  std::string out;
  AppendVarint(out, kControlVersion);
  AppendVarint(out, dependencies.size());
  for (const ControlEdges& edges : dependencies) {
    AppendVarint(out, edges.size());
    for (const ControlEdge& edge : edges) {
      AppendSigned(out, edge.first);
      AppendSigned(out, edge.second);
    }
  }
  return out;
}

}  // namespace tern
