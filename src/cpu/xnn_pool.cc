// SPDX-License-Identifier: Apache-2.0
// Pooling through XNNPACK's create / setup / run calls.
#include "cpu/xnn_pool.h"

#if TERN_WITH_XNNPACK
#include "cpu/xnn_run.h"
#endif

namespace tern {

#if TERN_WITH_XNNPACK

XnnOp CreateXnnPool(const XnnPoolParams& p) {
  if (!XnnAvailable()) return {};
  xnn_operator_t op = nullptr;
  const xnn_status status =
      p.average
          ? xnn_create_average_pooling2d_nhwc_f32(p.pad_top, p.pad_right, p.pad_bottom, p.pad_left,
                                                  p.window_height, p.window_width, p.stride_height,
                                                  p.stride_width, p.channels, p.channels,
                                                  p.channels, p.min, p.max, 0, &op)
          : xnn_create_max_pooling2d_nhwc_f32(p.pad_top, p.pad_right, p.pad_bottom, p.pad_left,
                                              p.window_height, p.window_width, p.stride_height,
                                              p.stride_width, 1, 1, p.channels, p.channels,
                                              p.channels, p.min, p.max, 0, &op);
  return XnnOp(status == xnn_status_success ? op : nullptr);
}

bool RunXnnPool(XnnOp& op, bool average, int64_t batch, int64_t height, int64_t width,
                const float* input, float* output, ThreadPool* pool) {
  const size_t n = static_cast<size_t>(batch), h = static_cast<size_t>(height),
               w = static_cast<size_t>(width);
  return SetUpAndRun(op, {n, h, w, XnnKey(input), XnnKey(output), XnnKey(pool)}, pool, [&] {
    return average ? xnn_setup_average_pooling2d_nhwc_f32(XnnHandle(op), n, h, w, input, output,
                                                          XnnPool(pool))
                   : xnn_setup_max_pooling2d_nhwc_f32(XnnHandle(op), n, h, w, input, output,
                                                      XnnPool(pool));
  });
}

#else

XnnOp CreateXnnPool(const XnnPoolParams&) { return {}; }
bool RunXnnPool(XnnOp&, bool, int64_t, int64_t, int64_t, const float*, float*, ThreadPool*) {
  return false;
}

#endif  // TERN_WITH_XNNPACK

}  // namespace tern
