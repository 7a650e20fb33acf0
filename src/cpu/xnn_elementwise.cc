// SPDX-License-Identifier: Apache-2.0
// Sigmoid and softmax through XNNPACK's create / setup / run calls.
#include "cpu/xnn_elementwise.h"

#if TERN_WITH_XNNPACK
#include "cpu/xnn_run.h"
#endif

namespace tern {

#if TERN_WITH_XNNPACK

static_assert(kXnnExtraBytes == XNN_EXTRA_BYTES);

XnnOp CreateXnnSoftmax(size_t channels) {
  if (!XnnAvailable()) return {};
  xnn_operator_t op = nullptr;
  const xnn_status status = xnn_create_softmax_nc_f32(channels, channels, channels, 0, &op);
  return XnnOp(status == xnn_status_success ? op : nullptr);
}

bool RunXnnSoftmax(XnnOp& op, int64_t rows, const float* input, float* output, ThreadPool* pool) {
  const size_t n = static_cast<size_t>(rows);
  return SetUpAndRun(op, {n, XnnKey(input), XnnKey(output), XnnKey(pool)}, pool, [&] {
    return xnn_setup_softmax_nc_f32(XnnHandle(op), n, input, output, XnnPool(pool));
  });
}

XnnOp CreateXnnSigmoid() {
  if (!XnnAvailable()) return {};
  xnn_operator_t op = nullptr;
  const xnn_status status = xnn_create_sigmoid_nc_f32(1, 1, 1, 0, &op);
  return XnnOp(status == xnn_status_success ? op : nullptr);
}

bool RunXnnSigmoid(XnnOp& op, int64_t count, const float* input, float* output, ThreadPool* pool) {
  const size_t n = static_cast<size_t>(count);
  return SetUpAndRun(op, {n, XnnKey(input), XnnKey(output), XnnKey(pool)}, pool, [&] {
    return xnn_setup_sigmoid_nc_f32(XnnHandle(op), n, input, output, XnnPool(pool));
  });
}

#else

XnnOp CreateXnnSoftmax(size_t) { return {}; }
bool RunXnnSoftmax(XnnOp&, int64_t, const float*, float*, ThreadPool*) { return false; }
XnnOp CreateXnnSigmoid() { return {}; }
bool RunXnnSigmoid(XnnOp&, int64_t, const float*, float*, ThreadPool*) { return false; }

#endif  // TERN_WITH_XNNPACK

}  // namespace tern
