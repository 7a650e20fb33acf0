// SPDX-License-Identifier: Apache-2.0
// QUANTIZE and DEQUANTIZE on the GPU. Quantized tensors are floats inside a plan, so QUANTIZE keeps
// the numbers that an element of its output can stand for: a step. At the edges of the graph
// elements are packed into ints and taken out of them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "base/tensor/multiplier.h"
#include "gpu/lower/constants.h"
#include "ops/elementwise/elementwise_gpu.h"
#include "ops/gpu_kit/element_results_gpu.h"
#include "ops/gpu_kit/element_steps_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/quantize/rescaling_rules.h"

namespace tern::gpu {
namespace {

// Halves go away from zero, as the CPU rounds. Floats miss a half by less than 2^-13: those that
// are so near are taken for halves. `a` is the scale.
constexpr char kRound[] =
    "select_lt(v, splat(0.0), ceil(v / splat(a) - splat(0.50012207)), floor(v / splat(a) + "
    "splat(0.50012207))) * splat(a)";

// Numbers that the model is given are rounded as they are.
constexpr char kRoundGiven[] = "rounded_quotient(v, splat(a)) * splat(a)";

// The same stored values with another quantization.
Epilogue ElementSteps(const QuantizedType& from, const QuantizedType& to) {
  const auto first = static_cast<float>(from.zero_point), zero = static_cast<float>(to.zero_point);
  return {{.expression = "floor(v / splat(a) + splat(b))", .a = from.scale, .b = first + 0.5F},
          {.expression = "(v - splat(b)) * splat(a)", .a = to.scale, .b = zero}};
}

bool IsNarrow(TfLiteType type) {
  return type == kTfLiteInt8 || type == kTfLiteUInt8 || type == kTfLiteInt16;
}

struct Scaling {
  float scale;
  int zero_point;
};

absl::Status CheckShapes(const Node& node, const Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  return CheckOutputShape(node, lower, *out, ShapeOf(*in));
}

// INT32 elements are ints inside a plan; only QUANTIZE knows their numbers.
absl::StatusOr<Scaling> ScalingOf(const GraphTensor& tensor, const Node& node) {
  if (tensor.quantized) return Scaling{tensor.quantized->scale, tensor.quantized->zero_point};
  const AffineQuantization* q = tensor.affine();
  if (q == nullptr || q->scales.size() != 1 || !(q->scales[0] > 0)) {
    return Annotate(Unsupported(Label(node), ": '", tensor.name, "' has no single scale"),
                    {Reason::kQuantization});
  }
  return Scaling{q->scales[0], q->zero_point(0)};
}

// Rounding as kRound does it, but from the thresholds of operand 1 on.
absl::StatusOr<Epilogue> PointSteps(const Graph& graph, const Node& node, const QuantizedType& q) {
  const GraphTensor& points = graph.tensors[node.inputs[1]];
  EpilogueOp round;
  if (points.box().elements() == 1) {
    TERN_ASSIGN_OR_RETURN(round.b, FirstNumber(points));
    round.expression =
        "select_lt(v, splat(0.0), ceil(v - splat(1.0) + splat(b)), floor(v + splat(1.0) - "
        "splat(b)))";
  } else {
    round.expression =
        "select_lt(v, splat(0.0), ceil(v - splat(1.0) + w), floor(v + splat(1.0) - w))";
    round.operand = node.inputs[1];
  }
  return Epilogue{{.expression = "v / splat(a)", .a = q.scale},
                  round,
                  {.expression = "v * splat(a)", .a = q.scale}};
}

// By a table between elements of 8 bits, or to 16.
ElementRule RescaledElements(const Graph& graph, const Node& node) {
  if (node.inputs.size() != 1 || node.outputs.size() != 1) return Computed{};
  const std::optional<QuantizedType>& from = graph.tensors[node.inputs[0]].quantized;
  const std::optional<QuantizedType>& to = graph.tensors[node.outputs[0]].quantized;
  const bool along_axis = graph.tensors[node.inputs[0]].HasScalesAlongAxis() ||
                          graph.tensors[node.outputs[0]].HasScalesAlongAxis();
  if (!IsByte(from) || !to || along_axis) return Computed{};
  const Rescaling rescaling({from->scale, from->zero_point}, {to->scale, to->zero_point}, to->type);
  return TabledOr(Computed{}, ElementResults(*from, *to, rescaling));
}

// Between elements of INT16, or to 8 bits.
bool RescalesInt16(const GraphTensor& in, const GraphTensor& out) {
  const bool along_axis = in.HasScalesAlongAxis() || out.HasScalesAlongAxis();
  return in.quantized && in.quantized->type == kTfLiteInt16 && out.quantized && !along_axis;
}

Epilogue Int16Ops(const QuantizedType& from, const QuantizedType& to) {
  constexpr int64_t kMost = 65535;  // of an element less its zero point
  const Rescaling rescaling(ScaleOf(from), ScaleOf(to), to.type);
  ElementStep step(from);
  const std::string text = step.Requantized(kElementOfV, rescaling.multiplier, kMost);
  return {step.Finish(text, rescaling.range, to)};
}

EpilogueOp LimitStep(const QuantizedType& q) {
  return {.expression = kLimitExpression, .a = q.lowest(), .b = q.highest()};
}

// Steps know one scale.
absl::Status NotAlongAxis(const Graph& graph, const Node& node) {
  if (!graph.tensors[node.outputs[0]].HasScalesAlongAxis()) return absl::OkStatus();
  return Annotate(Unsupported(Label(node), ": scales along an axis"), {Reason::kQuantization});
}

// Min and max first: what is left is exact where it is rounded.
absl::StatusOr<Epilogue> QuantizeSteps(const Graph& graph, const Node& node) {
  TERN_RETURN_IF_ERROR(CheckSingle(graph, node, kFloats | kHalves));
  const GraphTensor& in = graph.tensors[node.inputs[0]];
  const GraphTensor& out = graph.tensors[node.outputs[0]];
  if (!out.quantized) {
    return Annotate(Unsupported(Label(node), ": the output '", out.name, "' has type ",
                                TfLiteTypeGetName(out.type), " and no parameters"),
                    {Reason::kQuantization, node.outputs[0]});
  }
  TERN_RETURN_IF_ERROR(NotAlongAxis(graph, node));
  if (node.results >= 0) return ResultSteps(graph, node);
  const QuantizedType& q = *out.quantized;
  if (RescalesInt16(in, out)) return Int16Ops(*in.quantized, q);
  return Epilogue{LimitStep(q), {.expression = in.quantized ? kRound : kRoundGiven, .a = q.scale}};
}

absl::StatusOr<Epilogue> FakeQuantizeSteps(const Graph& graph, const Node& node) {
  TERN_RETURN_IF_ERROR(NotAlongAxis(graph, node));
  const QuantizedType& q = *graph.tensors[node.outputs[0]].quantized;
  Epilogue epilogue = {LimitStep(q)};
  if (node.inputs.size() < 2) {
    epilogue.push_back({.expression = kRound, .a = q.scale});
    return epilogue;
  }
  TERN_ASSIGN_OR_RETURN(const Epilogue round, PointSteps(graph, node, q));
  epilogue.insert(epilogue.end(), round.begin(), round.end());
  return epilogue;
}

absl::StatusOr<Epilogue> ReinterpretSteps(const Graph& graph, const Node& node) {
  TERN_RETURN_IF_ERROR(NotAlongAxis(graph, node));
  if (node.results >= 0) return ResultSteps(graph, node);
  return ElementSteps(*graph.tensors[node.inputs[0]].quantized,
                      *graph.tensors[node.outputs[0]].quantized);
}

// Elements with scales along an axis are plain numbers inside a plan. `from` and `to` are numbers
// and elements, or elements and numbers; `elements` says what those stand for.
absl::Status EmitAlongAxis(const Node& node, Lowering& lower, const GraphTensor& elements,
                           bool quantizes) {
  const AffineQuantization& q = *elements.affine();
  const int width = lower.slice_width();
  std::vector<float> scales, zeros;
  for (size_t i = 0; i < q.scales.size(); ++i) {
    scales.insert(scales.end(), static_cast<size_t>(width), q.scales[i]);
    zeros.insert(zeros.end(), static_cast<size_t>(width), static_cast<float>(q.zero_point(i)));
  }
  int64_t inner = 1;
  for (size_t d = static_cast<size_t>(q.axis) + 1; d < elements.dims.size(); ++d)
    inner *= elements.dims[d];
  const QuantizedType plain{elements.quantized->type, 1, 0};
  const Box box = elements.box();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::axis_elements);
  dispatch.Read("src", 0).Write("dst", 0).Define("QUANTIZES", quantizes);
  dispatch.ConstantValues("scales", std::move(scales)).ConstantValues("zeros", std::move(zeros));
  dispatch.Int("inner", inner).Int("count", static_cast<int64_t>(q.scales.size()));
  dispatch.Float("lowest", plain.lowest()).Float("highest", plain.highest());
  return dispatch.Grid(box.w, box.h, int64_t{box.b} * lower.Slices(box.c)).Emit();
}

// Between elements of INT32 and of 8 or 16 bits, to the last bit as on the CPU.
absl::Status LowerRescaling(const Node& node, Lowering& lower, const GraphTensor& in,
                            const GraphTensor& out) {
  TERN_RETURN_IF_ERROR(CheckSingle(lower.graph(), node, kFloats | kInts));
  if (in.quantized.has_value() == out.quantized.has_value()) {
    return lower.Unsupported(node,
                             StrCat("elements of type ", TfLiteTypeGetName(out.type), " of ",
                                    TfLiteTypeGetName(in.type)),
                             {Reason::kQuantization});
  }
  TERN_ASSIGN_OR_RETURN(const Scaling from, ScalingOf(in, node));
  TERN_ASSIGN_OR_RETURN(const Scaling to, ScalingOf(out, node));
  const Multiplier multiplier = MakeMultiplier(double{from.scale} / double{to.scale});
  // Of elements less their zero point.
  int64_t min = std::numeric_limits<int32_t>::min(), max = std::numeric_limits<int32_t>::max();
  if (out.quantized) {
    min = std::lround(out.quantized->lowest() / to.scale);
    max = std::lround(out.quantized->highest() / to.scale);
  } else {
    min = std::max(min, min - to.zero_point);
    max = std::min(max, max - to.zero_point);
  }
  const bool halves = multiplier.shift < 0;
  const Box box = out.box();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::rescale_elements);
  dispatch.Read("src", 0).Write("dst", 0);
  dispatch.Define("FROM_INTS", !in.quantized).Define("TO_INTS", !out.quantized);
  dispatch.Define("HALVES", halves);
  if (in.quantized) {
    dispatch.Float("src_scale", from.scale);
  } else {
    dispatch.Int("from_zero", from.zero_point);
  }
  dispatch.Int("left", int64_t{1} << std::max(multiplier.shift, 0));
  dispatch.Int("multiplier", multiplier.value);
  if (halves) dispatch.Int("part", int64_t{1} << (-multiplier.shift - 1));
  dispatch.Int("least", min).Int("most", max);
  if (out.quantized) {
    dispatch.Float("dst_scale", to.scale);
  } else {
    dispatch.Int("to_zero", to.zero_point);
  }
  return dispatch.Grid(box.w, box.h, int64_t{box.b} * lower.Slices(box.c)).Emit();
}

