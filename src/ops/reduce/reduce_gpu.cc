// SPDX-License-Identifier: Apache-2.0
// Reductions over any axes on the GPU. Maps the reduced axes to whole dimensions of a box. If that
// is impossible, transposes the input first, so that the kept axes precede the reduced ones.
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/status.h"
#include "base/tensor/quantized_range.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/int64_fold_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/gpu_kit/sharing_gpu.h"
#include "ops/reduce/mean_rules.h"
#include "ops/reduce/reduce_rules.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

// OP of reduce.kernel: a ReduceOp, or this.
constexpr int kMeanOfIntegers = 4;

ReduceOp ReduceOpOf(const Node& node) {
  switch (node.builtin_code) {
    case kTfLiteBuiltinReduceMax:
    case kTfLiteBuiltinReduceAny:
      return ReduceOp::kLargest;
    case kTfLiteBuiltinReduceMin:
    case kTfLiteBuiltinReduceAll:
      return ReduceOp::kSmallest;
    case kTfLiteBuiltinReduceProd:
      return ReduceOp::kMultiply;
    default:
      return ReduceOp::kAdd;
  }
}

// The result of no element at all; for FLOAT32 also the result where every element is NaN.
double NeutralOf(ReduceOp combine, const GraphTensor& input, bool empty) {
  const bool ints = input.number() == Number::kInt;
  const bool largest = combine == ReduceOp::kLargest;
  if (combine == ReduceOp::kAdd) return 0;
  if (combine == ReduceOp::kMultiply) return 1;
  if (input.type == kTfLiteBool) return largest ? 0 : 1;
  if (!ints) {
    constexpr float kMost = std::numeric_limits<float>::max();
    const float beyond = empty ? kMost : std::numeric_limits<float>::infinity();
    return largest ? -beyond : beyond;
  }
  return largest ? std::numeric_limits<int>::min() : std::numeric_limits<int>::max();
}

// A box of the input and the sizes of it that go.
struct Source {
  Box box;
  bool b = false, h = false, w = false, c = false;
  TensorId temp = -1;

  Box Kept() const { return {b ? 1 : box.b, h ? 1 : box.h, w ? 1 : box.w, c ? 1 : box.c}; }
};

// The sizes before the last three are one size of the box: all of them go, or none, or those that
// stay have size 1.
bool GoTogether(const Shape& shape, const std::vector<bool>& reduced, size_t axes, bool* go) {
  bool goes = false, stays = false;
  for (size_t d = 0; d < axes; ++d) {
    if (shape[d] == 1) continue;
    (reduced[d] ? goes : stays) = true;
  }
  *go = goes;
  return !goes || !stays;
}

absl::StatusOr<Source> SourceOf(const Node& node, Lowering& lower, const GraphTensor& input,
                                const ReducedAxes& axes) {
  const Shape shape = ShapeOf(input);
  const size_t rank = shape.size();
  Source source{.box = input.box()};
  const auto goes = [&](size_t from_end) {
    return rank >= from_end && axes.reduced[rank - from_end];
  };
  source.c = goes(1);
  source.w = goes(2);
  source.h = goes(3);
  if (rank <= 3 || GoTogether(shape, axes.reduced, rank - 3, &source.b)) return source;
  const Shape strides = DenseStrides(shape);
  View view;
  int64_t kept = 1;
  for (const bool reduced : {false, true}) {
    for (size_t d = 0; d < rank; ++d) {
      if (axes.reduced[d] != reduced) continue;
      view.Add(shape[d], strides[d]);
      if (!reduced) kept *= shape[d];
    }
  }
  source = {.box = {1, 1, static_cast<int>(kept), static_cast<int>(axes.count)}, .c = true};
  source.temp =
      lower.Temp(StrCat(Label(node), " in order"), source.box, Layout::kSlices, input.number());
  TERN_RETURN_IF_ERROR(EmitGatherToTemp(node, lower, {0}, ViewGather(view), source.temp));
  return source;
}

void Neutral(ReduceOp combine, const GraphTensor& input, DispatchBuilder& dispatch) {
  const double neutral = NeutralOf(combine, input, /*empty=*/false);
  if (input.number() == Number::kInt) {
    dispatch.Int("neutral", static_cast<int64_t>(neutral));
  } else {
    dispatch.Float("neutral", static_cast<float>(neutral));
  }
}

