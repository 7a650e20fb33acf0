// SPDX-License-Identifier: Apache-2.0
// RESHAPE, EXPAND_DIMS, SQUEEZE, CONCATENATION, PAD and PADV2 as copies: by whole slices where the
// channels allow it, else by elements.
#include "ops/gpu_kit/gpu_op.h"

#include <optional>
#include <vector>

#include "base/status.h"
#include "ops/gpu_kit/element_results_gpu.h"
#include "ops/gpu_kit/gather_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/movement/concatenation_rules.h"
#include "ops/movement/pad_rules.h"

namespace tern::gpu {
namespace {

std::vector<int64_t> Widen(const std::vector<int>& dims) { return {dims.begin(), dims.end()}; }

// The model says what the output looks like.
absl::Status LowerSameElements(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const int64_t elements = out->box().elements();
  if (in->box().elements() != elements) {
    return lower.Unsupported(node, StrCat("the number of elements differs (", in->box().elements(),
                                          ", ", elements, ")"));
  }
  return EmitGather(node, lower, 0, ReshapeGather(elements), Outside::kFill, 0.0f);
}

// An offset of whole slices that puts `begin` (one entry per axis) into the box of a tensor of
// these dims, or nullopt when it cannot be said so.
std::optional<SliceShift> ShiftFor(const std::vector<int64_t>& from, const std::vector<int64_t>& to,
                                   const std::vector<int64_t>& begin, int slice_width) {
  SliceShift shift;
  const size_t rank = to.size();
  for (size_t d = 0; d < rank; ++d) {
    const size_t from_end = rank - 1 - d;
    const int at = static_cast<int>(begin[d]);
    if (from_end == 0) {
      if (at % slice_width != 0) return std::nullopt;
      shift.slice = at / slice_width;
    } else if (from_end == 1) {
      shift.x = at;
    } else if (from_end == 2) {
      shift.y = at;
    } else if (from_end == 3) {
      shift.batch = at;
    } else if (to[d] != 1 || from[d] != 1) {
      return std::nullopt;
    }
  }
  return shift;
}

absl::Status LowerPart(const Node& node, Lowering& lower, int input,
                       const std::vector<int64_t>& from, const std::vector<int64_t>& to,
                       const std::vector<int64_t>& begin, Outside outside, double fill) {
  std::optional<SliceShift> shift;
  if (node.ViewOf(static_cast<size_t>(input)) == nullptr)
    shift = ShiftFor(from, to, begin, lower.slice_width());
  // Filling whole slices would not touch the lanes past the source's last channel.
  const bool ragged_fill = outside == Outside::kFill && !from.empty() && from.back() != to.back() &&
                           from.back() % lower.slice_width() != 0;
  if (shift && !ragged_fill) return EmitSliceCopy(node, lower, input, *shift, outside, fill);
  return EmitGather(node, lower, input, PlaceGather(from, to, begin), outside, fill);
}

int JoinedAxis(const Node& node, size_t rank) {
  const int axis = node.Get<TfLiteConcatenationParams>().axis;
  return axis < 0 ? axis + static_cast<int>(rank) : axis;
}

int JoinedAlong(const Graph& graph, const Node& node) {
  const int rank = static_cast<int>(graph.tensors[node.outputs[0]].dims.size());
  const int axis = JoinedAxis(node, rank);
  const bool plain = node.Get<TfLiteConcatenationParams>().activation == kTfLiteActNone;
  return plain && axis < rank ? axis : -1;
}

absl::Status LowerConcatenation(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const auto& params = node.Get<TfLiteConcatenationParams>();
  if (params.activation != kTfLiteActNone) {
    return lower.Unsupported(
        node, StrCat("fused activation ", static_cast<int>(params.activation), " is not supported"),
        {Reason::kOptions});
  }
  const std::vector<int64_t> to = Widen(out->dims);
  const int rank = static_cast<int>(to.size());
  const int axis = JoinedAxis(node, to.size());
  if (axis < 0 || axis >= rank) {
    return lower.Unsupported(node, StrCat("axis out of range (", params.axis, ", rank ", rank, ")"),
                             {Reason::kOptions});
  }
  std::vector<int64_t> begin(to.size(), 0);
  for (int i = 0; i < static_cast<int>(node.inputs.size()); ++i) {
    TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, i));
    const std::vector<int>* seen = node.ViewOf(static_cast<size_t>(i));
    const std::vector<int64_t> from = Widen(seen != nullptr ? *seen : in->dims);
    std::vector<int64_t> joined = to;
    if (from.size() == to.size()) joined[axis] = from[axis];
    if (from != joined || begin[axis] + from[axis] > to[axis]) {
      return lower.Unsupported(
          node, StrCat("operand ", i, " does not fit the output (", ShapeText(from), " at ",
                       begin[axis], " of axis ", axis, ", ", ShapeText(to), ")"));
    }
    if (in->box().elements() > 0 && !node.IsInPlace(static_cast<size_t>(i)))
      TERN_RETURN_IF_ERROR(LowerPart(node, lower, i, from, to, begin, Outside::kAppend, 0.0f));
    begin[axis] += from[axis];
  }
  if (begin[axis] != to[axis]) {
    return lower.Unsupported(
        node, StrCat("operands do not fill the output (", begin[axis], ", ", to[axis], ")"));
  }
  return absl::OkStatus();
}

