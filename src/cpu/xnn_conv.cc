// SPDX-License-Identifier: Apache-2.0
// Convolutions through XNNPACK's create / setup / run calls.
#include "cpu/xnn_conv.h"

#if TERN_WITH_XNNPACK
#include "cpu/xnn_run.h"
#endif

namespace tern {

#if TERN_WITH_XNNPACK

XnnOp CreateXnnConv(const XnnConvParams& p, const float* weights, const float* bias) {
  if (!XnnAvailable()) return {};
  const size_t in_stride = p.groups * p.group_input_channels;
  const size_t out_stride = p.groups * p.group_output_channels;
  const uint32_t flags = p.depthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0;
  xnn_operator_t op = nullptr;
  const xnn_status status = xnn_create_convolution2d_nhwc_f32(
      p.pad_top, p.pad_right, p.pad_bottom, p.pad_left, p.kernel_height, p.kernel_width,
      p.stride_height, p.stride_width, p.dilation_height, p.dilation_width, p.groups,
      p.group_input_channels, p.group_output_channels, in_stride, out_stride, weights, bias, p.min,
      p.max, flags, &op);
  return XnnOp(status == xnn_status_success ? op : nullptr);
}

bool RunXnnConv(XnnOp& op, int64_t batch, int64_t height, int64_t width, const float* input,
                float* output, ThreadPool* pool) {
  const size_t n = static_cast<size_t>(batch), h = static_cast<size_t>(height),
               w = static_cast<size_t>(width);
  return SetUpAndRun(op, {n, h, w, XnnKey(input), XnnKey(output), XnnKey(pool)}, pool, [&] {
    return xnn_setup_convolution2d_nhwc_f32(XnnHandle(op), n, h, w, input, output, XnnPool(pool));
  });
}

XnnOp CreateXnnTransposeConv(const XnnTransposeConvParams& p, const float* weights,
                             const float* bias) {
  if (!XnnAvailable()) return {};
  xnn_operator_t op = nullptr;
  const xnn_status status = xnn_create_deconvolution2d_nhwc_f32(
      p.pad_top, p.pad_right, p.pad_bottom, p.pad_left, p.kernel_height, p.kernel_width,
      p.stride_height, p.stride_width, 1, 1, 1, p.input_channels, p.output_channels,
      p.input_channels, p.output_channels, weights, bias, p.min, p.max, 0, &op);
  return XnnOp(status == xnn_status_success ? op : nullptr);
}

bool RunXnnTransposeConv(XnnOp& op, const XnnTransposeConvParams& p, int64_t batch, int64_t height,
                         int64_t width, const float* input, float* output, ThreadPool* pool) {
  const size_t n = static_cast<size_t>(batch), h = static_cast<size_t>(height),
               w = static_cast<size_t>(width);
  return SetUpAndRun(op, {n, h, w, XnnKey(input), XnnKey(output), XnnKey(pool)}, pool, [&] {
    return xnn_setup_deconvolution2d_nhwc_f32(XnnHandle(op), n, h, w, p.extra_height, p.extra_width,
                                              input, output, XnnPool(pool));
  });
}

#else

XnnOp CreateXnnConv(const XnnConvParams&, const float*, const float*) { return {}; }
bool RunXnnConv(XnnOp&, int64_t, int64_t, int64_t, const float*, float*, ThreadPool*) {
  return false;
}
XnnOp CreateXnnTransposeConv(const XnnTransposeConvParams&, const float*, const float*) {
  return {};
}
bool RunXnnTransposeConv(XnnOp&, const XnnTransposeConvParams&, int64_t, int64_t, int64_t,
                         const float*, float*, ThreadPool*) {
  return false;
}

#endif  // TERN_WITH_XNNPACK

}  // namespace tern
