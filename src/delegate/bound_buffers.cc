// SPDX-License-Identifier: Apache-2.0
// Sizes are known only once the delegate meets a graph.
#include "delegate/bound_buffers.h"

#include <utility>

#include "base/status.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::delegate {
namespace {

// The floats of a quantized tensor.
gpu::TensorId AddFloats(gpu::Graph* graph, gpu::TensorId of) {
  gpu::GraphTensor floats;
  floats.name = graph->tensors[of].name;
  floats.dims = graph->tensors[of].dims;
  floats.type = kTfLiteFloat32;
  graph->tensors.push_back(std::move(floats));
  return static_cast<gpu::TensorId>(graph->tensors.size()) - 1;
}

gpu::Node Conversion(int code, const char* op, gpu::TensorId from, gpu::TensorId to) {
  static constexpr char kNoParams[64] = {};
  gpu::Node node;
  node.index = -1;
  node.builtin_code = code;
  node.op = op;
  node.version = 1;
  node.params = kNoParams;
  node.inputs = {from};
  node.outputs = {to};
  return node;
}

}  // namespace

size_t FloatBytesOf(TfLiteType type) {
  switch (type) {
    case kTfLiteFloat32:
      return 1;
    case kTfLiteInt8:
    case kTfLiteUInt8:
      return 4;
    case kTfLiteInt16:
      return 2;
    default:
      return 0;
  }
}

void AddFloatEdges(const BoundBuffers& bound, gpu::Graph* graph) {
  const auto converts = [&](gpu::TensorId id) {
    return bound.count(id) != 0 && graph->tensors[id].quantized.has_value();
  };
  std::vector<gpu::Node> nodes;
  for (gpu::TensorId& input : graph->inputs) {
    if (!converts(input)) continue;
    const gpu::TensorId floats = AddFloats(graph, input);
    nodes.push_back(Conversion(kTfLiteBuiltinQuantize, "QUANTIZE", floats, input));
    input = floats;
  }
  graph->nodes.insert(graph->nodes.begin(), nodes.begin(), nodes.end());
  for (gpu::TensorId& output : graph->outputs) {
    if (!converts(output)) continue;
    const gpu::TensorId floats = AddFloats(graph, output);
    graph->nodes.push_back(Conversion(kTfLiteBuiltinDequantize, "DEQUANTIZE", output, floats));
    output = floats;
  }
}

absl::Status CheckBound(const TfLiteContext& context, const BoundBuffers& bound, bool quantized) {
  for (const auto& [index, buffer] : bound) {
    if (static_cast<size_t>(index) >= context.tensors_size) {
      return Invalid("buffer ", buffer.number, " is bound to tensor #", index,
                     ", which does not exist");
    }
    const TfLiteTensor& tensor = context.tensors[index];
    const char* const name = tensor.name == nullptr ? "" : tensor.name;
    const size_t bytes = tensor.bytes * FloatBytesOf(tensor.type);
    if (FloatBytesOf(tensor.type) == 0 || (tensor.type != kTfLiteFloat32 && !quantized)) {
      return Invalid("buffer ", buffer.number, " is bound to tensor '", name, "' of type ",
                     TfLiteTypeGetName(tensor.type), ", FLOAT32 expected");
    }
    if (bytes > static_cast<size_t>(buffer.range.bytes)) {
      return Invalid("buffer ", buffer.number, " has ", buffer.range.bytes, " bytes, tensor '",
                     name, "' needs ", bytes);
    }
  }
  return absl::OkStatus();
}

gpu::IoMemory MemoryOf(const BoundBuffers& bound, const std::vector<int>& inputs,
                       const std::vector<int>& outputs) {
  gpu::IoMemory memory;
  for (const bool is_output : {false, true}) {
    const std::vector<int>& tensors = is_output ? outputs : inputs;
    for (size_t i = 0; i < tensors.size(); ++i) {
      const auto found = bound.find(tensors[i]);
      if (found != bound.end()) memory[{is_output, static_cast<int>(i)}] = found->second.range;
    }
  }
  return memory;
}

}  // namespace tern::delegate
