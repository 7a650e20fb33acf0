// SPDX-License-Identifier: Apache-2.0
//
// Prints what an interpreter holds: graphs, tensors, nodes, delegation.
#ifndef TERN_TENSORFLOW_LITE_OPTIONAL_DEBUG_TOOLS_H_
#define TERN_TENSORFLOW_LITE_OPTIONAL_DEBUG_TOOLS_H_

#include <cstdint>
#include <vector>

#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tflite {

// Spelling of the enum value, "(invalid)" for any other number.
const char* AllocTypeName(TfLiteAllocationType type);

// Writes to standard output; longer names are cut to the given lengths.
void PrintInterpreterState(const Interpreter* interpreter, int32_t tensor_name_display_length = 25,
                           int32_t tensor_type_display_length = 15,
                           int32_t alloc_type_display_length = 18);

struct SubgraphDelegationMetadata {
  std::vector<bool> is_node_delegated;  // by node: part of a delegate kernel
  std::vector<int> replaced_by_node;    // by node: the kernel's node, -1 if none
  bool has_delegate_applied = false;
};

SubgraphDelegationMetadata GetNodeDelegationMetadata(const Subgraph& subgraph);

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_OPTIONAL_DEBUG_TOOLS_H_
