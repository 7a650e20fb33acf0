// SPDX-License-Identifier: Apache-2.0
// L2_NORMALIZATION along the last axis on the GPU.
#include "base/status.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/pixel_items_gpu.h"

namespace tern::gpu {
namespace {

absl::Status LowerL2Normalization(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  if (out->dims.empty()) return lower.Unsupported(node, "a scalar has no axis");
  const auto activation = node.Get<TfLiteL2NormParams>().activation;
  if (activation != kTfLiteActNone) {
    return lower.Unsupported(
        node, StrCat("fused activation ", static_cast<int>(activation), " is not supported"),
        {Reason::kOptions});
  }
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::l2_normalization);
  dispatch.Read("src", 0).Write("dst", 0).Float("shortest", 1e-6f);
  return EmitOverPixels(out->box(), lower, dispatch);
}

}  // namespace

GpuOp L2NormalizationGpu() {
  return {.lower = LowerL2Normalization, .traits = {.takes_chain = true}};
}

}  // namespace tern::gpu
