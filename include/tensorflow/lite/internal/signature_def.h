// SPDX-License-Identifier: Apache-2.0
//
// A named entry point of a model: tensors of one subgraph by name.
#ifndef TERN_TENSORFLOW_LITE_INTERNAL_SIGNATURE_DEF_H_
#define TERN_TENSORFLOW_LITE_INTERNAL_SIGNATURE_DEF_H_

#include <cstdint>
#include <map>
#include <string>

namespace tflite {
namespace internal {

struct SignatureDef {
  // Tensor index in the subgraph by name.
  std::map<std::string, uint32_t> inputs;
  std::map<std::string, uint32_t> outputs;
  std::string signature_key;
  uint32_t subgraph_index = 0;
};

}  // namespace internal
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_INTERNAL_SIGNATURE_DEF_H_
