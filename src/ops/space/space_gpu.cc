// SPDX-License-Identifier: Apache-2.0
// Blocks of pixels to and from channels and batches as copied views. Borders are a copy of their
// own, through a temporary.
#include "base/status.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/movement/pad_rules.h"
#include "ops/slice/slice_rules.h"
#include "ops/space/space_rules.h"

namespace tern::gpu {
namespace {

Box BoxOfShape(const Shape& shape) {
  const std::vector<int> dims(shape.begin(), shape.end());
  return BoxOf(dims);
}

absl::Status EmitBlocks(const Node& node, Lowering& lower, const StatusOr<Viewed>& viewed) {
  if (!viewed.ok()) return lower.Unsupported(node, Message(viewed.status()));
  return EmitView(node, lower, {0}, *viewed, 0);
}

absl::Status LowerDepthToSpace(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  const int block = node.Get<TfLiteDepthToSpaceParams>().block_size;
  return EmitBlocks(node, lower, DepthToSpaceView(ShapeOf(*in), block));
}

absl::Status LowerSpaceToDepth(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  const int block = node.Get<TfLiteSpaceToDepthParams>().block_size;
  return EmitBlocks(node, lower, SpaceToDepthView(ShapeOf(*in), block));
}

absl::Status LowerSpaceToBatch(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const Shape block, lower.Ints(node, 1));
  TERN_ASSIGN_OR_RETURN(const Shape paddings, lower.Ints(node, 2));
  const Shape input = ShapeOf(*in);
  const auto plan = [&]() -> StatusOr<std::pair<Padded, Viewed>> {
    TERN_RETURN_IF_ERROR(BlocksOf(input, block).status());
    TERN_ASSIGN_OR_RETURN(const Shape all, AllAxes(paddings, input.size()));
    TERN_ASSIGN_OR_RETURN(const Padded padded, PaddedShape(input, all));
    TERN_ASSIGN_OR_RETURN(const Viewed viewed, SpaceToBatchView(padded.shape, block));
    return std::pair(padded, viewed);
  }();
  if (!plan.ok()) return lower.Unsupported(node, Message(plan.status()));
  const auto& [padded, viewed] = *plan;
  if (padded.shape == input) return EmitView(node, lower, {0}, viewed, 0);
  const TensorId temp = lower.Temp(StrCat(Label(node), " padded"), BoxOfShape(padded.shape),
                                   Layout::kSlices, in->number());
  TERN_RETURN_IF_ERROR(
      EmitGatherToTemp(node, lower, {0}, PlaceGather(input, padded.shape, padded.before), temp));
  return EmitView(node, lower, {0, temp}, viewed, 0);
}

absl::Status LowerBatchToSpace(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const Shape block, lower.Ints(node, 1));
  TERN_ASSIGN_OR_RETURN(const Shape crops, lower.Ints(node, 2));
  const Shape input = ShapeOf(*in);
  const auto plan = [&]() -> StatusOr<std::pair<Viewed, Viewed>> {
    TERN_ASSIGN_OR_RETURN(const Viewed whole, BatchToSpaceView(input, block));
    TERN_ASSIGN_OR_RETURN(const Shape all, AllAxes(crops, input.size()));
    TERN_ASSIGN_OR_RETURN(const Shape output, CroppedShape(whole.shape, all));
    Shape begin;
    for (size_t i = 0; i < all.size(); i += 2) begin.push_back(all[i]);
    TERN_ASSIGN_OR_RETURN(const Viewed cropped, SliceView(whole.shape, begin, output));
    return std::pair(whole, cropped);
  }();
  if (!plan.ok()) return lower.Unsupported(node, Message(plan.status()));
  const auto& [whole, cropped] = *plan;
  if (cropped.shape == whole.shape) return EmitView(node, lower, {0}, whole, 0);
  const TensorId temp = lower.Temp(StrCat(Label(node), " whole"), BoxOfShape(whole.shape),
                                   Layout::kSlices, in->number());
  TERN_RETURN_IF_ERROR(EmitGatherToTemp(node, lower, {0}, ViewGather(whole.view), temp));
  return EmitView(node, lower, {0, temp}, cropped, 0);
}

}  // namespace

GpuOp DepthToSpaceGpu() {
  return {.lower = LowerDepthToSpace,
          .traits = {.types = kAllTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}
GpuOp SpaceToDepthGpu() {
  return {.lower = LowerSpaceToDepth,
          .traits = {.types = kAllTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}
GpuOp SpaceToBatchNdGpu() {
  return {.lower = LowerSpaceToBatch,
          .traits = {.types = kAllTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}
GpuOp BatchToSpaceNdGpu() {
  return {.lower = LowerBatchToSpace,
          .traits = {.types = kAllTypes, .elements = Always<Moved{}>, .takes_epilogue = true}};
}

}  // namespace tern::gpu
