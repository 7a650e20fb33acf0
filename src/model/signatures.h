// SPDX-License-Identifier: Apache-2.0
// Signatures: named entry points of a model.
#ifndef TERN_MODEL_SIGNATURES_H_
#define TERN_MODEL_SIGNATURES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern {

struct Signature {
  std::string key;
  uint32_t subgraph_index = 0;
  std::map<std::string, uint32_t> inputs;  // name -> tensor index in that subgraph
  std::map<std::string, uint32_t> outputs;
};

// Errors: missing or repeated key, missing or repeated name, index out of range.
Status CheckSignatures(const tflite::Model& model);

// All signatures in file order, once they are checked.
StatusOr<std::vector<Signature>> ReadSignatures(const tflite::Model& model);

}  // namespace tern

#endif  // TERN_MODEL_SIGNATURES_H_
