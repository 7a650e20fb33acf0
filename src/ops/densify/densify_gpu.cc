// SPDX-License-Identifier: Apache-2.0
// DENSIFY on the GPU. Its readers see the dense constant, so that nothing is left to do unless the
// application wants the numbers, too.
#include "base/status.h"
#include "ops/gpu_op.h"

namespace tern::gpu {
namespace {

absl::Status LowerDensify(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (!in->is_constant()) return lower.Unsupported(node, StrCat("'", in->name, "' is no constant"));
  if (!out->is_constant()) return lower.Unsupported(node, "the constant could not be read ahead");
  if (!lower.graph().IsOutput(node.outputs[0])) return absl::OkStatus();
  TERN_RETURN_IF_ERROR(lower.Floats(node, 0).status());
  const Box box = out->box();
  return lower.Dispatch(node, KernelId::elementwise)
      .Write("dst", 0)
      .Step({.expression = "w", .operand = node.inputs[0]})
      .Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b)
      .Emit();
}

}  // namespace

GpuOp DensifyGpu() { return {.lower = LowerDensify}; }

}  // namespace tern::gpu
