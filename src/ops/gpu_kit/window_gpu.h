// SPDX-License-Identifier: Apache-2.0
// Where the windows of convolutions and poolings start.
#ifndef TERN_OPS_GPU_KIT_WINDOW_GPU_H_
#define TERN_OPS_GPU_KIT_WINDOW_GPU_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "gpu/lower/lowering.h"

namespace tern::gpu {

// One axis that a filter slides along: elements of input and output, taps of the filter.
struct WindowAxis {
  int in, out, filter, stride, dilation;
};

// Padding before the first element of an axis (spec: SAME puts the odd element at the end), or an
// error when the window is none.
absl::StatusOr<int> PadBefore(const Node& node, const Lowering& lower, TfLitePadding padding,
                              const WindowAxis& axis);
// The same with the zeros that the node reads around axis number `index` of its input.
absl::StatusOr<int> PadAround(const Node& node, const Lowering& lower, TfLitePadding padding,
                              size_t index, WindowAxis axis);

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_WINDOW_GPU_H_
