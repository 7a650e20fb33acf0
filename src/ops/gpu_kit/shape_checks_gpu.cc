// SPDX-License-Identifier: Apache-2.0
// Checks of shapes that lowerings share.
#include "ops/gpu_kit/shape_checks_gpu.h"

#include "base/status.h"

namespace tern::gpu {

Shape ShapeOf(const GraphTensor& tensor) { return {tensor.dims.begin(), tensor.dims.end()}; }

absl::Status CheckOutputShape(const Node& node, const Lowering& lower, const GraphTensor& output,
                              const Shape& want) {
  const Shape shape = ShapeOf(output);
  if (shape == want) return absl::OkStatus();
  RefusalReason refusal_reason;
  for (const TensorId id : node.outputs) {
    if (id >= 0 && &lower.graph().tensors[id] == &output) refusal_reason.tensor = id;
  }
  return lower.Unsupported(
      node, StrCat("the output's shape is ", ShapeText(shape), ", expected ", ShapeText(want)),
      refusal_reason);
}

std::string DifferentTypes(const GraphTensor& input, const GraphTensor& output) {
  return StrCat("input and output differ in type (", TfLiteTypeGetName(input.type), ", ",
                TfLiteTypeGetName(output.type), ")");
}

}  // namespace tern::gpu
