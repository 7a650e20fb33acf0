// SPDX-License-Identifier: Apache-2.0
// SOFTMAX and LOG_SOFTMAX over the last axis on the GPU.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/multiplier.h"
#include "base/status.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/pixel_items_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/gpu_kit/short_table_gpu.h"
#include "ops/softmax/short_softmax_rules.h"

namespace tern::gpu {
namespace {

absl::Status Lower(const Node& node, float beta, bool logarithm, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (out->dims.empty()) return lower.Unsupported(node, "a scalar has no axis");
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::softmax);
  dispatch.Read("src", 0).Write("dst", 0).Define("LOGARITHM", logarithm ? 1 : 0);
  dispatch.Float("beta", beta).Float("lowest", std::numeric_limits<float>::lowest());
  return EmitOverPixels(out->box(), lower, dispatch);
}

bool TakesShorts(const Graph& graph, const Node& node) {
  if (node.inputs.empty() || node.inputs[0] < 0) return false;
  const auto& quantized = graph.tensors[node.inputs[0]].quantized;
  return quantized && quantized->type == kTfLiteInt16;
}

// The integers of the CPU's form, each exact in a float or an int.
absl::Status LowerShorts(const Node& node, float beta, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, ShapeOf(*in)));
  if (out->dims.empty()) return lower.Unsupported(node, "a scalar has no axis");
  if (!out->quantized || out->quantized->type != kTfLiteInt16 || out->quantized->zero_point != 0) {
    return lower.Unsupported(node, "input and output are quantized differently",
                             {Reason::kQuantization});
  }
  constexpr double kEnd = 65536;  // of the table of exponentials, in places
  const double step = ShortSoftmaxStep(in->quantized->scale, beta);
  if (!(step >= 0x1p-15 && step < 0x1p15)) {
    return lower.Unsupported(node, StrCat("beta times scale makes steps of ", step, " places"),
                             {Reason::kQuantization});
  }
  // The CPU keeps 31 bits of it, and rounds once more where it shifts to the right.
  const Multiplier multiplier = MakeMultiplier(step);
  const int right = std::max(-multiplier.shift, 0);
  const double kept = std::ldexp(multiplier.value, multiplier.shift + right - 31);
  const double whole = std::floor(kept);
  const auto part = static_cast<uint32_t>(std::floor((kept - whole) * 0x1p32));
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::short_softmax);
  dispatch.Read("src", 0).Write("dst", 0);
  const int width = lower.slice_width();
  dispatch.ConstantValues("exponentials", TableSlices(ShortExponentials(), width));
  dispatch.ConstantValues("reciprocals", TableSlices(ShortReciprocals(), width));
  dispatch.Float("lowest", std::numeric_limits<float>::lowest());
  dispatch.Float("inverse", 1 / in->quantized->scale).Float("scale", out->quantized->scale);
  dispatch.Float("furthest", static_cast<float>(std::min(std::ceil(kEnd / step), kEnd)));
  dispatch.Float("shrink", std::ldexp(1.0f, -right));
  dispatch.Float("middle", right == 0 ? 0 : std::ldexp(0.5f, right));
  dispatch.Int("whole", static_cast<int64_t>(whole)).Int("part", static_cast<int32_t>(part));
  return EmitOverPixels(out->box(), lower, dispatch);
}

// The CPU makes the same elements of UINT8 whatever numbers the output says that they are.
absl::Status CheckByteOutput(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  const bool bytes = in->quantized && in->quantized->type == kTfLiteUInt8;
  if (!bytes || !node.chain.empty() || !out->quantized) return absl::OkStatus();
  const Quantized& q = *out->quantized;
  const float scale = q.type == kTfLiteUInt8 ? 0x1p-8f : 0x1p-16f;
  const int32_t zero_point = q.type == kTfLiteUInt8 ? 0 : -32768;
  if (q.zero_point == zero_point && std::fabs(q.scale / scale - 1) <= 1e-3f) {
    return absl::OkStatus();
  }
  return lower.Unsupported(node,
                           StrCat("the output's quantization must be (", scale, ", ", zero_point,
                                  "), it is (", q.scale, ", ", q.zero_point, ")"),
                           {Reason::kQuantization});
}

absl::Status LowerSoftmax(const Node& node, Lowering& lower) {
  if (TakesShorts(lower.graph(), node)) {
    return LowerShorts(node, node.Get<TfLiteSoftmaxParams>().beta, lower);
  }
  TERN_RETURN_IF_ERROR(CheckByteOutput(node, lower));
  return Lower(node, node.Get<TfLiteSoftmaxParams>().beta, false, lower);
}

absl::Status LowerLogSoftmax(const Node& node, Lowering& lower) {
  return Lower(node, 1, true, lower);
}

}  // namespace

GpuOp SoftmaxGpu() {
  return {
      .lower = LowerSoftmax,
      .traits = {.types = kFloats | kHalves, .makes_elements = TakesShorts, .takes_chain = true}};
}
GpuOp LogSoftmaxGpu() { return {.lower = LowerLogSoftmax, .traits = {.takes_chain = true}}; }

}  // namespace tern::gpu
