// SPDX-License-Identifier: Apache-2.0
// QUANTIZE and DEQUANTIZE on the GPU. Quantized tensors are floats inside a plan, so QUANTIZE keeps
// the numbers that an element of its output can stand for: a step. At the edges of the graph
// elements are packed into ints and taken out of them.
#include <cmath>

#include "base/status.h"
#include "ops/elementwise/elementwise_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

// Halves go away from zero, as the CPU rounds. Floats miss a half by less than 2^-13: those that
// are so near are taken for halves. `a` is the scale, `b` what zero is away from.
constexpr char kRound[] =
    "select_lt(v / splat(a) + splat(b), splat(0.0), ceil(v / splat(a) - splat(0.50012207)), "
    "floor(v / splat(a) + splat(0.50012207))) * splat(a)";

// 0, or the zero point where it is elements that are rounded.
float RoundedFrom(const Node& node, const Quantized& q) {
  return node.Get<QuantizeParams>().rounds_elements ? static_cast<float>(q.zero_point) : 0;
}

bool IsNarrow(TfLiteType type) {
  return type == kTfLiteInt8 || type == kTfLiteUInt8 || type == kTfLiteInt16;
}

absl::Status CheckShapes(const Node& node, const Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  return CheckOutputShape(node, lower, *out, ShapeOf(*in));
}

// Min and max first: what is left is exact where it is rounded.
absl::StatusOr<ElementwiseChain> QuantizeSteps(const Graph& graph, const Node& node) {
  TERN_RETURN_IF_ERROR(CheckSingle(graph, node, kFloats | kHalves));
  const GraphTensor& out = graph.tensors[node.outputs[0]];
  if (!out.quantized) {
    return Because(Unsupported(Label(node), ": the output '", out.name, "' has type ",
                               TfLiteTypeGetName(out.type), " and no parameters"),
                   {Reason::kQuantization, node.outputs[0]});
  }
  const Quantized& q = *out.quantized;
  return ElementwiseChain{{.expression = kClampExpression, .a = q.lowest(), .b = q.highest()},
                          {.expression = kRound, .a = q.scale, .b = RoundedFrom(node, q)}};
}

void DefineElements(const Quantized& q, DispatchBuilder& dispatch) {
  const int bits = 8 * NarrowBytes(q.type);
  dispatch.Define("BITS", bits).Define("SIGNED", q.type == kTfLiteUInt8 ? 0 : 1);
  dispatch.Float("scale", q.scale).Int("zero_point", q.zero_point);
}

absl::Status LowerPacking(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (!out->quantized)
    return lower.Unsupported(node, "the output has no parameters", {Reason::kQuantization});
  const Quantized& q = *out->quantized;
  const Box box = NarrowBox(*out);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::pack_elements);
  dispatch.Read("src", 0).Write("dst", 0, box);
  DefineElements(q, dispatch);
  dispatch.Float("lowest", q.lowest()).Float("highest", q.highest());
  dispatch.Float("rounded_from", RoundedFrom(node, q));
  dispatch.Int("last", out->box().elements() - 1);
  return dispatch.Grid(lower.Slices(box.c), 1, 1).Emit();
}

absl::Status LowerQuantize(const Node& node, Lowering& lower) {
  TERN_RETURN_IF_ERROR(CheckShapes(node, lower));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (IsNarrow(out->type)) return LowerPacking(node, lower);
  return LowerSteps(node, lower, QuantizeSteps(lower.graph(), node));
}

absl::Status LowerUnpacking(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (!in->quantized)
    return lower.Unsupported(node, "the input has no parameters", {Reason::kQuantization});
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
  if (IsNarrow(in->type)) return LowerUnpacking(node, lower);
  return LowerSteps(node, lower, ElementwiseChain{{.expression = "v"}});
}

}  // namespace

// It takes no steps after it: its output says what to round to.
GpuOp QuantizeGpu() {
  GpuOp op = ElementwiseOp(LowerQuantize, QuantizeSteps, kFloats | kHalves);
  op.traits.takes_chain = false;
  return op;
}

GpuOp DequantizeGpu() {
  return {.lower = LowerDequantize,
          .traits = {.types = kFloats | kHalves, .takes_chain = true, .keeps_elements = true}};
}

}  // namespace tern::gpu
