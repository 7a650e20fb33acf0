// SPDX-License-Identifier: Apache-2.0
// L2_NORMALIZATION along the last axis on the GPU.
#include <cstdint>
#include <optional>

#include "base/status.h"
#include "base/tensor/quantized_range.h"
#include "ops/gpu_kit/element_results_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/pixel_items_gpu.h"

namespace tern::gpu {
namespace {

bool TakesBytes(const Graph& graph, const Node& node) {
  if (node.inputs.empty() || node.inputs[0] < 0) return false;
  const std::optional<QuantizedType>&from = graph.tensors[node.inputs[0]].quantized,
        &to = graph.MadeBy(node);
  return IsByte(from) && to && from->type == to->type;
}

// Squares of rows that are so long have more than 32 bits.
constexpr int kLongestRow = INT32_MAX / (255 * 255);

absl::Status LowerBytes(const Node& node, Lowering& lower, const Box& out) {
  const QuantizedType &from = *lower.graph().tensors[node.inputs[0]].quantized,
                      &to = *lower.graph().MadeBy(node);
  if (out.c > kLongestRow) {
    return lower.Unsupported(node, StrCat("rows of more than ", kLongestRow, " elements"));
  }
  // The result's unit is 1/128: 7 bits, which INT8 adds to the multiplier and UINT8 to the number.
  const bool is_signed = from.type == kTfLiteInt8;
  const IntRange range = TypeRange(to.type);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::byte_l2_normalization);
  dispatch.Read("src", 0).Write("dst", 0).Float("inverse", 1 / from.scale);
  dispatch.Int("more", is_signed ? 7 : 0).Int("up", is_signed ? 0 : 7);
  dispatch.Int("low", range.min - to.zero_point).Int("high", range.max - to.zero_point);
  dispatch.Float("scale", to.scale);
  return EmitOverPixels(out, lower, dispatch);
}

absl::Status LowerL2Normalization(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (out->dims.empty()) return lower.Unsupported(node, "a scalar has no axis");
  const auto activation = node.Get<TfLiteL2NormParams>().activation;
  if (activation != kTfLiteActNone) {
    return lower.Unsupported(
        node, StrCat("fused activation ", static_cast<int>(activation), " is not supported"),
        {Reason::kOptions});
  }
  if (TakesBytes(lower.graph(), node)) return LowerBytes(node, lower, out->box());
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::l2_normalization);
  dispatch.Read("src", 0).Write("dst", 0).Float("shortest", 1e-6f);
  return EmitOverPixels(out->box(), lower, dispatch);
}

}  // namespace

GpuOp L2NormalizationGpu() {
  return {.lower = LowerL2Normalization,
          .traits = {.elements = ComputedWhere<TakesBytes>, .takes_epilogue = true}};
}

}  // namespace tern::gpu
