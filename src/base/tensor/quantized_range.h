// SPDX-License-Identifier: Apache-2.0
// Quantization parameters, and the stored values that a type and a fused activation allow.
#ifndef TERN_BASE_TENSOR_QUANTIZED_RANGE_H_
#define TERN_BASE_TENSOR_QUANTIZED_RANGE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/core/c/c_api_types.h"

namespace tern {

// real = scale * (element - zero_point).
struct Quantization {
  float scale = 0;
  int32_t zero_point = 0;
};

struct FloatRange {
  float min, max;
  float Clamp(float v) const { return v < min ? min : (max < v ? max : v); }
};

struct IntRange {
  int32_t min, max;
  int32_t Clamp(int32_t v) const { return v < min ? min : (max < v ? max : v); }
};

// Nearest integer, ties away from zero; beyond int32 it saturates, and NaN gives 0.
inline int32_t RoundToInt32(double v) {
  const double rounded = std::round(v);
  if (rounded >= static_cast<double>(INT32_MAX)) return INT32_MAX;
  if (rounded <= static_cast<double>(INT32_MIN)) return INT32_MIN;
  return rounded == rounded ? static_cast<int32_t>(rounded) : 0;
}

// All values of an integer type of at most 16 bits.
inline IntRange TypeRange(TfLiteType type) {
  switch (type) {
    case kTfLiteInt2:
      return {-2, 1};
    case kTfLiteInt4:
      return {-8, 7};
    case kTfLiteUInt4:
      return {0, 15};
    case kTfLiteInt8:
      return {INT8_MIN, INT8_MAX};
    case kTfLiteUInt8:
      return {0, UINT8_MAX};
    default:
      return {INT16_MIN, INT16_MAX};
  }
}

// The clamp of a fused activation. Those that are no clamp (TANH, SIGN_BIT) leave values alone, as
// does NONE.
inline FloatRange ActivationRange(TfLiteFusedActivation activation) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  switch (activation) {
    case kTfLiteActRelu:
      return {0, kInfinity};
    case kTfLiteActReluN1To1:
      return {-1, 1};
    case kTfLiteActRelu6:
      return {0, 6};
    default:
      return {-kInfinity, kInfinity};
  }
}

// The range of elements for bounds given as real numbers; an infinite bound is the type's.
inline IntRange QuantizedRange(float min, float max, TfLiteType type, const Quantization& output) {
  IntRange range = TypeRange(type);
  const auto bound = [&](float real) {
    return RoundToInt32(static_cast<double>(output.zero_point) +
                        static_cast<double>(std::round(real / output.scale)));
  };
  if (min > std::numeric_limits<float>::lowest()) range.min = std::max(range.min, bound(min));
  if (max < std::numeric_limits<float>::max()) range.max = std::min(range.max, bound(max));
  return range;
}

// The range of a fused activation in the output's own numbers.
inline IntRange ActivationRange(TfLiteFusedActivation activation, TfLiteType type,
                                const Quantization& output) {
  const FloatRange range = ActivationRange(activation);
  return QuantizedRange(range.min, range.max, type, output);
}

}  // namespace tern

#endif  // TERN_BASE_TENSOR_QUANTIZED_RANGE_H_
