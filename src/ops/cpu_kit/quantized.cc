// SPDX-License-Identifier: Apache-2.0
// Reading quantization parameters, and real numbers as multipliers.
#include "ops/cpu_kit/quantized.h"

namespace tern {
namespace {

const TfLiteAffineQuantization* Affine(const TfLiteTensor* t) {
  if (t->quantization.type != kTfLiteAffineQuantization) return nullptr;
  const auto* affine = static_cast<const TfLiteAffineQuantization*>(t->quantization.params);
  if (affine == nullptr || affine->scale == nullptr || affine->scale->size < 1) return nullptr;
  return affine;
}

int32_t ZeroPoint(const TfLiteAffineQuantization& affine, int i) {
  if (affine.zero_point == nullptr || affine.zero_point->size < 1) return 0;
  return affine.zero_point->data[i < affine.zero_point->size ? i : 0];
}

Status CheckScale(float scale, const char* what) {
  if (scale > 0 && std::isfinite(scale)) return OkStatus();
  return Invalid("quantization scale of ", what, " is not a positive number (", scale, ")");
}

}  // namespace

StatusOr<Quantization> QuantizationOf(const TfLiteTensor* t, const char* what) {
  const TfLiteAffineQuantization* affine = Affine(t);
  if (affine == nullptr) {
    return Invalid(what, " of type ", TypeText(t->type), " has no quantization parameters");
  }
  if (affine->scale->size != 1) {
    return Invalid(what, " has ", affine->scale->size, " quantization scales, 1 expected");
  }
  const Quantization q{affine->scale->data[0], ZeroPoint(*affine, 0)};
  TERN_RETURN_IF_ERROR(CheckScale(q.scale, what));
  if (IsQuantizedType(t->type)) {
    const IntRange range = TypeRange(t->type);
    if (q.zero_point < range.min || q.zero_point > range.max) {
      return Invalid("zero point of ", what, " lies outside its type (", q.zero_point, ", ",
                     TypeText(t->type), ")");
    }
  }
  return q;
}

StatusOr<std::vector<float>> ChannelScales(const TfLiteTensor* t, int64_t channels, int axis,
                                           const char* what) {
  const TfLiteAffineQuantization* affine = Affine(t);
  if (affine == nullptr) {
    return Invalid(what, " of type ", TypeText(t->type), " has no quantization parameters");
  }
  const int count = affine->scale->size;
  if (count != 1 && count != channels) {
    return Invalid(what, " has ", count, " quantization scales for ", channels, " channels");
  }
  if (count > 1 && affine->quantized_dimension != axis) {
    return Invalid(what, " is quantized along axis ", affine->quantized_dimension, ", expected ",
                   axis);
  }
  std::vector<float> scales(static_cast<size_t>(channels));
  for (int64_t c = 0; c < channels; ++c) {
    const int i = count == 1 ? 0 : static_cast<int>(c);
    scales[c] = affine->scale->data[i];
    TERN_RETURN_IF_ERROR(CheckScale(scales[c], what));
    if (ZeroPoint(*affine, i) != 0) {
      return Invalid("zero point of ", what, " must be 0 (", ZeroPoint(*affine, i), ")");
    }
  }
  return scales;
}

IntRange TypeRange(TfLiteType type) {
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

IntRange QuantizedRange(float min, float max, TfLiteType type, const Quantization& output) {
  IntRange range = TypeRange(type);
  const auto bound = [&](float real) {
    return RoundToInt32(static_cast<double>(output.zero_point) +
                        static_cast<double>(std::round(real / output.scale)));
  };
  if (min > std::numeric_limits<float>::lowest()) range.min = std::max(range.min, bound(min));
  if (max < std::numeric_limits<float>::max()) range.max = std::min(range.max, bound(max));
  return range;
}

IntRange ActivationRange(TfLiteFusedActivation activation, TfLiteType type,
                         const Quantization& output) {
  const FloatRange range = ActivationRange(activation);
  return QuantizedRange(range.min, range.max, type, output);
}

int32_t RoundToInt32(double v) {
  const double rounded = std::round(v);
  if (rounded >= static_cast<double>(INT32_MAX)) return INT32_MAX;
  if (rounded <= static_cast<double>(INT32_MIN)) return INT32_MIN;
  return rounded == rounded ? static_cast<int32_t>(rounded) : 0;
}

Status CheckWideMultiplier(const Multiplier& multiplier) {
  if (multiplier.shift <= kLargestWideShift) return OkStatus();
  return Unsupported("scale of output is too small for its inputs (a factor of 2^",
                     multiplier.shift, ", at most 2^", kLargestWideShift, ")");
}

}  // namespace tern
