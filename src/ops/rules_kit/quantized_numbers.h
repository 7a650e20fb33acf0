// SPDX-License-Identifier: Apache-2.0
// Quantized numbers for the CPU and the GPU: real = scale * (quantized - zero_point). Everything
// here is exact to the last bit against TensorFlow Lite's reference kernels.
#ifndef TERN_OPS_RULES_KIT_QUANTIZED_NUMBERS_H_
#define TERN_OPS_RULES_KIT_QUANTIZED_NUMBERS_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/tensor/multiplier.h"
#include "base/tensor/quantized_range.h"
#include "tensorflow/lite/core/c/c_api_types.h"

namespace tern {

inline bool IsQuantizedType(TfLiteType type) {
  return type == kTfLiteInt8 || type == kTfLiteUInt8 || type == kTfLiteInt16;
}

// The nearest quantized number, ties away from zero, inside the range.
inline int32_t Quantize(float v, const Quantization& q, const IntRange& range) {
  const float scaled = std::round(v / q.scale) + static_cast<float>(q.zero_point);
  if (!(scaled > static_cast<float>(range.min))) return range.min;  // NaN, too
  if (scaled >= static_cast<float>(range.max)) return range.max;
  return static_cast<int32_t>(scaled);
}

inline float Dequantize(int32_t v, const Quantization& q) {
  return static_cast<float>(static_cast<double>(q.scale) * (v - q.zero_point));
}

// A function of one 8-bit number as a table, indexed by the number's bits.
using ByteTable = std::array<uint8_t, 256>;

// `function` maps real to real. It is evaluated in float, and the result is multiplied by the
// inverse of the output's scale. `type` (INT8 or UINT8) is that of both sides.
template <class F>
ByteTable MakeByteTable(TfLiteType type, const Quantization& in, const Quantization& out,
                        const F& function) {
  const IntRange range = TypeRange(type);
  const float inverse = 1.0f / out.scale;
  ByteTable table{};
  for (int32_t q = range.min; q <= range.max; ++q) {
    const float real = in.scale * static_cast<float>(q - in.zero_point);
    const float scaled = std::round(function(real) * inverse) + static_cast<float>(out.zero_point);
    int32_t result = range.max;
    if (!(scaled > static_cast<float>(range.min))) {
      result = range.min;
    } else if (scaled < static_cast<float>(range.max)) {
      result = static_cast<int32_t>(scaled);
    }
    table[static_cast<uint8_t>(q)] = static_cast<uint8_t>(result);
  }
  return table;
}

}  // namespace tern

#endif  // TERN_OPS_RULES_KIT_QUANTIZED_NUMBERS_H_
