// SPDX-License-Identifier: Apache-2.0
// Reads and checks signatures.

#include "model/signatures.h"

#include <set>
#include <utility>

#include "model/vectors.h"

namespace tern {
namespace {

using Maps = flatbuffers::Vector<flatbuffers::Offset<tflite::TensorMap>>;

Status ReadNames(const Maps* maps, uint32_t tensor_count, const std::string& key,
                 std::map<std::string, uint32_t>* out) {
  if (maps == nullptr) return OkStatus();
  for (const tflite::TensorMap* map : *maps) {
    if (map->name() == nullptr) return Invalid("signature ", key, ": a tensor has no name");
    const std::string name = map->name()->str();
    if (map->tensor_index() >= tensor_count) {
      return Invalid("signature ", key, ": tensor ", name, " is out of range (",
                     map->tensor_index(), ", ", tensor_count, ")");
    }
    if (!out->emplace(name, map->tensor_index()).second) {
      return Invalid("signature ", key, ": name used twice (", name, ")");
    }
  }
  return OkStatus();
}

}  // namespace

StatusOr<std::vector<Signature>> ReadSignatures(const tflite::Model& model) {
  std::vector<Signature> signatures;
  if (model.signature_defs() == nullptr) return signatures;
  std::set<std::string> keys;
  for (const tflite::SignatureDef* def : *model.signature_defs()) {
    if (def->signature_key() == nullptr) return Invalid("a signature has no key");
    Signature signature;
    signature.key = def->signature_key()->str();
    signature.subgraph_index = def->subgraph_index();
    if (!keys.insert(signature.key).second) {
      return Invalid("signature ", signature.key, ": key used twice");
    }
    if (def->subgraph_index() >= SizeOf(model.subgraphs())) {
      return Invalid("signature ", signature.key, ": subgraph is out of range (",
                     def->subgraph_index(), ", ", SizeOf(model.subgraphs()), ")");
    }
    const uint32_t tensors = SizeOf(model.subgraphs()->Get(def->subgraph_index())->tensors());
    TERN_RETURN_IF_ERROR(ReadNames(def->inputs(), tensors, signature.key, &signature.inputs));
    TERN_RETURN_IF_ERROR(ReadNames(def->outputs(), tensors, signature.key, &signature.outputs));
    signatures.push_back(std::move(signature));
  }
  return signatures;
}

}  // namespace tern
