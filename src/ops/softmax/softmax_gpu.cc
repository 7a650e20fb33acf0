// SPDX-License-Identifier: Apache-2.0
// SOFTMAX and LOG_SOFTMAX over the last axis on the GPU.
#include <limits>

#include "base/status.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/pixel_items_gpu.h"

namespace tern::gpu {
namespace {

absl::Status Lower(const Node& node, float beta, bool logarithm, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  if (in->quantized && in->quantized->type == kTfLiteInt16) {
    return lower.Unsupported(node,
                             "INT16 results lie on lines between 513 points, not on the curve",
                             {Reason::kQuantization});
  }
  if (out->dims.empty()) return lower.Unsupported(node, "a scalar has no axis");
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::softmax);
  dispatch.Read("src", 0).Write("dst", 0).Define("LOGARITHM", logarithm ? 1 : 0);
  dispatch.Float("beta", beta).Float("lowest", std::numeric_limits<float>::lowest());
  return EmitOverPixels(out->box(), lower, dispatch);
}

absl::Status LowerSoftmax(const Node& node, Lowering& lower) {
  return Lower(node, node.Get<TfLiteSoftmaxParams>().beta, false, lower);
}

absl::Status LowerLogSoftmax(const Node& node, Lowering& lower) {
  return Lower(node, 1, true, lower);
}

}  // namespace

GpuOp SoftmaxGpu() {
  return {.lower = LowerSoftmax, .traits = {.types = kFloats | kHalves, .takes_chain = true}};
}
GpuOp LogSoftmaxGpu() { return {.lower = LowerLogSoftmax, .traits = {.takes_chain = true}}; }

}  // namespace tern::gpu
