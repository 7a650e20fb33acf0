// SPDX-License-Identifier: Apache-2.0
// Arithmetic that stand-alone kernels share.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_COMMON_H_
#define TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_COMMON_H_

#include <algorithm>
#include <cstdint>
#include <limits>

#include "tensorflow/lite/kernels/internal/compatibility.h"
#include "tensorflow/lite/kernels/internal/runtime_shape.h"
#include "tensorflow/lite/kernels/internal/types.h"

namespace tflite {

template <typename T>
inline T ActivationFunctionWithMinMax(T x, T output_activation_min, T output_activation_max) {
  return std::min(std::max(x, output_activation_min), output_activation_max);
}

// x * multiplier / 2^31 * 2^shift (shift > 0: left), each of the two steps rounded to nearest, ties
// away from zero. The caller makes sure that x * 2^shift fits.
inline int32_t MultiplyByQuantizedMultiplier(int32_t x, int32_t quantized_multiplier, int shift) {
  const int right = shift > 0 ? 0 : -shift;
  const int64_t shifted =
      std::clamp<int64_t>(static_cast<int64_t>(x) * (int64_t{1} << (shift > 0 ? shift : 0)),
                          std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max());
  const int64_t product = shifted * quantized_multiplier;
  const int64_t nudge = product >= 0 ? (int64_t{1} << 30) : 1 - (int64_t{1} << 30);
  const int64_t high = std::min<int64_t>((product + nudge) / (int64_t{1} << 31),
                                         std::numeric_limits<int32_t>::max());
  const int64_t mask = (int64_t{1} << right) - 1;
  const int64_t threshold = (mask >> 1) + (high < 0 ? 1 : 0);
  return static_cast<int32_t>((high >> right) + ((high & mask) > threshold ? 1 : 0));
}

// The form for 64-bit accumulators: a 16-bit multiplier and one rounding. |x| < 2^47, -31 <= shift
// < 8.
inline int32_t MultiplyByQuantizedMultiplier(int64_t x, int32_t quantized_multiplier, int shift) {
  const int32_t reduced =
      quantized_multiplier < 0x7FFF0000 ? (quantized_multiplier + (1 << 15)) >> 16 : 0x7FFF;
  const int total_shift = 15 - shift;
  return static_cast<int32_t>((x * reduced + (int64_t{1} << (total_shift - 1))) >> total_shift);
}

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_COMMON_H_
