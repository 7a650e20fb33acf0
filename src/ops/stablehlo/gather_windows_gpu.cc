// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_GATHER on the GPU.
#include "base/status.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/indices_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/stablehlo/window_list.h"

namespace tern::gpu {
namespace {

// By axis of the output: how far neighbours are apart in the tensor, for axes of windows, and among
// the indices, for the others.
struct WindowSteps {
  Shape window, index;
};

WindowSteps StepsOf(const WindowList& list, const Shape& tensor, const Shape& indices,
                    size_t rank) {
  const Shape tensor_steps = DenseStrides(tensor), index_steps = DenseStrides(indices);
  WindowSteps steps{Shape(rank, 0), Shape(rank, 0)};
  size_t axis = 0, number = 0;  // of the tensor, of the indices
  for (size_t i = 0; i < rank; ++i) {
    if (Holds(list.window_axes, static_cast<int64_t>(i))) {
      while (Holds(list.missing_axes, static_cast<int64_t>(axis))) ++axis;
      steps.window[i] = tensor_steps[axis++];
    } else {
      if (static_cast<int64_t>(number) == list.vector_axis) ++number;
      steps.index[i] = index_steps[number++];
    }
  }
  return steps;
}

absl::Status LowerStablehloGather(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* which, lower.Input(node, 1));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  TERN_RETURN_IF_ERROR(CheckIndices(node, lower, 1));
  TERN_RETURN_IF_ERROR(CheckFit32Bits(node, lower, 1));
  const auto& params = node.Get<TfLiteStablehloGatherParams>();
  const WindowList list = WindowListOf(params);
  const Shape sizes = ListOf(params.slice_sizes, params.num_slice_sizes);
  const Shape tensor = ShapeOf(*in), indices = ShapeOf(*which);
  const StatusOr<Shape> to = GatheredShape(list, sizes, tensor, indices);
  if (!to.ok()) return lower.Unsupported(node, Message(to.status()));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, *to));
  if (to->size() > kMaxGatherRank) {
    return lower.Unsupported(node, StrCat("rank ", to->size(), " (limit ", kMaxGatherRank, ")"));
  }
  const Box box = out->box();
  const Shape tensor_steps = DenseStrides(tensor);
  const WindowSteps steps = StepsOf(list, tensor, indices, to->size());
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::gather_windows);
  dispatch.Read("src", 0).ReadIndices("indices", 1).Write("dst", 0);
  dispatch.Define("RANK", static_cast<int>(to->size()));
  dispatch.Define("DEPTH", static_cast<int>(list.start_axes.size()));
  for (size_t i = 0; i < to->size(); ++i) {
    dispatch.Int(StrCat("dim", i), (*to)[i]).Int(StrCat("window_step", i), steps.window[i]);
    dispatch.Int(StrCat("index_step", i), steps.index[i]);
  }
  for (size_t d = 0; d < list.start_axes.size(); ++d) {
    const auto axis = static_cast<size_t>(list.start_axes[d]);
    dispatch.Int(StrCat("last", d), tensor[axis] - sizes[axis]);
    dispatch.Int(StrCat("begin_step", d), tensor_steps[axis]);
  }
  const bool scalars = list.vector_axis == static_cast<int64_t>(indices.size());
  dispatch.Int("number_step",
               scalars ? 0 : DenseStrides(indices)[static_cast<size_t>(list.vector_axis)]);
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

}  // namespace

GpuOp StablehloGatherGpu() {
  return {
      .lower = LowerStablehloGather,
      .traits = {
          .types = kAllTypes, .indices = 1, .elements = Always<Moved{}>, .takes_epilogue = true}};
}

}  // namespace tern::gpu
