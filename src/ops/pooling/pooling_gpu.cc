// SPDX-License-Identifier: Apache-2.0
// AVERAGE_POOL_2D, MAX_POOL_2D and, of floats, L2_POOL_2D on the GPU.
#include "ops/gpu_kit/gpu_op.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "base/status.h"
#include "base/tensor/quantized_range.h"
#include "ops/gpu_kit/sharing_gpu.h"
#include "ops/pooling/pool_window_gpu.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

// To limits that elements stand for, rounded as on the CPU: the largest of some elements stays one.
EpilogueOp ElementLimits(EpilogueOp clamp, float scale) {
  for (float* limit : {&clamp.a, &clamp.b}) {
    if (std::isfinite(*limit)) *limit = std::round(*limit / scale) * scale;
  }
  return clamp;
}

// A window as large as the image leaves few sums, each of them long. A short sum is not worth the
// barrier.
int ItemsOfAverage(const Lowering& lower, const TfLitePoolParams& params, const Box& in,
                   const Box& out) {
  const int64_t pixels = int64_t{out.b} * out.h * out.w;
  const int64_t taps =
      int64_t{std::min(params.filter_height, in.h)} * std::min(params.filter_width, in.w);
  constexpr int64_t kMinShared = 32;
  return taps < kMinShared ? 1 : SharingItems(lower, pixels * lower.Slices(out.c), taps);
}

absl::Status EmitPixels(const Box& out, const Lowering& lower, int items,
                        DispatchBuilder& dispatch) {
  dispatch.Define("ITEMS", items);
  const int64_t slices = lower.Slices(out.c);
  if (items == 1) return dispatch.Grid(out.w, out.h, slices * out.b).Emit();
  dispatch.LocalSums("parts", items).Group(items, 1, 1);
  return dispatch.Grid(int64_t{out.b} * out.h * out.w * items, slices, 1).Emit();
}

// The CPU takes averages of elements, whatever numbers those of input and output stand for.
bool AveragesElements(const Graph& graph, const Node& node) {
  if (node.builtin_code != kTfLiteBuiltinAveragePool2d || node.inputs.empty() ||
      node.inputs[0] < 0) {
    return false;
  }
  const std::optional<QuantizedType>&from = graph.tensors[node.inputs[0]].quantized,
        &to = graph.MadeBy(node);
  return from && to && from->type == to->type;
}

absl::Status BindElements(const Node& node, const Lowering& lower, const Box& in,
                          DispatchBuilder& dispatch) {
  const auto& params = node.Get<TfLitePoolParams>();
  const QuantizedType &from = *lower.graph().tensors[node.inputs[0]].quantized,
                      &to = *lower.graph().MadeBy(node);
  const int64_t taps =
      int64_t{std::min(params.filter_height, in.h)} * std::min(params.filter_width, in.w);
  const IntRange type = TypeRange(from.type);
  if (taps > INT32_MAX / (2 * (int64_t{type.max} - type.min))) {
    return lower.Unsupported(node, StrCat("a sum of ", taps, " elements has more than 32 bits"),
                             {Reason::kShape});
  }
  const IntRange range = ActivationRange(params.activation, to.type, {to.scale, to.zero_point});
  dispatch.Float("inverse", 1 / from.scale).Int("zero", from.zero_point);
  dispatch.Int("least", range.min).Int("most", std::max(range.min, range.max));
  dispatch.Int("made_zero", to.zero_point).Float("dst_scale", to.scale);
  return absl::OkStatus();
}

absl::Status LowerPool(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  if (input->dims.size() != 4 || output->dims.size() != 4) {
    return lower.Unsupported(node, StrCat("input and output must have rank 4 (", input->dims.size(),
                                          ", ", output->dims.size(), ")"));
  }
  const auto& params = node.Get<TfLitePoolParams>();
  const Box out = output->box();
  const bool squares = node.builtin_code == kTfLiteBuiltinL2Pool2d;
  if (squares && (input->quantized || output->quantized)) {
    return lower.Unsupported(node, "quantized elements", {Reason::kTensorType});
  }
  const bool average = squares || node.builtin_code == kTfLiteBuiltinAveragePool2d;
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::pooling);
  const bool elements = AveragesElements(lower.graph(), node);
  const int items = average ? ItemsOfAverage(lower, params, input->box(), out) : 1;
  dispatch.Read("src", 0)
      .Write("dst", 0)
      .Define("AVERAGE", average)
      .Define("SQUARES", squares)
      .Define("ELEMENTS", elements);
  TERN_RETURN_IF_ERROR(BindPoolWindow(node, lower, params, dispatch));
  if (elements) {
    TERN_RETURN_IF_ERROR(BindElements(node, lower, input->box(), dispatch));
    if (items > 1) dispatch.IntSums();
    return EmitPixels(out, lower, items, dispatch);
  }
  if (!average) dispatch.Float("lowest", -std::numeric_limits<float>::infinity());
  const std::optional<EpilogueOp> clamp = ActivationStep(params.activation);
  const std::optional<QuantizedType>& q = input->quantized ? input->quantized : output->quantized;
  if (clamp && !average && q) {
    dispatch.Step(ElementLimits(*clamp, q->scale));
  } else {
    dispatch.Activation(params.activation);
  }
  return EmitPixels(out, lower, items, dispatch);
}

}  // namespace

GpuOp AveragePool2dGpu() {
  return {.lower = LowerPool,
          .traits = {.elements = ComputedWhere<AveragesElements>, .takes_epilogue = true}};
}
GpuOp L2Pool2dGpu() { return {.lower = LowerPool, .traits = {.takes_epilogue = true}}; }
GpuOp MaxPool2dGpu() {
  return {.lower = LowerPool, .traits = {.elements = Always<Moved{}>, .takes_epilogue = true}};
}

}  // namespace tern::gpu
