// SPDX-License-Identifier: Apache-2.0
// Real multipliers as fixed point: value = multiplier / 2^31 * 2^shift.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_QUANTIZATION_UTIL_H_
#define TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_QUANTIZATION_UTIL_H_

#include <cstdint>

namespace tflite {

// Any multiplier >= 0. Positive shift = left. Values too small for a shift of -31 become zero.
void QuantizeMultiplier(double double_multiplier, int32_t* quantized_multiplier, int* shift);

// The same for a multiplier in (0, 1): shift is <= 0.
void QuantizeMultiplierSmallerThanOneExp(double double_multiplier, int32_t* quantized_multiplier,
                                         int* left_shift);

// The same for a multiplier > 1: shift is >= 0.
void QuantizeMultiplierGreaterThanOne(double double_multiplier, int32_t* quantized_multiplier,
                                      int* left_shift);

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_QUANTIZATION_UTIL_H_
