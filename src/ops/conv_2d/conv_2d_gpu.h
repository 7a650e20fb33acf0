// SPDX-License-Identifier: Apache-2.0
// Convolution on the GPU.
#ifndef TERN_OPS_CONV_2D_CONV_2D_GPU_H_
#define TERN_OPS_CONV_2D_CONV_2D_GPU_H_

#include "ops/gpu_kit/conv_weights_gpu.h"
#include "ops/rules_kit/window_rules.h"

namespace tern::gpu {

// How a filter slides, under the names that the kernels of plain and depthwise convolution use.
void BindConvWindow(const Window& window, DispatchBuilder& dispatch);

// Emits a convolution through the kernel that gpu_kit/conv_algorithm_gpu.h chooses. Operands: 0
// input, 1 filter (channels_last: see PackWeights), 2 bias.
absl::Status EmitConv(const Node& node, Lowering& lower, const KernelConv& shape,
                      const Window& window, TfLiteFusedActivation activation, bool channels_last);

}  // namespace tern::gpu

#endif  // TERN_OPS_CONV_2D_CONV_2D_GPU_H_