void DefineElements(const QuantizedType& q, DispatchBuilder& dispatch) {
  const int bits = 8 * NarrowBytes(q.type);
  dispatch.Define("BITS", bits).Define("SIGNED", q.type == kTfLiteUInt8 ? 0 : 1);
  dispatch.Float("scale", q.scale).Int("zero_point", q.zero_point);
}

absl::Status LowerPacking(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const QuantizedType& q = *out->quantized;
  const Box box = NarrowBox(*out);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::pack_elements);
  dispatch.Read("src", 0).Write("dst", 0, box);
  DefineElements(q, dispatch);
  dispatch.Float("lowest", q.lowest()).Float("highest", q.highest());
  dispatch.Int("last", out->box().elements() - 1);
  return dispatch.Grid(lower.Slices(box.c), 1, 1).Emit();
}

absl::Status RefuseAlongAxis(const Node& node, const Lowering& lower) {
  return lower.Unsupported(node, "from elements to elements with scales along an axis",
                           {Reason::kQuantization});
}

absl::Status LowerQuantize(const Node& node, Lowering& lower) {
  TERN_RETURN_IF_ERROR(CheckShapes(node, lower));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  if (IsNarrow(out->type))
    return lower.Unsupported(node, "the output has no parameters", {Reason::kQuantization});
  if (out->HasScalesAlongAxis()) {
    TERN_RETURN_IF_ERROR(CheckSingle(lower.graph(), node, kFloats | kHalves));
    if (in->quantized) return RefuseAlongAxis(node, lower);
    return EmitAlongAxis(node, lower, *out, /*quantizes=*/true);
  }
  if (in->type == kTfLiteInt32 || out->type == kTfLiteInt32)
    return LowerRescaling(node, lower, *in, *out);
  return LowerSteps(node, lower, QuantizeSteps(lower.graph(), node));
}