absl::Status LowerPadding(const Node& node, Lowering& lower, double fill) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  TERN_ASSIGN_OR_RETURN(const Shape paddings, lower.Ints(node, 1));
  const Shape from = ShapeOf(*in);
  const StatusOr<Padded> padded = PaddedShape(from, paddings);
  if (!padded.ok()) return lower.Unsupported(node, Message(padded.status()));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, padded->shape));
  return LowerPart(node, lower, 0, from, padded->shape, padded->before, Outside::kFill, fill);
}

bool HasValue(const Node& node) { return node.inputs.size() > 2 && node.inputs[2] >= 0; }

absl::Status LowerPad(const Node& node, Lowering& lower) {
  if (!HasValue(node)) return LowerPadding(node, lower, 0.0);
  TERN_ASSIGN_OR_RETURN(const double value, FillValue(node, lower, 2));
  return LowerPadding(node, lower, value);
}

// The borders, by axis; none where they are not known.
std::vector<Padding> BordersOf(const Graph& graph, const Node& node) {
  if (node.inputs.size() < 2 || node.inputs[0] < 0 || node.inputs[1] < 0) return {};
  const GraphTensor& operand = graph.tensors[node.inputs[1]];
  if (!operand.is_constant()) return {};
  const absl::StatusOr<Shape> paddings = ConstantInts(operand);
  const Shape from = ShapeOf(graph.tensors[node.inputs[0]]);
  if (!paddings.ok() || !PaddedShape(from, *paddings).ok()) return {};
  std::vector<Padding> borders(from.size());
  for (size_t axis = 0; axis < from.size(); ++axis) {
    borders[axis] = {.before = static_cast<int>((*paddings)[2 * axis]),
                     .after = static_cast<int>((*paddings)[2 * axis + 1])};
  }
  return borders;
}

// Only borders of zeros.
std::vector<Padding> ZerosOf(const Graph& graph, const Node& node) {
  if (!HasValue(node)) return BordersOf(graph, node);
  const GraphTensor& value = graph.tensors[node.inputs[2]];
  if (!value.is_constant() || value.box().elements() != 1) return {};
  const absl::StatusOr<float> number = FirstNumber(value);
  if (!number.ok() || *number != 0.0f) return {};
  return BordersOf(graph, node);
}

// UINT8 parts of other quantizations are quantized again, INT16 ones are not.
std::optional<std::vector<float>> RealignedResults(const QuantizedType& from,
                                                   const QuantizedType& to) {
  if (from.type != kTfLiteUInt8) return std::nullopt;
  return ElementResults(from, to,
                        Realigning({from.scale, from.zero_point}, {to.scale, to.zero_point}));
}

ElementRule RealignedElements(const Graph& /*graph*/, const Node& /*node*/) {
  return Moved{.realigned = RealignedResults};
}

GpuOp SameElements() {
  return {.lower = LowerSameElements,
          .traits = {.types = kAllTypes, .elements = Always<Moved{}>, .keeps_elements = true}};
}

}  // namespace

GpuOp ReshapeGpu() { return SameElements(); }
GpuOp CopyGpu() { return SameElements(); }
GpuOp ExpandDimsGpu() { return SameElements(); }
GpuOp SqueezeGpu() { return SameElements(); }
GpuOp ConcatenationGpu() {
  return {.lower = LowerConcatenation,
          .traits = {.types = kAllTypes,
                     .elements = RealignedElements,
                     .takes_reshapes = true,
                     .joined_along = JoinedAlong}};
}
GpuOp PadGpu() {
  return {.lower = LowerPad,
          .traits = {.types = kAllTypes,
                     .elements = Always<Moved{}>,
                     .takes_epilogue = true,
                     .padding = ZerosOf}};
}
GpuOp Padv2Gpu() { return PadGpu(); }

}  // namespace tern::gpu
