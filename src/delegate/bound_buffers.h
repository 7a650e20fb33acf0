// SPDX-License-Identifier: Apache-2.0
// Buffers of the application that stand for tensors of the runtime.
#ifndef TERN_DELEGATE_BOUND_BUFFERS_H_
#define TERN_DELEGATE_BOUND_BUFFERS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "absl/status/status.h"
#include "gpu/device/device_memory.h"
#include "gpu/graph/graph.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::delegate {

struct BoundBuffer {
  uint64_t number = 0;  // the application's, for messages
  gpu::BufferRange range;
};

// By tensor of the primary subgraph.
using BoundBuffers = std::map<int, BoundBuffer>;

// Bytes of floats for each byte of a tensor of this type, whose elements are floats or stand for
// them; 0 for other types.
size_t FloatBytesOf(TfLiteType type);

// Tensors that do not exist, are no floats (where `quantized`, elements that stand for floats will
// do), or whose floats need more bytes than their buffer has.
absl::Status CheckBound(const TfLiteContext& context, const BoundBuffers& bound, bool quantized);

// Buffers hold floats: puts QUANTIZE before inputs and DEQUANTIZE behind outputs that are bound and
// that the graph sees as quantized. The inputs and outputs of the graph are then the floats.
void AddFloatEdges(const BoundBuffers& bound, gpu::Graph* graph);

// The memory of a partition's inputs and outputs.
gpu::IoMemory MemoryOf(const BoundBuffers& bound, const std::vector<int>& inputs,
                       const std::vector<int>& outputs);

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_BOUND_BUFFERS_H_
