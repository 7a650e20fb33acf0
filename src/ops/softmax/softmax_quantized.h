// SPDX-License-Identifier: Apache-2.0
// SOFTMAX of rows of integers.
#ifndef TERN_OPS_SOFTMAX_SOFTMAX_QUANTIZED_H_
#define TERN_OPS_SOFTMAX_SOFTMAX_QUANTIZED_H_

#include <cstdint>
#include <functional>

#include "ops/cpu_kit/op_kit.h"

namespace tern {

// Rows [begin, end) of `count` numbers each.
using SoftmaxRows =
    std::function<void(const void* in, void* out, int64_t count, int64_t begin, int64_t end)>;

// For INT8 and UINT8 (to the same type or INT16) and INT16. An error names a type or a quantization
// that the op does not take.
StatusOr<SoftmaxRows> QuantizedSoftmax(const TfLiteTensor* input, const TfLiteTensor* output,
                                       float beta);

}  // namespace tern

#endif  // TERN_OPS_SOFTMAX_SOFTMAX_QUANTIZED_H_
