// SPDX-License-Identifier: Apache-2.0
// Float convolution, depthwise convolution and transposed convolution by XNNPACK. Tensors are NHWC.
#ifndef TERN_CPU_XNN_CONV_H_
#define TERN_CPU_XNN_CONV_H_

#include <cstdint>

#include "cpu/xnn_op.h"

namespace tern {

struct XnnConvParams {
  uint32_t kernel_height = 1, kernel_width = 1;
  uint32_t stride_height = 1, stride_width = 1;
  uint32_t dilation_height = 1, dilation_width = 1;
  uint32_t groups = 1;
  size_t group_input_channels = 1, group_output_channels = 1;
  uint32_t pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;
  // Weights are then [kernel_height, kernel_width, groups * group_output_channels].
  bool depthwise = false;
  // Clamp of the result, min < max.
  float min = 0, max = 0;

  bool operator==(const XnnConvParams&) const = default;
};

// weights: OHWI [groups * group_output_channels, kh, kw, group_input_channels] unless depthwise;
// bias: one value per output channel, or null. Both are copied (packed) here.
XnnOp CreateXnnConv(const XnnConvParams& params, const float* weights, const float* bias);

// False when XNNPACK fails (out of memory); output is then undefined.
bool RunXnnConv(XnnOp& op, int64_t batch, int64_t height, int64_t width, const float* input,
                float* output, ThreadPool* pool);

struct XnnTransposeConvParams {
  uint32_t kernel_height = 1, kernel_width = 1;
  uint32_t stride_height = 1, stride_width = 1;
  // Cut off the full result.
  uint32_t pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;
  // Added at the bottom and right of the full result, below the stride.
  uint32_t extra_height = 0, extra_width = 0;
  size_t input_channels = 1, output_channels = 1;
  float min = 0, max = 0;

  bool operator==(const XnnTransposeConvParams&) const = default;
};

// weights: OHWI [output_channels, kh, kw, input_channels].
XnnOp CreateXnnTransposeConv(const XnnTransposeConvParams& params, const float* weights,
                             const float* bias);

bool RunXnnTransposeConv(XnnOp& op, const XnnTransposeConvParams& params, int64_t batch,
                         int64_t height, int64_t width, const float* input, float* output,
                         ThreadPool* pool);

}  // namespace tern

#endif  // TERN_CPU_XNN_CONV_H_
