// SPDX-License-Identifier: Apache-2.0
// An elementwise step from the low words, which a chain always reads, to the high ones.
#include "ops/gpu_kit/signs_gpu.h"

#include "base/status.h"

namespace tern::gpu {

absl::Status EmitSigns(const Node& node, int output, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* tensor, lower.Output(node, output));
  const Box box = tensor->box();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::elementwise);
  dispatch.Write("dst", output);
  dispatch.Step({.expression = "select_lt(w, isplat(0), isplat(-1), isplat(0))",
                 .operand = node.outputs[output],
                 .from = Number::kInt,
                 .to = Number::kInt});
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

}  // namespace tern::gpu
