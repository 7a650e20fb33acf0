// SPDX-License-Identifier: Apache-2.0
// Padding by the rules of the CPU forms.
#include "ops/gpu_kit/window_gpu.h"

#include <algorithm>

#include "base/status.h"

namespace tern::gpu {

absl::StatusOr<int> PadBefore(const Node& node, const Lowering& lower, TfLitePadding padding,
                              const WindowAxis& axis) {
  if (axis.stride <= 0 || axis.dilation <= 0 || axis.filter <= 0) {
    return lower.Unsupported(
        node, StrCat("stride, dilation and filter must be positive (", axis.stride, ", ",
                     axis.dilation, ", ", axis.filter, ")"));
  }
  if (padding != kTfLitePaddingSame) return 0;
  const int64_t reach = (int64_t{axis.filter} - 1) * axis.dilation + 1;
  const int64_t total = (int64_t{axis.out} - 1) * axis.stride + reach - axis.in;
  return static_cast<int>(std::max<int64_t>(total, 0) / 2);
}

absl::StatusOr<int> PadAround(const Node& node, const Lowering& lower, TfLitePadding padding,
                              size_t index, WindowAxis axis) {
  const Padding zeros = node.PaddingOf(index);
  axis.in += zeros.before + zeros.after;
  TERN_ASSIGN_OR_RETURN(const int before, PadBefore(node, lower, padding, axis));
  return zeros.before + before;
}

}  // namespace tern::gpu
