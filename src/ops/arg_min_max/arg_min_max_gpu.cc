// SPDX-License-Identifier: Apache-2.0
// ARG_MAX and ARG_MIN on the GPU. Axes that the box of the tensor folds into its batch are unfolded
// by a copy.
#include "base/status.h"
#include "ops/arg_min_max/arg_min_max_rules.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

// `axis` counts from the channels: 0 channels, 1 width, 2 height, 3 batch.
absl::Status EmitSearch(const Node& node, Lowering& lower, const Box& in, size_t axis,
                        DispatchBuilder& dispatch) {
  const int lines_w = axis == 1 ? 1 : in.w, lines_h = axis == 2 ? 1 : in.h,
            lines_b = axis == 3 ? 1 : in.b;
  const int layers = axis == 0 ? 1 : lower.Slices(in.c);
  dispatch.Define("CHANNELS", axis == 0);
  dispatch.Define("SMALLEST", node.builtin_code == kTfLiteBuiltinArgMin);
  dispatch.Define("FLOATS", lower.graph().tensors[node.inputs[0]].number() == Number::kReal);
  dispatch.Int("lines_w", lines_w).Int("lines_h", lines_h).Int("lines_b", lines_b);
  dispatch.Int("layers", layers);
  if (axis > 0) {
    const int size = axis == 1 ? in.w : axis == 2 ? in.h : in.b;
    dispatch.Int("size", size);
    dispatch.Int("step_x", axis == 1).Int("step_y", axis == 2).Int("step_b", axis == 3);
  }
  return dispatch.Grid(lines_w, lines_h, int64_t{layers} * lines_b).Emit();
}

// The positions along the channels have one channel each; the output may see them as channels.
// Reads the input, or `from` where that is some tensor.
absl::Status EmitAlongChannels(const Node& node, Lowering& lower, TensorId from, const Box& in,
                               const Box& out) {
  const Box made = {in.b, in.h, in.w, 1};
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::arg_min_max);
  if (from >= 0) {
    dispatch.ReadTemp("src", from);
  } else {
    dispatch.Read("src", 0);
  }
  if (out == made) {
    dispatch.Write("dst", 0);
    return EmitSearch(node, lower, in, 0, dispatch);
  }
  const TensorId temp =
      lower.Temp(StrCat(Label(node), " in place"), made, Layout::kSlices, Number::kInt);
  dispatch.WriteTemp("dst", temp);
  TERN_RETURN_IF_ERROR(EmitSearch(node, lower, in, 0, dispatch));
  return EmitCopy(node, lower, {0, temp}, ReshapeGather(made.elements()), {0}, Outside::kFill, 0);
}

absl::Status LowerArgMinMax(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  TERN_ASSIGN_OR_RETURN(const Shape axes, lower.Ints(node, 1));
  if (axes.size() != 1)
    return lower.Unsupported(node, StrCat("the axis must be one number (", axes.size(), ")"));
  const Shape shape = ShapeOf(*input);
  const StatusOr<SearchedAxis> axis = SearchedAxisOf(shape, axes[0]);
  if (!axis.ok()) return lower.Unsupported(node, Message(axis.status()));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *output, axis->output));
  if (input->type == kTfLiteInt64 || output->number() != Number::kInt) {
    return lower.Unsupported(
        node,
        StrCat("from ", TfLiteTypeGetName(input->type), " to ", TfLiteTypeGetName(output->type)),
        {Reason::kTensorType});
  }
  const Box in = input->box(), out = output->box();
  const size_t from_end = shape.size() - 1 - axis->axis;
  if (from_end == 0) return EmitAlongChannels(node, lower, -1, in, out);
  if (axis->inner == 1 && out.elements() > 0) {
    // Only sizes of 1 follow: the axis is viewed as the channels.
    const Box box = {1, 1, static_cast<int>(axis->outer), static_cast<int>(axis->size)};
    const TensorId temp =
        lower.Temp(StrCat(Label(node), " lines"), box, Layout::kSlices, input->number());
    TERN_RETURN_IF_ERROR(EmitGatherToTemp(node, lower, {0}, ReshapeGather(box.elements()), temp));
    return EmitAlongChannels(node, lower, temp, box, out);
  }
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::arg_min_max);
  if (from_end <= 2 || shape.size() == 4) {
    dispatch.Read("src", 0).Write("dst", 0);
    return EmitSearch(node, lower, in, from_end, dispatch);
  }
  if (out.elements() == 0) return EmitGather(node, lower, 0, ReshapeGather(0), Outside::kFill, 0);
  // Viewed as [outer, size, what lies between, channels].
  const Box box = {static_cast<int>(axis->outer), static_cast<int>(axis->size),
                   static_cast<int>(axis->inner / in.c), in.c};
  const TensorId temp =
      lower.Temp(StrCat(Label(node), " unfolded"), box, Layout::kSlices, input->number());
  TERN_RETURN_IF_ERROR(EmitGatherToTemp(node, lower, {0}, ReshapeGather(box.elements()), temp));
  dispatch.ReadTemp("src", temp).Write("dst", 0);
  return EmitSearch(node, lower, box, 2, dispatch);
}

GpuOp Search() {
  return {.lower = LowerArgMinMax, .traits = {.types = kFloats | kInts | kBools | kIndices}};
}

}  // namespace

GpuOp ArgMaxGpu() { return Search(); }
GpuOp ArgMinGpu() { return Search(); }

}  // namespace tern::gpu