absl::Status LowerFakeQuantize(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (out->HasScalesAlongAxis()) return EmitAlongAxis(node, lower, *out, /*quantizes=*/true);
  return LowerSteps(node, lower, FakeQuantizeSteps(lower.graph(), node));
}

absl::Status LowerReinterpret(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (out->HasScalesAlongAxis()) return RefuseAlongAxis(node, lower);
  return LowerSteps(node, lower, ReinterpretSteps(lower.graph(), node));
}

absl::Status LowerUnpacking(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const Box box = out->box();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::unpack_elements);
  dispatch.Read("src", 0, NarrowBox(*in)).Write("dst", 0);
  DefineElements(*in->quantized, dispatch);
  return dispatch.Grid(box.w, box.h, int64_t{box.b} * lower.Slices(box.c)).Emit();
}

absl::Status LowerDequantize(const Node& node, Lowering& lower) {
  TERN_RETURN_IF_ERROR(CheckShapes(node, lower));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  if (in->is_constant()) {
    TERN_RETURN_IF_ERROR(lower.CheckNumbers(node, 0));
    return lower.Unsupported(node, "the constant could not be read ahead", {Reason::kTensorType});
  }
  if (IsNarrow(in->type))
    return lower.Unsupported(node, "the input has no parameters", {Reason::kQuantization});
  if (in->HasScalesAlongAxis()) return EmitAlongAxis(node, lower, *in, /*quantizes=*/false);
  return LowerSteps(node, lower, Epilogue{{.expression = "v"}});
}