// Sums and means of quantized tensors.
bool SumsElements(const Graph& graph, const Node& node) {
  if (node.inputs.empty() || node.inputs[0] < 0) return false;
  if (node.builtin_code != kTfLiteBuiltinMean && node.builtin_code != kTfLiteBuiltinSum)
    return false;
  const std::optional<QuantizedType>&from = graph.tensors[node.inputs[0]].quantized,
        &to = graph.MadeBy(node);
  return from && to && from->type == to->type;
}

int64_t MaxElementOf(const QuantizedType& q) { return q.type == kTfLiteInt16 ? 65535 : 255; }

// ELEMENTS of reduce.kernel.
int ElementSums(const Lowering& lower, const Node& node, int64_t count) {
  constexpr int64_t kExactInFloats = int64_t{1} << 24;
  if (!SumsElements(lower.graph(), node)) return 0;
  const QuantizedType& from = *lower.graph().tensors[node.inputs[0]].quantized;
  return MaxElementOf(from) * count < kExactInFloats ? 1 : 2;
}

absl::Status BindElements(const Node& node, const Lowering& lower, int64_t count,
                          DispatchBuilder& dispatch) {
  const QuantizedType &from = *lower.graph().tensors[node.inputs[0]].quantized,
                      &to = *lower.graph().MadeBy(node);
  if (MaxElementOf(from) * count > INT32_MAX) {
    return lower.Unsupported(node, StrCat("a sum of ", count, " elements has more than 32 bits"),
                             {Reason::kShape});
  }
  const bool mean = node.builtin_code == kTfLiteBuiltinMean;
  const Multiplier m =
      SumMultiplier({from.scale, from.zero_point}, {to.scale, to.zero_point}, mean, count);
  const IntRange range = TypeRange(to.type);
  dispatch.Float("inverse", 1 / from.scale).Float("dst_scale", to.scale);
  dispatch.Int("multiplier", m.value).Int("shift", m.shift);
  dispatch.Int("least", range.min - to.zero_point).Int("most", range.max - to.zero_point);
  return absl::OkStatus();
}

// Reads `source` and writes to what `dispatch` has bound as "dst", which has the box `out`.
absl::Status EmitReduce(const Node& node, Lowering& lower, const Source& source, int64_t count,
                        const Box& out, DispatchBuilder& dispatch) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  const ReduceOp combine = ReduceOpOf(node);
  const Box& in = source.box;
  const Box kept = source.Kept();
  const int64_t taps_w = source.w ? in.w : 1, taps_h = source.h ? in.h : 1;
  const int64_t taps = taps_w * taps_h * (source.b ? in.b : 1);
  const int64_t slices = lower.Slices(in.c), steps = source.c ? slices : 1;
  const int64_t pixels = int64_t{out.b} * out.h * out.w, layers = source.c ? 1 : slices;
  const int elements = ElementSums(lower, node, count);
  const bool mean = node.builtin_code == kTfLiteBuiltinMean;
  const bool integers = input->number() == Number::kInt;
  const int items = integers ? 1 : SharingItems(lower, pixels * layers, taps * steps);
  dispatch.Define("ELEMENTS", elements);
  if (elements != 0) TERN_RETURN_IF_ERROR(BindElements(node, lower, count, dispatch));
  dispatch.Define("OP", mean && integers ? kMeanOfIntegers : static_cast<int>(combine));
  dispatch.Define("FLOATS", !integers && input->type != kTfLiteBool);
  dispatch.Define("MEAN", mean && !integers && elements == 0)
      .Define("CHANNELS", source.c)
      .Define("ITEMS", items);
  Neutral(combine, *input, dispatch);
  dispatch.Int("kept_w", kept.w).Int("kept_h", kept.h);
  dispatch.Int("taps", taps).Int("taps_w", taps_w).Int("taps_h", taps_h).Int("steps", steps);
  dispatch.Int("last", in.c - (slices - 1) * lower.slice_width()).Int("count", count);
  if (items > 1) dispatch.LocalSlices("parts", items).Group(items, 1, 1);
  if (items > 1 && elements == 2) dispatch.IntSums().LocalSums("sums", items);
  return dispatch.Grid(pixels * items, layers, 1).Emit();
}

