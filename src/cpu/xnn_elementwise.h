// SPDX-License-Identifier: Apache-2.0
// Float sums, products, sigmoid and softmax by XNNPACK.
#ifndef TERN_CPU_XNN_ELEMENTWISE_H_
#define TERN_CPU_XNN_ELEMENTWISE_H_

#include <cstdint>
#include <vector>

#include "cpu/xnn_op.h"

namespace tern {

inline constexpr size_t kXnnMaxRank = 6;

enum class XnnBinary { kAdd, kMultiply };

// Two operands with broadcasting; the result is clamped to min..max, min < max.
XnnOp CreateXnnBinary(XnnBinary kind, float min, float max);

// Shapes: at most kXnnMaxRank sizes each, all positive. False when XNNPACK fails.
bool RunXnnBinary(XnnOp& op, XnnBinary kind, const std::vector<size_t>& shape_a,
                  const std::vector<size_t>& shape_b, const float* a, const float* b, float* output,
                  ThreadPool* pool);

// Softmax over rows of `channels` values, without a factor on the exponent.
XnnOp CreateXnnSoftmax(size_t channels);
bool RunXnnSoftmax(XnnOp& op, int64_t rows, const float* input, float* output, ThreadPool* pool);

// 1 / (1 + exp(-x)) of `count` values, which must lie within +-100 or be NaN: beyond, XNNPACK's
// result is undefined. input and output may be the same.
XnnOp CreateXnnSigmoid();
bool RunXnnSigmoid(XnnOp& op, int64_t count, const float* input, float* output, ThreadPool* pool);

}  // namespace tern

#endif  // TERN_CPU_XNN_ELEMENTWISE_H_
