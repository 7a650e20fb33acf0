// SPDX-License-Identifier: Apache-2.0
// PRELU on the GPU: one step, with alpha as its operand.
#include <optional>
#include <string>

#include "base/status.h"
#include "ops/elementwise/elementwise_gpu.h"
#include "ops/gpu_kit/element_steps_gpu.h"
#include "ops/prelu/prelu_rules.h"

namespace tern::gpu {
namespace {

struct Elements {
  QuantizedType in, alpha, out;
};

std::optional<Elements> OperandsOf(const Graph& graph, const Node& node) {
  if (node.inputs.size() != 2 || node.inputs[0] < 0 || node.inputs[1] < 0) return std::nullopt;
  const std::optional<QuantizedType> in = ElementsOf(graph.tensors[node.inputs[0]]),
                                     alpha = ElementsOf(graph.tensors[node.inputs[1]]);
  const std::optional<QuantizedType>& out = graph.MadeBy(node);
  if (!in || !alpha || !out || in->type != out->type) return std::nullopt;
  return Elements{*in, *alpha, *out};
}

bool MakesElements(const Graph& graph, const Node& node) {
  return OperandsOf(graph, node).has_value();
}

EpilogueOp StepOf(const Elements& e, TensorId alpha) {
  const PreluScales scales(ScaleOf(e.in), ScaleOf(e.alpha), ScaleOf(e.out));
  const int64_t max = e.in.type == kTfLiteInt16 ? 32768 : 255, steepest = 255;
  ElementStep step(e.in, e.alpha, alpha);
  const std::string product = StrCat(kElementOfV, " * ", kElementOfW);
  const std::string negative = step.Requantized(product, scales.negative, max * steepest);
  const std::string positive = step.Requantized(kElementOfV, scales.positive, max);
  const std::string zero = step.Int(0);
  return step.Finish(
      StrCat("select_lt(", kElementOfV, ", ", zero, ", ", negative, ", ", positive, ")"),
      TypeRange(e.out.type), e.out);
}

absl::StatusOr<Epilogue> PreluSteps(const Graph& graph, const Node& node) {
  if (!node.inputs.empty() && node.inputs[0] >= 0 && !node.outputs.empty() &&
      graph.tensors[node.inputs[0]].dims != graph.tensors[node.outputs[0]].dims) {
    return Unsupported(Label(node), ": alpha does not broadcast to the input");
  }
  if (const std::optional<Elements> elements = OperandsOf(graph, node)) {
    TERN_RETURN_IF_ERROR(CheckPair(graph, node, /*same_shapes=*/false));
    return Epilogue{StepOf(*elements, node.inputs[1])};
  }
  return PairSteps(graph, node, {.reals = "select_lt(v, splat(0.0), v * w, v)"}, kTfLiteActNone);
}

absl::Status LowerPrelu(const Node& node, Lowering& lower) {
  return LowerSteps(node, lower, PreluSteps(lower.graph(), node));
}

}  // namespace

GpuOp PreluGpu() {
  GpuOp op = ElementwiseOp(LowerPrelu, PreluSteps, kFloats);
  op.traits.elements = ComputedWhere<MakesElements>;
  return op;
}

}  // namespace tern::gpu
