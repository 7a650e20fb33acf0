// SPDX-License-Identifier: Apache-2.0
// CAST between FLOAT32, INT32 and BOOL on the GPU, as a fused step; between INT32 and INT64 as a
// dispatch of its own.
#include "base/status.h"
#include "ops/elementwise/elementwise_gpu.h"

namespace tern::gpu {
namespace {

// Behind the range of ints the CPU stops at their limits, and NaN becomes the largest. 2147483520
// is the largest float below that limit.
constexpr char kToInt[] =
    "select_lt(v, splat(2147483520.0), to_islice(min(max(v, splat(-2147483648.0)), "
    "splat(2147483520.0))), select_le(v, splat(2147483520.0), isplat(2147483520), "
    "isplat(2147483647)))";

const char* Conversion(unsigned from, unsigned to) {
  if (to == kFloats) return from == kInts ? "from_islice(v)" : "v";
  if (to == kInts) return from == kFloats ? kToInt : from == kBools ? "to_islice(v)" : "v";
  if (from == kInts) return "select_eq(v, isplat(0), splat(0.0), splat(1.0))";
  return from == kFloats ? "select_eq(v, splat(0.0), splat(0.0), splat(1.0))" : "v";
}

absl::StatusOr<ElementwiseChain> Steps(const Graph& graph, const Node& node) {
  constexpr unsigned kTypes = kFloats | kInts | kBools;
  TERN_RETURN_IF_ERROR(CheckSingle(graph, node, kTypes));
  const GraphTensor &in = graph.tensors[node.inputs[0]], &out = graph.tensors[node.outputs[0]];
  ElementwiseStep step;
  step.expression = Conversion(TypeSetOf(in.type), TypeSetOf(out.type));
  step.from = in.number();
  step.to = out.number();
  return ElementwiseChain{step};
}

// INT64 from INT32 and BOOL: the low words; signs are extended by the lowering. And to INT32, which
// keeps the low words alone.
absl::StatusOr<ElementwiseChain> LongSteps(const Node& node, TfLiteType from, TfLiteType to) {
  ElementwiseStep step;
  step.expression = from == kTfLiteBool ? "to_islice(v)" : "v";
  step.from = from == kTfLiteBool ? Number::kReal : Number::kInt;
  step.to = Number::kInt;
  const bool widens = to == kTfLiteInt64 && (from == kTfLiteInt32 || from == kTfLiteBool);
  if (widens || (from == kTfLiteInt64 && to == kTfLiteInt32)) return ElementwiseChain{step};
  return absl::UnimplementedError(
      StrCat(Label(node), ": from ", TfLiteTypeGetName(from), " to ", TfLiteTypeGetName(to)));
}

absl::Status Lower(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (in->type == kTfLiteInt64 || out->type == kTfLiteInt64) {
    return LowerSteps(node, lower, LongSteps(node, in->type, out->type));
  }
  return LowerSteps(node, lower, Steps(lower.graph(), node));
}

}  // namespace

// It takes no steps behind it: its output's type says what to make. Behind a producer it is a step
// like any other.
GpuOp CastGpu() {
  GpuOp op = ElementwiseOp(Lower, Steps, kFloats | kInts | kBools | kIndices);
  op.traits.takes_chain = false;
  return op;
}

}  // namespace tern::gpu
