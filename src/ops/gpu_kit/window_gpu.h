// SPDX-License-Identifier: Apache-2.0
// Windows of convolutions and poolings whose output size is that of a tensor.
#ifndef TERN_OPS_GPU_KIT_WINDOW_GPU_H_
#define TERN_OPS_GPU_KIT_WINDOW_GPU_H_

#include <cstddef>

#include "absl/status/status.h"
#include "base/tensor/shape_math.h"
#include "gpu/lower/lowering.h"
#include "ops/rules_kit/window_rules.h"

namespace tern::gpu {

// Pads an axis whose `out` is set, together with the zeros that the node reads around axis number
// `index` of its input; refuses a window that is none.
absl::Status PadAxis(const Node& node, const Lowering& lower, TfLitePadding padding, size_t index,
                     WindowAxis& axis);
// Pads both axes of an image; `out` is the shape of the output, of rank 4.
absl::Status PadWindow(const Node& node, const Lowering& lower, TfLitePadding padding,
                       const Shape& out, Window& window);

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_WINDOW_GPU_H_
