// SPDX-License-Identifier: Apache-2.0
// An elementwise step that reads the constant.
#include "ops/gpu_kit/constant_gpu.h"

#include "base/status.h"

namespace tern::gpu {

absl::Status EmitConstant(const Node& node, int output, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, lower.Output(node, output));
  TERN_ASSIGN_OR_RETURN(const TensorId known, lower.CopyOfConstant(node.outputs[output]));
  const Box box = tensor->box();
  const Number number = tensor->number();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::elementwise);
  dispatch.Write("dst", output);
  dispatch.StepWithTemp({.expression = "w", .from = number, .to = number}, known);
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

}  // namespace tern::gpu
