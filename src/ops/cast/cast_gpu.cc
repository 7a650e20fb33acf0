// SPDX-License-Identifier: Apache-2.0
// CAST between FLOAT32, INT32 and BOOL on the GPU, as a fused step.
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

absl::Status Lower(const Node& node, Lowering& lower) {
  return LowerSteps(node, lower, Steps(lower.graph(), node));
}

}  // namespace

// It takes no steps behind it: its output's type says what to make. Behind a producer it is a step
// like any other.
GpuOp CastGpu() {
  GpuOp op = ElementwiseOp(Lower, Steps, kFloats | kInts | kBools);
  op.traits.takes_chain = false;
  return op;
}

}  // namespace tern::gpu
