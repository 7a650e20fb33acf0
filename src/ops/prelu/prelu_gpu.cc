// SPDX-License-Identifier: Apache-2.0
// PRELU on the GPU: one step, with alpha as its operand.
#include "base/status.h"
#include "ops/elementwise/elementwise_gpu.h"

namespace tern::gpu {
namespace {

absl::StatusOr<ElementwiseChain> PreluSteps(const Graph& graph, const Node& node) {
  if (!node.inputs.empty() && node.inputs[0] >= 0 && !node.outputs.empty() &&
      graph.tensors[node.inputs[0]].dims != graph.tensors[node.outputs[0]].dims) {
    return Unsupported(Label(node), ": alpha does not broadcast to the input");
  }
  return PairSteps(graph, node, {.reals = "select_lt(v, splat(0.0), v * w, v)"}, kTfLiteActNone);
}

absl::Status LowerPrelu(const Node& node, Lowering& lower) {
  return LowerSteps(node, lower, PreluSteps(lower.graph(), node));
}

}  // namespace

GpuOp PreluGpu() { return ElementwiseOp(LowerPrelu, PreluSteps, kFloats); }

}  // namespace tern::gpu
