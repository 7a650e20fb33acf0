// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE, REVERSE_V2, TILE and BROADCAST_TO as views that are copied.
#include "base/status.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/movement/view_rules.h"

namespace tern::gpu {
namespace {

// A view of operand 0 that a constant operand 1 controls.
template <auto rule>
absl::Status LowerControlled(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const Shape control, lower.Ints(node, 1));
  const StatusOr<Viewed> viewed = rule(ShapeOf(*in), control);
  if (!viewed.ok()) return lower.Unsupported(node, Message(viewed.status()));
  return EmitView(node, lower, {0}, *viewed, 0);
}

}  // namespace

GpuOp TransposeGpu() {
  return {.lower = LowerControlled<TransposeView>,
          .traits = {.types = kAllTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}
GpuOp ReverseV2Gpu() {
  return {.lower = LowerControlled<ReverseView>,
          .traits = {.types = kAllTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}
GpuOp TileGpu() {
  return {.lower = LowerControlled<TileView>,
          .traits = {.types = kAllTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}
GpuOp BroadcastToGpu() {
  return {.lower = LowerControlled<BroadcastView>,
          .traits = {.types = kAllTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}

}  // namespace tern::gpu
