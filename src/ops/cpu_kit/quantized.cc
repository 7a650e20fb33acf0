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

Status CheckWideMultiplier(const Multiplier& multiplier) {
  if (multiplier.shift <= kLargestWideShift) return OkStatus();
  return Unsupported("scale of output is too small for its inputs (a factor of 2^",
                     multiplier.shift, ", at most 2^", kLargestWideShift, ")");
}

}  // namespace tern
