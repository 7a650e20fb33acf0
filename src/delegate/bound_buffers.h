// SPDX-License-Identifier: Apache-2.0
// Buffers of the application that stand for tensors of the runtime.
#ifndef TERN_DELEGATE_BOUND_BUFFERS_H_
#define TERN_DELEGATE_BOUND_BUFFERS_H_

#include <cstdint>
#include <map>
#include <vector>

#include "absl/status/status.h"
#include "gpu/device/executor.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::delegate {

struct BoundBuffer {
  uint64_t number = 0;  // the application's, for messages
  gpu::BufferRange range;
};

// By tensor of the primary subgraph.
using BoundBuffers = std::map<int, BoundBuffer>;

// Tensors that do not exist, are no floats, or need more bytes than their buffer has.
absl::Status CheckBound(const TfLiteContext& context, const BoundBuffers& bound);

// The memory of a partition's inputs and outputs.
gpu::IoMemory MemoryOf(const BoundBuffers& bound, const std::vector<int>& inputs,
                       const std::vector<int>& outputs);

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_BOUND_BUFFERS_H_
