// SPDX-License-Identifier: Apache-2.0
// LOCAL_RESPONSE_NORMALIZATION on the GPU.
#include <algorithm>

#include "base/status.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"

namespace tern::gpu {
namespace {

absl::Status LowerLocalResponseNormalization(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* out, lower.Output(node, 0));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *out, ShapeOf(*in)));
  if (in->dims.size() != 4) {
    return lower.Unsupported(node, StrCat("rank ", in->dims.size(), ", only 4 is supported"));
  }
  const auto& params = node.Get<TfLiteLocalResponseNormParams>();
  if (params.radius < 0) return lower.Unsupported(node, StrCat("radius ", params.radius));
  // Powers of what is not positive are not the same on all devices.
  if (!(params.bias > 0) || !(params.alpha >= 0)) {
    return lower.Unsupported(node, StrCat("bias must be positive, alpha not negative (",
                                          params.bias, ", ", params.alpha, ")"));
  }
  const Box box = out->box();
  const int radius = std::min(params.radius, box.c);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::local_response_normalization);
  dispatch.Read("src", 0).Write("dst", 0).Int("radius", radius);
  dispatch.Float("bias", params.bias).Float("alpha", params.alpha).Float("beta", params.beta);
  return dispatch.Grid(box.w, box.h, int64_t{lower.Slices(box.c)} * box.b).Emit();
}

}  // namespace

GpuOp LocalResponseNormalizationGpu() {
  return {.lower = LowerLocalResponseNormalization, .traits = {.takes_epilogue = true}};
}

}  // namespace tern::gpu
