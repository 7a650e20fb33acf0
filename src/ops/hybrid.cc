// SPDX-License-Identifier: Apache-2.0
// Run-time quantization of activations.
#include "ops/hybrid.h"

#include <algorithm>
#include <cmath>

#include "ops/integer_dot.h"

namespace tern {

StatusOr<WeightScales> ReadWeightScales(const TfLiteTensor* weights, int64_t channels, int axis) {
  const auto* affine = static_cast<const TfLiteAffineQuantization*>(weights->quantization.params);
  if (weights->quantization.type != kTfLiteAffineQuantization || affine == nullptr ||
      affine->scale == nullptr) {
    return Invalid("weights of type ", TypeText(weights->type), " have no scale");
  }
  const int count = affine->scale->size;
  if (count != 1 && (count != channels || affine->quantized_dimension != axis)) {
    return Invalid("weights of type ", TypeText(weights->type), " need one scale or ", channels,
                   " along axis ", axis, " (", count, " along axis ", affine->quantized_dimension,
                   ")");
  }
  WeightScales result;
  result.first_only = count == 1;
  for (int64_t i = 0; i < channels; ++i) {
    result.scale.push_back(affine->scale->data[count == 1 ? 0 : i]);
    if (result.scale.back() != result.scale.front()) result.per_channel = true;
  }
  return result;
}

void UpdateScales(const TfLiteTensor* weights, WeightScales& scales) {
  const auto* affine = static_cast<const TfLiteAffineQuantization*>(weights->quantization.params);
  if (weights->quantization.type != kTfLiteAffineQuantization || affine == nullptr ||
      affine->scale == nullptr || affine->scale->size == 0) {
    return;
  }
  const size_t count = scales.first_only ? 1 : static_cast<size_t>(affine->scale->size);
  for (size_t i = 0; i < scales.scale.size(); ++i) {
    scales.scale[i] = affine->scale->data[i < count ? i : 0];
  }
}

namespace {

float QuantizeSymmetric(const float* values, int64_t size, float low, float high, int16_t* out) {
  const float range = std::max(std::fabs(low), std::fabs(high));
  if (range == 0) {
    std::fill_n(out, size, int16_t{0});
    return 1;
  }
  const float factor = 127.0f / range;
  for (int64_t i = 0; i < size; ++i) {
    out[i] = static_cast<int16_t>(std::clamp(std::round(values[i] * factor), -127.0f, 127.0f));
  }
  return range / 127.0f;
}

float QuantizeAroundZeroPoint(const float* values, int64_t size, float low, float high,
                              int16_t* out) {
  constexpr double kMin = -128, kMax = 127;
  const double bottom = std::min(0.0f, low), top = std::max(0.0f, high);
  if (bottom == top) {
    std::fill_n(out, size, int16_t{0});
    return 1;
  }
  const double scale = (top - bottom) / (kMax - kMin);
  const double from_bottom = kMin - bottom / scale, from_top = kMax - top / scale;
  const bool bottom_is_closer = -kMin - bottom / scale < kMax + top / scale;
  const double zero_point =
      std::clamp(std::round(bottom_is_closer ? from_bottom : from_top), kMin, kMax);
  const float zero = static_cast<float>(zero_point);
  const float factor = 1.0f / static_cast<float>(scale);
  for (int64_t i = 0; i < size; ++i) {
    const float q = std::clamp(std::round(values[i] * factor) + zero, -128.0f, 127.0f);
    out[i] = static_cast<int16_t>(q - zero);
  }
  return static_cast<float>(scale);
}

}  // namespace

void QuantizeItems(const float* values, int64_t items, int64_t size, bool symmetric,
                   QuantizedItems& result) {
  result.values.resize(static_cast<size_t>(items * size));
  result.scale.assign(static_cast<size_t>(items), 1.0f);
  for (int64_t item = 0; item < items; ++item) {
    const float* in = values + item * size;
    int16_t* out = result.values.data() + item * size;
    float low = 0, high = 0;
    bool finite = true;
    for (int64_t i = 0; i < size; ++i) {
      low = i == 0 || in[i] < low ? in[i] : low;
      high = i == 0 || in[i] > high ? in[i] : high;
      finite &= std::isfinite(in[i]);
    }
    if (!finite) {
      // No scale represents such values.
      std::fill_n(out, size, int16_t{0});
      result.scale[static_cast<size_t>(item)] = std::nanf("");
      continue;
    }
    result.scale[static_cast<size_t>(item)] =
        symmetric ? QuantizeSymmetric(in, size, low, high, out)
                  : QuantizeAroundZeroPoint(in, size, low, high, out);
  }
}

int64_t Dot(const int16_t* a, const int8_t* b, int64_t count) {
  return BlockedDot<1 << 14>(a, b, count);  // products stay below 2^16
}

}  // namespace tern
