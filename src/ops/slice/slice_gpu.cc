// SPDX-License-Identifier: Apache-2.0
// SLICE and STRIDED_SLICE with constant lists as views that are copied.
#include "base/status.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/slice/slice_rules.h"

namespace tern::gpu {
namespace {

absl::Status LowerSlice(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const Shape begin, lower.Ints(node, 1));
  TERN_ASSIGN_OR_RETURN(const Shape size, lower.Ints(node, 2));
  const StatusOr<Viewed> viewed = SliceView(ShapeOf(*in), begin, size);
  if (!viewed.ok()) return lower.Unsupported(node, Message(viewed.status()));
  return EmitView(node, lower, {0}, *viewed, 0);
}

absl::Status LowerStridedSlice(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const Shape begin, lower.Ints(node, 1));
  TERN_ASSIGN_OR_RETURN(const Shape end, lower.Ints(node, 2));
  TERN_ASSIGN_OR_RETURN(const Shape strides, lower.Ints(node, 3));
  const StatusOr<StridedSliced> sliced =
      StridedSliceView(ShapeOf(*in), begin, end, strides, node.Get<TfLiteStridedSliceParams>());
  if (!sliced.ok()) return lower.Unsupported(node, Message(sliced.status()));
  if (!sliced->reaches_outside()) return EmitView(node, lower, {0}, sliced->viewed, 0);
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, sliced->viewed.shape));
  Gather gather = ViewGather(sliced->viewed.view);
  gather.dims = sliced->sizes;
  return EmitCopy(node, lower, {0}, gather, {0}, Outside::kFill, 0.0);
}

}  // namespace

GpuOp SliceGpu() {
  return {.lower = LowerSlice,
          .traits = {.types = kAllTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}
GpuOp StridedSliceGpu() {
  return {.lower = LowerStridedSlice,
          .traits = {.types = kAllTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}

}  // namespace tern::gpu
