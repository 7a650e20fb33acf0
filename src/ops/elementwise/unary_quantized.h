// SPDX-License-Identifier: Apache-2.0
// One-operand ops on quantized integers.
#ifndef TERN_OPS_ELEMENTWISE_UNARY_QUANTIZED_H_
#define TERN_OPS_ELEMENTWISE_UNARY_QUANTIZED_H_

#include <cstdint>
#include <functional>

#include "ops/cpu_kit/op_kit.h"

namespace tern {

// Computes elements [begin, end) of one call of Eval.
using UnaryLoop = std::function<void(const void* in, void* out, int64_t begin, int64_t end)>;

struct UnaryKernel {
  UnaryLoop loop;
  int32_t min = INT32_MIN;  // a smaller input has no result
};

// The kernel of operation `builtin` for input and output of one type (INT8, UINT8 or INT16).
// `function` is the op on real numbers; `alpha` the slope of LEAKY_RELU. An error says which type
// or parameter the op does not take.
StatusOr<UnaryKernel> QuantizedUnary(int builtin, const TfLiteTensor* input,
                                     const TfLiteTensor* output,
                                     const std::function<float(float)>& function, float alpha);

}  // namespace tern

#endif  // TERN_OPS_ELEMENTWISE_UNARY_QUANTIZED_H_
