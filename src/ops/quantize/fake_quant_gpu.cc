// SPDX-License-Identifier: Apache-2.0
// FAKE_QUANT on the GPU: elementwise steps.
#include "base/status.h"
#include "ops/elementwise/elementwise_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/quantize/fake_quant_rules.h"

namespace tern::gpu {
namespace {

absl::StatusOr<Epilogue> FakeQuantSteps(const Graph& graph, const Node& node) {
  TERN_RETURN_IF_ERROR(CheckSingle(graph, node, kFloats));
  const auto refuse = [&](std::string_view what) {
    return Annotate(Unsupported(Label(node), ": ", what), {Reason::kOptions});
  };
  if (node.params == nullptr) return refuse("options are missing");
  const StatusOr<FakeNumbers> numbers = FakeNumbersOf(node.Get<TfLiteFakeQuantParams>());
  if (!numbers.ok()) return refuse(Message(numbers.status()));
  const auto [scale, min, max] = *numbers;
  // No number to round is negative, so that halves go up, as away from zero.
  return Epilogue{
      {.expression = kLimitExpression, .a = min, .b = max},
      {.expression = "floor((v - splat(a)) * splat(b) + splat(0.5))", .a = min, .b = 1.0f / scale},
      {.expression = "v * splat(a) + splat(b)", .a = scale, .b = min}};
}

absl::Status LowerFakeQuant(const Node& node, Lowering& lower) {
  return LowerSteps(node, lower, FakeQuantSteps(lower.graph(), node));
}

}  // namespace

GpuOp FakeQuantGpu() { return ElementwiseOp(LowerFakeQuant, FakeQuantSteps, kFloats); }

}  // namespace tern::gpu