absl::Status LowerReduce(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* list, lower.Input(node, 1));
  Shape numbers;
  if (list->box().elements() > 0) {
    TERN_ASSIGN_OR_RETURN(numbers, lower.Ints(node, 1));
  }
  if (node.epilogue.empty() && input->type != output->type)
    return lower.Unsupported(node, DifferentTypes(*input, *output), {Reason::kTensorType});
  const StatusOr<ReducedAxes> axes =
      ReducedAxesOf(ShapeOf(*input), numbers, node.Get<TfLiteReducerParams>().keep_dims);
  if (!axes.ok()) return lower.Unsupported(node, Message(axes.status()));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *output, axes->output));
  const Box out = output->box();
  if (input->type == kTfLiteInt64) {
    if (input->box().elements() == 0) return lower.Unsupported(node, "INT64 without elements");
    const int64_t divisor = node.builtin_code == kTfLiteBuiltinMean ? axes->count : 0;
    return LowerInt64Fold(
        node, lower, {.combine = ReduceOpOf(node), .along = axes->reduced, .divisor = divisor});
  }
  if (input->box().elements() == 0) {
    // Nothing is copied, and around it is what no element gives.
    const bool mean = node.builtin_code == kTfLiteBuiltinMean;
    const bool elements = SumsElements(lower.graph(), node);
    const double fill = mean && input->number() == Number::kReal && !elements
                            ? std::numeric_limits<double>::quiet_NaN()
                            : NeutralOf(ReduceOpOf(node), *input, /*empty=*/true);
    return EmitGather(node, lower, 0, {{out.elements()}, {0}, {0}, {0}}, Outside::kFill, fill);
  }
  TERN_ASSIGN_OR_RETURN(const Source source, SourceOf(node, lower, *input, *axes));
  const Box kept = source.Kept();
  const bool row_major = lower.graph().LiesInRows(node.outputs[0]) && node.epilogue.empty();
  // Channels that stay are the output's channels, and its pixels follow each other alike.
  const bool same_pixels = (!source.c && kept.c == out.c) || kept == out;
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::reduce);
  if (source.temp >= 0) {
    dispatch.ReadTemp("src", source.temp);
  } else {
    dispatch.Read("src", 0);
  }
  if (same_pixels || row_major) {
    const Box to = same_pixels ? out : kept;
    dispatch.Write("dst", 0, to);
    return EmitReduce(node, lower, source, axes->count, to, dispatch);
  }
  const TensorId temp =
      lower.Temp(StrCat(Label(node), " in place"), kept, Layout::kSlices, input->number());
  dispatch.WriteTemp("dst", temp);
  TERN_RETURN_IF_ERROR(EmitReduce(node, lower, source, axes->count, kept, dispatch));
  return EmitCopy(node, lower, {0, temp}, ReshapeGather(kept.elements()), {0}, Outside::kFill, 0);
}

GpuOp Numbers(ElementRule (*elements)(const Graph& graph, const Node& node)) {
  return {.lower = LowerReduce,
          .traits = {.types = kFloats | kInts | kInt64s,
                     .joins_halves = JoinsHalves,
                     .elements = elements,
                     .takes_epilogue = true}};
}
GpuOp Bools() {
  return {.lower = LowerReduce, .traits = {.types = kBools, .takes_epilogue = true}};
}

}  // namespace

GpuOp MeanGpu() { return Numbers(ComputedWhere<SumsElements>); }
GpuOp SumGpu() { return Numbers(ComputedWhere<SumsElements>); }
GpuOp ReduceMaxGpu() { return Numbers(Always<Moved{}>); }
GpuOp ReduceMinGpu() { return Numbers(Always<Moved{}>); }
GpuOp ReduceProdGpu() { return Numbers(Always<Rounded{}>); }
GpuOp ReduceAnyGpu() { return Bools(); }
GpuOp ReduceAllGpu() { return Bools(); }

}  // namespace tern::gpu
