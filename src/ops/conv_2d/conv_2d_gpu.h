// SPDX-License-Identifier: Apache-2.0
// Convolution on the GPU.
#ifndef TERN_OPS_CONV_2D_CONV_2D_GPU_H_
#define TERN_OPS_CONV_2D_CONV_2D_GPU_H_

#include "ops/gpu_kit/conv_weights_gpu.h"

namespace tern::gpu {

// What is common to plain and depthwise convolution.
struct ConvWindow {
  int stride_w = 1, stride_h = 1, dilation_w = 1, dilation_h = 1;
  int pad_left = 0, pad_top = 0;
  TfLiteFusedActivation activation = kTfLiteActNone;
};

// Emits a convolution through conv_2d.kernel or, where it fits, conv_1x1.kernel. Operands: 0 input,
// 1 filter (channels_last: see PackWeights), 2 bias.
absl::Status EmitConv(const Node& node, Lowering& lower, const ConvShape& shape,
                      const ConvWindow& window, bool channels_last);

}  // namespace tern::gpu

#endif  // TERN_OPS_CONV_2D_CONV_2D_GPU_H_
