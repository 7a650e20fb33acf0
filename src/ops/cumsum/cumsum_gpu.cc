// SPDX-License-Identifier: Apache-2.0
// CUMSUM on the GPU. Axes that the box of the tensor folds into its batch are unfolded by a copy.
#include "base/status.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/int64_fold_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

// The sizes of a box.
enum class BoxAxis { kBatch, kHeight, kWidth, kChannels };

absl::Status EmitSums(const Node& node, Lowering& lower, const Box& box, BoxAxis axis,
                      DispatchBuilder& dispatch) {
  const auto& params = node.Get<TfLiteCumsumParams>();
  const bool channels = axis == BoxAxis::kChannels;
  dispatch.Define("CHANNELS", channels);
  dispatch.Define("REVERSE", params.reverse).Define("EXCLUSIVE", params.exclusive);
  const int slices = lower.Slices(box.c);
  if (channels) {
    dispatch.Int("last", box.c - (slices - 1) * lower.slice_width());
    return dispatch.Grid(box.c == 0 ? 0 : box.w, box.h, box.b).Emit();
  }
  const bool x = axis == BoxAxis::kWidth, y = axis == BoxAxis::kHeight, b = axis == BoxAxis::kBatch;
  const int lines_w = x ? 1 : box.w, lines_h = y ? 1 : box.h, lines_b = b ? 1 : box.b;
  dispatch.Int("lines_w", lines_w).Int("lines_h", lines_h).Int("lines_b", lines_b);
  dispatch.Int("step_x", x).Int("step_y", y).Int("step_b", b);
  const int size = x ? box.w : y ? box.h : box.b;
  dispatch.Int("size", size);
  return dispatch.Grid(lines_w, lines_h, int64_t{slices} * lines_b).Emit();
}

absl::Status LowerCumsum(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  TERN_ASSIGN_OR_RETURN(const Shape axes, lower.Ints(node, 1));
  const Shape shape = ShapeOf(*input);
  if (axes.size() != 1)
    return lower.Unsupported(node, StrCat("the axis must be one number (", axes.size(), ")"));
  if (node.epilogue.empty() && input->type != output->type) {
    return lower.Unsupported(node, DifferentTypes(*input, *output), {Reason::kTensorType});
  }
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *output, shape));
  const StatusOr<size_t> axis = AxisOf(axes[0], shape.size());
  if (!axis.ok()) return lower.Unsupported(node, Message(axis.status()));
  if (input->type == kTfLiteInt64) {
    if (input->box().elements() == 0) return lower.Unsupported(node, "INT64 without elements");
    const auto& params = node.Get<TfLiteCumsumParams>();
    Int64Fold fold;
    fold.scan = true;
    fold.reverse = params.reverse;
    fold.exclusive = params.exclusive;
    fold.along.assign(shape.size(), false);
    fold.along[*axis] = true;
    return LowerInt64Fold(node, lower, fold);
  }
  const size_t from_end = shape.size() - *axis;
  if (from_end <= 3 || shape.size() == 4) {
    constexpr BoxAxis kAxes[] = {BoxAxis::kChannels, BoxAxis::kWidth, BoxAxis::kHeight,
                                 BoxAxis::kBatch};
    DispatchBuilder dispatch = lower.Dispatch(node, KernelId::cumsum);
    dispatch.Read("src", 0).Write("dst", 0);
    return EmitSums(node, lower, input->box(), kAxes[from_end - 1], dispatch);
  }
  int64_t inner = 1, elements = 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    elements *= shape[d];
    if (d > *axis) inner *= shape[d];
  }
  if (elements == 0) return EmitGather(node, lower, 0, ReshapeGather(0), Outside::kFill, 0);
  const Box box = {1, static_cast<int>(elements / inner / shape[*axis]),
                   static_cast<int>(shape[*axis]), static_cast<int>(inner)};
  const TensorId from =
      lower.Temp(StrCat(Label(node), " unfolded"), box, Layout::kSlices, input->number());
  const TensorId to =
      lower.Temp(StrCat(Label(node), " sums"), box, Layout::kSlices, input->number());
  TERN_RETURN_IF_ERROR(EmitGatherToTemp(node, lower, {0}, ReshapeGather(elements), from));
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::cumsum);
  dispatch.ReadTemp("src", from).WriteTemp("dst", to);
  TERN_RETURN_IF_ERROR(EmitSums(node, lower, box, BoxAxis::kWidth, dispatch));
  return EmitCopy(node, lower, {0, to}, ReshapeGather(elements), {0}, Outside::kFill, 0);
}

}  // namespace

GpuOp CumsumGpu() {
  return {
      .lower = LowerCumsum,
      .traits = {
          .types = kFloats | kInts | kInt64s, .joins_halves = JoinsHalves, .takes_epilogue = true}};
}

}  // namespace tern::gpu
