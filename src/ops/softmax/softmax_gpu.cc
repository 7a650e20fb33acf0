// SPDX-License-Identifier: Apache-2.0
// SOFTMAX and LOG_SOFTMAX over the last axis on the GPU.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/status.h"
#include "base/tensor/multiplier.h"
#include "base/tensor/quantized_range.h"
#include "ops/gpu_kit/element_results_gpu.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/int16_table_gpu.h"
#include "ops/gpu_kit/pixel_items_gpu.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/softmax/int16_softmax_rules.h"
#include "ops/softmax/softmax_scaling.h"

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

bool TakesInt16(const Graph& graph, const Node& node) {
  if (node.inputs.empty() || node.inputs[0] < 0) return false;
  const auto& quantized = graph.tensors[node.inputs[0]].quantized;
  return quantized && quantized->type == kTfLiteInt16;
}

// The integers of the CPU's form, each exact in a float or an int.
absl::Status LowerInt16(const Node& node, float beta, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, ShapeOf(*in)));
  if (out->dims.empty()) return lower.Unsupported(node, "a scalar has no axis");
  const std::optional<QuantizedType>& to = lower.graph().MadeBy(node);
  if (!to || to->type != kTfLiteInt16 || to->zero_point != 0) {
    return lower.Unsupported(node, "input and output are quantized differently",
                             {Reason::kQuantization});
  }
  constexpr double kEnd = 65536;  // of the table of exponentials, in places
  const double step = Int16SoftmaxStep(in->quantized->scale, beta);
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
  dispatch.ConstantValues("exponentials", TableSlices(Int16Exponentials(), width));
  dispatch.ConstantValues("reciprocals", TableSlices(Int16Reciprocals(), width));
  dispatch.Float("lowest", std::numeric_limits<float>::lowest());
  dispatch.Float("inverse", 1 / in->quantized->scale).Float("scale", to->scale);
  dispatch.Float("furthest", static_cast<float>(std::min(std::ceil(kEnd / step), kEnd)));
  dispatch.Float("shrink", std::ldexp(1.0f, -right));
  dispatch.Float("middle", right == 0 ? 0 : std::ldexp(0.5f, right));
  dispatch.Int("whole", static_cast<int64_t>(whole)).Int("part", static_cast<int32_t>(part));
  return EmitOverPixels(out->box(), lower, dispatch);
}

bool SoftmaxOfBytes(const Graph& graph, const Node& node) {
  if (node.inputs.empty() || node.inputs[0] < 0) return false;
  return IsByte(graph.tensors[node.inputs[0]].quantized) && graph.MadeBy(node);
}

// A slice for each distance to the largest element (byte_softmax.kernel).
std::vector<float> DistanceSlices(const DifferenceScaling& scaling, bool logarithm, int width) {
  const ExpTable table = ExpTable::Of(scaling);
  std::vector<float> slices(table.values.size() * static_cast<size_t>(width), 0.0f);
  for (size_t d = 0; d < table.values.size(); ++d) {
    float* slice = &slices[d * static_cast<size_t>(width)];
    const int32_t number = logarithm ? scaling.Scaled(-static_cast<int32_t>(d)) : table.values[d];
    slice[0] = static_cast<float>(number >> 16);
    slice[1] = static_cast<float>(number & 0xFFFF);
    slice[2] = static_cast<float>(RoundingShiftRight(table.values[d], kSumBits));
  }
  return slices;
}

absl::Status LowerBytes(const Node& node, float beta, bool logarithm, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, ShapeOf(*in)));
  if (out->dims.empty()) return lower.Unsupported(node, "a scalar has no axis");
  // Of so many the sum of exponentials has more than 31 bits.
  constexpr int kMaxChannels = (1 << kSumBits) - 1;
  if (out->dims.back() > kMaxChannels) {
    return lower.Unsupported(node, StrCat("rows of more than ", kMaxChannels, " elements"));
  }
  const QuantizedType &from = *in->quantized, &to = *lower.graph().MadeBy(node);
  const IntRange range = TypeRange(to.type);
  const DifferenceScaling scaling = DifferenceScaling::Of(from.scale, beta);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::byte_softmax);
  dispatch.Read("src", 0).Write("dst", 0).Define("LOGARITHM", logarithm ? 1 : 0);
  dispatch.ConstantValues("table", DistanceSlices(scaling, logarithm, lower.slice_width()));
  dispatch.Float("lowest", std::numeric_limits<float>::lowest());
  dispatch.Float("inverse", 1 / from.scale).Float("scale", to.scale);
  dispatch.Int("from", (logarithm ? range.max : range.min) - to.zero_point);
  dispatch.Int("low", range.min - to.zero_point).Int("high", range.max - to.zero_point);
  if (logarithm) {
    const Multiplier back = scaling.Back();
    dispatch.Int("back", back.value).Int("back_shift", back.shift);
    dispatch.Int("furthest", scaling.min - 1);
  } else {
    dispatch.Int("power", kSumBits + 31 - 8 * NarrowBytes(to.type));
  }
  return EmitOverPixels(out->box(), lower, dispatch);
}

bool SoftmaxOfElements(const Graph& graph, const Node& node) {
  return TakesInt16(graph, node) || SoftmaxOfBytes(graph, node);
}

absl::Status LowerSoftmax(const Node& node, Lowering& lower) {
  if (TakesInt16(lower.graph(), node)) {
    return LowerInt16(node, node.Get<TfLiteSoftmaxParams>().beta, lower);
  }
  const float beta = node.Get<TfLiteSoftmaxParams>().beta;
  if (SoftmaxOfBytes(lower.graph(), node)) return LowerBytes(node, beta, false, lower);
  return Lower(node, beta, false, lower);
}

absl::Status LowerLogSoftmax(const Node& node, Lowering& lower) {
  if (SoftmaxOfBytes(lower.graph(), node)) return LowerBytes(node, 1, true, lower);
  return Lower(node, 1, true, lower);
}

}  // namespace

GpuOp SoftmaxGpu() {
  return {.lower = LowerSoftmax,
          .traits = {.types = kFloats | kHalves,
                     .elements = ComputedWhere<SoftmaxOfElements>,
                     .takes_epilogue = true}};
}
GpuOp LogSoftmaxGpu() {
  return {.lower = LowerLogSoftmax,
          .traits = {.elements = ComputedWhere<SoftmaxOfBytes>, .takes_epilogue = true}};
}

}  // namespace tern::gpu
