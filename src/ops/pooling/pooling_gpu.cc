// SPDX-License-Identifier: Apache-2.0
// AVERAGE_POOL_2D, MAX_POOL_2D and, of floats, L2_POOL_2D on the GPU.
#include "ops/gpu_kit/gpu_op.h"

#include <cmath>
#include <limits>
#include <optional>

#include "base/status.h"
#include "ops/pooling/pool_window_gpu.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::gpu {
namespace {

// To limits that elements stand for, rounded as on the CPU: the largest of some elements stays one.
ElementwiseStep ElementLimits(ElementwiseStep clamp, float scale) {
  for (float* limit : {&clamp.a, &clamp.b}) {
    if (std::isfinite(*limit)) *limit = std::round(*limit / scale) * scale;
  }
  return clamp;
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
  dispatch.Read("src", 0).Write("dst", 0).Define("AVERAGE", average).Define("SQUARES", squares);
  TERN_RETURN_IF_ERROR(BindPoolWindow(node, lower, params, dispatch));
  if (!average) dispatch.Float("lowest", -std::numeric_limits<float>::infinity());
  const std::optional<ElementwiseStep> clamp = ActivationStep(params.activation);
  const std::optional<Quantized>& elements =
      input->quantized ? input->quantized : output->quantized;
  if (clamp && !average && elements) {
    dispatch.Step(ElementLimits(*clamp, elements->scale));
  } else {
    dispatch.Activation(params.activation);
  }
  return dispatch.Grid(out.w, out.h, int64_t{lower.Slices(out.c)} * out.b).Emit();
}

}  // namespace

GpuOp AveragePool2dGpu() {
  return {.lower = LowerPool, .traits = {.rounds_elements = true, .takes_chain = true}};
}
GpuOp L2Pool2dGpu() { return {.lower = LowerPool, .traits = {.takes_chain = true}}; }
GpuOp MaxPool2dGpu() {
  return {.lower = LowerPool, .traits = {.keeps_quantization = true, .takes_chain = true}};
}

}  // namespace tern::gpu
