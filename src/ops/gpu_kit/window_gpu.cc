// SPDX-License-Identifier: Apache-2.0
// Padding by the rules of the CPU and the GPU, and refusals.
#include "ops/gpu_kit/window_gpu.h"

#include "base/status.h"

namespace tern::gpu {

absl::Status PadAxis(const Node& node, const Lowering& lower, TfLitePadding padding, size_t index,
                     WindowAxis& axis) {
  if (axis.stride <= 0 || axis.dilation <= 0 || axis.filter <= 0) {
    return lower.Unsupported(node,
                             StrCat("stride, dilation and filter must be positive (", axis.stride,
                                    ", ", axis.dilation, ", ", axis.filter, ")"),
                             {Reason::kOptions});
  }
  const Padding zeros = node.PaddingOf(index);
  WindowAxis around = axis;
  around.in += zeros.before + zeros.after;
  SetPadding(padding, around);
  axis.pad_before = zeros.before + around.pad_before;
  axis.pad_after = zeros.after + around.pad_after;
  return absl::OkStatus();
}

absl::Status PadWindow(const Node& node, const Lowering& lower, TfLitePadding padding,
                       const Shape& out, Window& window) {
  window.height.out = out[1];
  window.width.out = out[2];
  TERN_RETURN_IF_ERROR(PadAxis(node, lower, padding, 1, window.height));
  return PadAxis(node, lower, padding, 2, window.width);
}

}  // namespace tern::gpu
