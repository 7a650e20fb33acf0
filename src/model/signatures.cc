// SPDX-License-Identifier: Apache-2.0
// Reads and checks signatures.

#include "model/signatures.h"

#include <algorithm>
#include <string_view>

#include "model/vectors.h"

namespace tern {
namespace {

using Maps = flatbuffers::Vector<flatbuffers::Offset<tflite::TensorMap>>;
using Names = std::vector<std::string_view>;

std::string_view TextOf(const flatbuffers::String& text) { return {text.c_str(), text.size()}; }

// A name that occurs twice, or null. Sorts the names.
const std::string_view* Repeated(Names& names) {
  std::sort(names.begin(), names.end());
  const auto found = std::adjacent_find(names.begin(), names.end());
  return found == names.end() ? nullptr : &*found;
}

// -1 as the format stores it: an input that the graph lists without a tensor.
constexpr uint32_t kAbsentTensor = ~uint32_t{0};

// `names` is memory that the lists share.
Status CheckNames(const Maps* maps, uint32_t tensor_count, bool may_be_absent, std::string_view key,
                  Names& names) {
  names.clear();
  for (uint32_t i = 0; i < SizeOf(maps); ++i) {
    const tflite::TensorMap& map = *maps->Get(i);
    if (map.name() == nullptr) return Invalid("signature ", key, ": a tensor has no name");
    names.push_back(TextOf(*map.name()));
    if (may_be_absent && map.tensor_index() == kAbsentTensor) continue;
    if (map.tensor_index() >= tensor_count) {
      return Invalid("signature ", key, ": tensor ", names.back(), " is out of range (",
                     map.tensor_index(), ", ", tensor_count, ")");
    }
  }
  const std::string_view* repeated = Repeated(names);
  if (repeated == nullptr) return OkStatus();
  return Invalid("signature ", key, ": name used twice (", *repeated, ")");
}

std::map<std::string, uint32_t> ReadNames(const Maps* maps) {
  std::map<std::string, uint32_t> names;
  for (uint32_t i = 0; i < SizeOf(maps); ++i) {
    names.emplace(maps->Get(i)->name()->str(), maps->Get(i)->tensor_index());
  }
  return names;
}

}  // namespace

Status CheckSignatures(const tflite::Model& model) {
  const auto* defs = model.signature_defs();
  Names keys;
  Names names;
  for (uint32_t i = 0; i < SizeOf(defs); ++i) {
    const tflite::SignatureDef& def = *defs->Get(i);
    if (def.signature_key() == nullptr) return Invalid("a signature has no key");
    const std::string_view key = TextOf(*def.signature_key());
    keys.push_back(key);
    if (def.subgraph_index() >= SizeOf(model.subgraphs())) {
      return Invalid("signature ", key, ": subgraph is out of range (", def.subgraph_index(), ", ",
                     SizeOf(model.subgraphs()), ")");
    }
    const uint32_t tensors = SizeOf(model.subgraphs()->Get(def.subgraph_index())->tensors());
    TERN_RETURN_IF_ERROR(CheckNames(def.inputs(), tensors, /*may_be_absent=*/true, key, names));
    TERN_RETURN_IF_ERROR(CheckNames(def.outputs(), tensors, /*may_be_absent=*/false, key, names));
  }
  const std::string_view* repeated = Repeated(keys);
  if (repeated == nullptr) return OkStatus();
  return Invalid("signature ", *repeated, ": key used twice");
}

StatusOr<std::vector<Signature>> ReadSignatures(const tflite::Model& model) {
  TERN_RETURN_IF_ERROR(CheckSignatures(model));
  std::vector<Signature> signatures;
  for (uint32_t i = 0; i < SizeOf(model.signature_defs()); ++i) {
    const tflite::SignatureDef& def = *model.signature_defs()->Get(i);
    signatures.push_back({def.signature_key()->str(), def.subgraph_index(), ReadNames(def.inputs()),
                          ReadNames(def.outputs())});
  }
  return signatures;
}

}  // namespace tern