// An operation that takes no steps after it: its output says what to round to.
GpuOp Rounding(LowerFunction lower, StepsFunction steps, unsigned types) {
  GpuOp op = ElementwiseOp(lower, steps, types);
  op.traits.takes_epilogue = false;
  op.traits.takes_axis_scales = true;
  return op;
}

GpuOp ToRealValues(LowerFunction lower) {
  return {.lower = lower,
          .traits = {.types = kFloats | kHalves,
                     .takes_axis_scales = true,
                     .takes_epilogue = true,
                     .keeps_elements = true}};
}

}  // namespace

GpuOp QuantizeGpu() {
  GpuOp op = Rounding(LowerQuantize, QuantizeSteps, kFloats | kHalves | kInts);
  op.traits.elements = RescaledElements;
  return op;
}
GpuOp FakeQuantizeGpu() {
  return Rounding(LowerFakeQuantize, FakeQuantizeSteps, kFloats | kHalves);
}
GpuOp ReinterpretGpu() { return Rounding(LowerReinterpret, ReinterpretSteps, kFloats | kHalves); }
GpuOp PackElementsGpu() {
  return {.lower = LowerPacking, .traits = {.types = kFloats | kHalves, .takes_axis_scales = true}};
}
GpuOp UnpackElementsGpu() { return ToRealValues(LowerUnpacking); }
GpuOp DequantizeGpu() { return ToRealValues(LowerDequantize); }

}  // namespace tern::gpu
