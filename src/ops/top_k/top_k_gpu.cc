// SPDX-License-Identifier: Apache-2.0
// TOPK_V2 with a constant k on the GPU.
#include <algorithm>

#include "base/status.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/indices_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

// Rounds up to which one work-item for each pixel is fast enough, and after which it would never
// end; and slices up to which comparing each element with each is no worse.
constexpr int64_t kFewRounds = 4096, kMaxRounds = 32768, kMaxCompared = 4096;

bool HoldsReals(const Node& node, const Lowering& lower) {
  return lower.graph().tensors[node.inputs[0]].number() == Number::kReal;
}

// One work-item for each pixel looks for one element after the other.
absl::Status EmitSearch(const Node& node, Lowering& lower, const Box& out, bool reals) {
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::top_k);
  dispatch.Read("src", 0).Write("dst", 0).Write("indices", 1).Define("REALS", reals);
  dispatch.Define("FLOATS", HoldsReals(node, lower));
  return dispatch.Grid(out.c == 0 ? 0 : out.w, out.h, out.b).Emit();
}

// Each element counts those before it; then each place looks for the element with that count.
absl::Status EmitRanks(const Node& node, Lowering& lower, const Box& in, const Box& out,
                       bool reals) {
  const int slices = lower.Slices(in.c);
  const TensorId ranks =
      lower.Temp(StrCat(Label(node), " ranks"), in, Layout::kSlices, Number::kInt);
  DispatchBuilder count = lower.Dispatch(node, KernelId::top_k_ranks);
  count.Read("src", 0).WriteTemp("dst", ranks).Define("FLOATS", HoldsReals(node, lower));
  TERN_RETURN_IF_ERROR(count.Grid(in.w, in.h, int64_t{slices} * in.b).Emit());
  DispatchBuilder place = lower.Dispatch(node, KernelId::top_k_places);
  place.Read("src", 0).ReadTemp("ranks", ranks).Write("dst", 0).Write("indices", 1);
  place.Define("REALS", reals);
  return place.Grid(out.w, out.h, int64_t{lower.Slices(out.c)} * out.b).Emit();
}

absl::Status LowerTopK(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* values, lower.Output(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* indices, lower.Output(node, 1));
  TERN_ASSIGN_OR_RETURN(const Shape k, lower.Ints(node, 1));
  Shape shape = ShapeOf(*input);
  if (k.size() != 1) {
    return lower.Unsupported(node, StrCat("k must be one number (", k.size(), " numbers)"));
  }
  if (shape.empty() || k[0] > shape.back()) {
    return lower.Unsupported(
        node, StrCat("k does not fit the input (", k[0], ", ", ShapeText(shape), ")"));
  }
  shape.back() = std::max<int64_t>(k[0], 0);
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *values, shape));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *indices, shape));
  if (input->type != values->type) {
    return lower.Unsupported(node, DifferentTypes(*input, *values), {Reason::kTensorType});
  }
  const bool reals = HoldsShortIndices(*indices);
  if (indices->type != kTfLiteInt32 && !reals) {
    return lower.Unsupported(
        node,
        StrCat("indices must be INT32 or plain INT16 (", TfLiteTypeGetName(indices->type), ")"),
        {Reason::kTensorType});
  }
  const Box in = input->box(), out = values->box();
  const int slices = lower.Slices(in.c);
  const int64_t rounds = (slices + int64_t{1}) * out.c;
  if (rounds > kFewRounds && slices <= kMaxCompared) {
    return EmitRanks(node, lower, in, out, reals);
  }
  if (rounds > kMaxRounds) {
    return lower.Unsupported(
        node,
        StrCat("too much work for one work-item (", rounds, " rounds, limit ", kMaxRounds, ")"),
        {Reason::kDeviceLimit, -1, Bound{rounds, kMaxRounds}});
  }
  return EmitSearch(node, lower, out, reals);
}

}  // namespace

GpuOp TopkV2Gpu() {
  return {.lower = LowerTopK,
          .traits = {.types = kFloats | kInts,
                     .elements = Always<Moved{.index_input = 1, .index_output = 1}>}};
}

}  // namespace tern::gpu
