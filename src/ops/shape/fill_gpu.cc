// SPDX-License-Identifier: Apache-2.0
// FILL of a constant shape with a value of the run, and ZEROS_LIKE.
#include <optional>

#include "base/status.h"
#include "ops/gpu_kit/element_steps_gpu.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

absl::Status LowerFill(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* value, lower.Input(node, 1));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (value->box().elements() != 1) return lower.Unsupported(node, "the value is not one number");
  const Shape to = ShapeOf(*out);
  return EmitGather(node, lower, 1, {to, Shape(to.size(), 0), to, Shape(to.size(), 0)},
                    Outside::kFill, 0.0f);
}

// A copy of nothing, and zeros around it. Those of quantized tensors are elements: the operand is
// viewed as quantized like the output.
absl::Status LowerZerosLike(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const std::optional<QuantizedType> q = ElementsOf(*in);
  const double zero = q ? double{q->scale} * -q->zero_point : 0;
  return EmitGather(node, lower, 0, {{out->box().elements()}, {0}, {0}, {0}}, Outside::kFill, zero);
}

}  // namespace

GpuOp FillGpu() {
  return {.lower = LowerFill,
          .traits = {.types = kAllTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}
GpuOp ZerosLikeGpu() {
  return {.lower = LowerZerosLike,
          .traits = {.types = kAllTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}

}  // namespace tern::gpu
