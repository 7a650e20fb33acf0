// SPDX-License-Identifier: Apache-2.0
// STABLEHLO_SCATTER on the GPU: each element of the output looks for the windows that lie over it.
#include <algorithm>
#include <optional>
#include <string>

#include "base/status.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/indices_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/stablehlo/combine.h"
#include "ops/stablehlo/window_list.h"

namespace tern::gpu {
namespace {

constexpr int kTensor = 0, kIndices = 1, kUpdates = 2;
// Of the kernel.
enum class Join { kAssign, kSum, kProduct, kSmaller, kLarger };

// BOOL is 0 or 1: both are true where the product is, either where the larger is.
Join OfBools(Combine combine) {
  const bool both =
      combine == Combine::kMultiply || combine == Combine::kSmaller || combine == Combine::kAnd;
  return both ? Join::kProduct : Join::kLarger;
}

absl::StatusOr<Join> FunctionOf(const Node& node, const Lowering& lower, const GraphTensor& out) {
  if (node.join == kSecondInput) return Join::kAssign;
  const std::optional<Combine> combine = CombineOfOp(node.join);
  if (!combine) {
    return lower.Unsupported(node,
                             "the runtime shows no graph of one sum, product, minimum or maximum",
                             {Reason::kOptions});
  }
  if (out.quantized) {
    return lower.Unsupported(node, "the CPU combines stored integers, whatever they stand for",
                             {Reason::kQuantization});
  }
  if (out.type == kTfLiteBool) return OfBools(*combine);
  if (out.type != kTfLiteFloat32 && out.type != kTfLiteInt32) {
    return lower.Unsupported(node, StrCat("functions of ", TfLiteTypeGetName(out.type)),
                             {Reason::kTensorType});
  }
  switch (*combine) {
    case Combine::kAdd:
      return Join::kSum;
    case Combine::kMultiply:
      return Join::kProduct;
    case Combine::kSmaller:
      return Join::kSmaller;
    case Combine::kLarger:
      return Join::kLarger;
    default:
      return lower.Unsupported(node, "bitwise functions", {Reason::kOptions});
  }
}

// The last of several updates of an element stays: in their order, which is that of the index
// vectors where the axes of windows are the last ones.
bool KnowsTheLast(const WindowList& list, const Shape& updates, int64_t vectors) {
  const auto first = static_cast<int64_t>(updates.size() - list.window_axes.size());
  return vectors <= 1 || list.window_axes.empty() || list.window_axes.front() == first;
}

// Sizes and steps that the kernel reads, by axis of the tensor.
void BindWindows(const WindowList& list, const Shape& tensor, const Shape& indices,
                 const Shape& updates, DispatchBuilder& dispatch) {
  const Shape steps = DenseStrides(updates);
  const bool scalars = list.vector_axis == static_cast<int64_t>(indices.size());
  const int64_t number_step =
      scalars ? 0 : DenseStrides(indices)[static_cast<size_t>(list.vector_axis)];
  size_t window = 0;
  for (size_t a = 0; a < tensor.size(); ++a) {
    const std::string name = a + 1 == tensor.size() ? "_last" : StrCat(a);
    const bool missing = Holds(list.missing_axes, static_cast<int64_t>(a));
    const auto axis = missing ? 0 : static_cast<size_t>(list.window_axes[window++]);
    dispatch.Int("dim" + name, tensor[a]).Int("size" + name, missing ? 1 : updates[axis]);
    dispatch.Int("window_step" + name, missing ? 0 : steps[axis]);
    const auto start =
        std::find(list.start_axes.begin(), list.start_axes.end(), static_cast<int64_t>(a));
    const bool starts = start != list.start_axes.end();
    dispatch.Define(a + 1 == tensor.size() ? "STARTS_LAST" : StrCat("STARTS", a), starts);
    if (starts) dispatch.Int("number" + name, (start - list.start_axes.begin()) * number_step);
  }
  // A tensor without axes has one element.
  if (tensor.empty())
    dispatch.Define("STARTS_LAST", 0).Int("size_last", 1).Int("window_step_last", 0);
}

// Where an index vector and its window begin, by axis of the list of vectors.
void BindVectors(const WindowList& list, const Shape& indices, const Shape& updates,
                 DispatchBuilder& dispatch) {
  const Shape update_steps = DenseStrides(updates), index_steps = DenseStrides(indices);
  size_t batch = 0, axis = 0;
  for (size_t i = 0; i < indices.size(); ++i) {
    if (static_cast<int64_t>(i) == list.vector_axis) continue;
    while (Holds(list.window_axes, static_cast<int64_t>(axis))) ++axis;
    dispatch.Int(StrCat("batch", batch), indices[i]);
    dispatch.Int(StrCat("index_step", batch), index_steps[i]);
    dispatch.Int(StrCat("update_step", batch++), update_steps[axis++]);
  }
  dispatch.Define("BATCH", static_cast<int>(batch));
}

absl::Status LowerStablehloScatter(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, kTensor));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* which, lower.Input(node, kIndices));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* from, lower.Input(node, kUpdates));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  TERN_RETURN_IF_ERROR(CheckIndices(node, lower, kIndices));
  TERN_RETURN_IF_ERROR(CheckFit32Bits(node, lower, kIndices));
  const WindowList list = WindowListOf(node.Get<TfLiteStablehloScatterParams>());
  const Shape tensor = ShapeOf(*in), indices = ShapeOf(*which), updates = ShapeOf(*from);
  const Status fits = CheckUpdates(list, tensor, indices, updates);
  if (!fits.ok()) return lower.Unsupported(node, Message(fits));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, tensor));
  if (in->type != from->type) {
    return lower.Unsupported(node, DifferentTypes(*from, *in), {Reason::kTensorType});
  }
  const size_t rank = std::max(tensor.size(), indices.size());
  if (rank > kMaxGatherRank) {
    return lower.Unsupported(node, StrCat("rank ", rank, " (limit ", kMaxGatherRank, ")"));
  }
  TERN_ASSIGN_OR_RETURN(const Join function, FunctionOf(node, lower, *out));
  int64_t vectors = 1;
  for (const int64_t size : list.BatchShape(indices)) vectors *= size;
  if (function == Join::kAssign && !KnowsTheLast(list, updates, vectors)) {
    return lower.Unsupported(node, "which update is the last depends on places inside of windows",
                             {Reason::kOptions});
  }
  const Box box = out->box();
  if (from->box().elements() == 0) {
    return EmitGather(node, lower, kTensor, ReshapeGather(box.elements()), Outside::kFill, 0);
  }
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::scatter_windows);
  dispatch.Read("src", kTensor).ReadIndices("indices", kIndices).Read("updates", kUpdates);
  dispatch.Write("dst", 0)
      .Define("JOIN", static_cast<int>(function))
      .Define("INTS", in->type == kTfLiteInt32);
  dispatch.Define("RANK", static_cast<int>(std::max<size_t>(tensor.size(), 1)));
  BindWindows(list, tensor, indices, updates, dispatch);
  BindVectors(list, indices, updates, dispatch);
  dispatch.Int("count", vectors);
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

int JoiningGraph(const Node& node) {
  return node.Get<TfLiteStablehloScatterParams>().update_computation_subgraph_index;
}

}  // namespace

GpuOp StablehloScatterGpu() {
  return {.lower = LowerStablehloScatter,
          .traits = {.types = kAllTypes,
                     .indices = 1,
                     .elements = Always<Moved{}>,
                     .takes_epilogue = true,
                     .joining_graph = JoiningGraph}};
}

}  // namespace tern::gpu
