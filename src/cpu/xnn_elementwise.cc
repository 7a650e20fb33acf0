// SPDX-License-Identifier: Apache-2.0
// Elementwise ops and softmax through XNNPACK's create / setup / run calls.
#include "cpu/xnn_elementwise.h"

#if TERN_WITH_XNNPACK
#include "cpu/xnn_run.h"
#endif

namespace tern {

#if TERN_WITH_XNNPACK

static_assert(kXnnMaxRank == XNN_MAX_TENSOR_DIMS);
static_assert(kXnnExtraBytes == XNN_EXTRA_BYTES);

XnnOp CreateXnnBinary(XnnBinary kind, float min, float max) {
  if (!XnnAvailable()) return {};
  xnn_operator_t op = nullptr;
  const xnn_status status = kind == XnnBinary::kAdd ? xnn_create_add_nd_f32(min, max, 0, &op)
                                                    : xnn_create_multiply_nd_f32(min, max, 0, &op);
  return XnnOp(status == xnn_status_success ? op : nullptr);
}

bool RunXnnBinary(XnnOp& op, XnnBinary kind, const std::vector<size_t>& shape_a,
                  const std::vector<size_t>& shape_b, const float* a, const float* b, float* output,
                  ThreadPool* pool) {
  if (shape_a.size() > kXnnMaxRank || shape_b.size() > kXnnMaxRank) return false;
  // Setting up is cheap here, and the shapes would make a long key.
  auto* const setup = kind == XnnBinary::kAdd ? &xnn_setup_add_nd_f32 : &xnn_setup_multiply_nd_f32;
  if (setup(XnnHandle(op), shape_a.size(), shape_a.data(), shape_b.size(), shape_b.data(), a, b,
            output, XnnPool(pool)) != xnn_status_success) {
    return false;
  }
  return xnn_run_operator(XnnHandle(op), XnnPool(pool)) == xnn_status_success;
}

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

XnnOp CreateXnnBinary(XnnBinary, float, float) { return {}; }
bool RunXnnBinary(XnnOp&, XnnBinary, const std::vector<size_t>&, const std::vector<size_t>&,
                  const float*, const float*, float*, ThreadPool*) {
  return false;
}
XnnOp CreateXnnSoftmax(size_t) { return {}; }
bool RunXnnSoftmax(XnnOp&, int64_t, const float*, float*, ThreadPool*) { return false; }
XnnOp CreateXnnSigmoid() { return {}; }
bool RunXnnSigmoid(XnnOp&, int64_t, const float*, float*, ThreadPool*) { return false; }

#endif  // TERN_WITH_XNNPACK

}  // namespace tern
