// SPDX-License-Identifier: Apache-2.0
// Sizes are known only once the delegate meets a graph.
#include "delegate/bound_buffers.h"

#include "base/status.h"

namespace tern::delegate {
namespace {

std::map<int, gpu::BufferRange> Ranges(const BoundBuffers& bound, const std::vector<int>& tensors) {
  std::map<int, gpu::BufferRange> ranges;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const auto found = bound.find(tensors[i]);
    if (found != bound.end()) ranges[static_cast<int>(i)] = found->second.range;
  }
  return ranges;
}

}  // namespace

absl::Status CheckBound(const TfLiteContext& context, const BoundBuffers& bound) {
  for (const auto& [index, buffer] : bound) {
    if (static_cast<size_t>(index) >= context.tensors_size) {
      return Invalid("buffer ", buffer.number, " is bound to tensor #", index,
                     ", which does not exist");
    }
    const TfLiteTensor& tensor = context.tensors[index];
    const char* const name = tensor.name == nullptr ? "" : tensor.name;
    if (tensor.type != kTfLiteFloat32) {
      return Invalid("buffer ", buffer.number, " is bound to tensor '", name, "' of type ",
                     TfLiteTypeGetName(tensor.type), ", FLOAT32 expected");
    }
    if (tensor.bytes > static_cast<size_t>(buffer.range.bytes)) {
      return Invalid("buffer ", buffer.number, " has ", buffer.range.bytes, " bytes, tensor '",
                     name, "' needs ", tensor.bytes);
    }
  }
  return absl::OkStatus();
}

gpu::IoMemory MemoryOf(const BoundBuffers& bound, const std::vector<int>& inputs,
                       const std::vector<int>& outputs) {
  return {Ranges(bound, inputs), Ranges(bound, outputs)};
}

}  // namespace tern::delegate
