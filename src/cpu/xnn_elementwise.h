// SPDX-License-Identifier: Apache-2.0
// Float sigmoid and softmax by XNNPACK.
#ifndef TERN_CPU_XNN_ELEMENTWISE_H_
#define TERN_CPU_XNN_ELEMENTWISE_H_

#include <cstdint>

#include "cpu/xnn_op.h"

namespace tern {

// Softmax over rows of `channels` values, without a factor on the exponent.
XnnOp CreateXnnSoftmax(size_t channels);
bool RunXnnSoftmax(XnnOp& op, int64_t rows, const float* input, float* output, ThreadPool* pool);

// 1 / (1 + exp(-x)) of `count` values, which must lie within +-100 or be NaN: beyond, XNNPACK's
// result is undefined. input and output may be the same.
XnnOp CreateXnnSigmoid();
bool RunXnnSigmoid(XnnOp& op, int64_t count, const float* input, float* output, ThreadPool* pool);

}  // namespace tern

#endif  // TERN_CPU_XNN_ELEMENTWISE_H_
