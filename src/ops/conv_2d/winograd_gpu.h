// SPDX-License-Identifier: Apache-2.0
// CONV_2D by Winograd's F(4x4, 3x3): a quarter of the multiplications, and errors about twice those
// of plain sums (docs/precision.md).
#ifndef TERN_OPS_CONV_2D_WINOGRAD_GPU_H_
#define TERN_OPS_CONV_2D_WINOGRAD_GPU_H_

#include "ops/gpu_kit/conv_weights_gpu.h"
#include "ops/rules_kit/window_rules.h"

namespace tern::gpu {

// Emits a convolution for which ChooseConv (gpu_kit/conv_algorithm_gpu.h) takes the algorithm:
// three dispatches make the input's numbers, multiply 36 matrices, and make the output.
absl::Status EmitWinograd(const Node& node, Lowering& lower, const KernelConv& shape,
                          const Window& window, TfLiteFusedActivation activation);

}  // namespace tern::gpu

#endif  // TERN_OPS_CONV_2D_WINOGRAD_GPU_H_
