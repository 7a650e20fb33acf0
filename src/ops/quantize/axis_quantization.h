// SPDX-License-Identifier: Apache-2.0
// Scales and zero points of a tensor, one pair for all or one per index along an axis.
#ifndef TERN_OPS_QUANTIZE_AXIS_QUANTIZATION_H_
#define TERN_OPS_QUANTIZE_AXIS_QUANTIZATION_H_

#include <cmath>
#include <cstdint>
#include <vector>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/packed.h"
#include "ops/cpu_kit/quantized.h"

namespace tern {

struct AxisQuantization {
  std::vector<Quantization> pairs;
  int64_t inner = 1;  // neighbours that share an index along the axis

  bool per_axis() const { return pairs.size() > 1; }
  const Quantization& at(int64_t element) const {
    return pairs[static_cast<size_t>(element / inner) % pairs.size()];
  }

  // Of a tensor that has (or will have) the shape. `what` names it in errors.
  static StatusOr<AxisQuantization> Of(const TfLiteTensor* t, const Shape& shape, const char* what);
};

inline StatusOr<AxisQuantization> AxisQuantization::Of(const TfLiteTensor* t, const Shape& shape,
                                                       const char* what) {
  const auto* affine = t->quantization.type == kTfLiteAffineQuantization
                           ? static_cast<const TfLiteAffineQuantization*>(t->quantization.params)
                           : nullptr;
  if (affine == nullptr || affine->scale == nullptr || affine->scale->size < 1) {
    return Invalid(what, " of type ", TypeText(t->type), " has no quantization parameters");
  }
  const int count = affine->scale->size;
  const int zeros = affine->zero_point == nullptr ? 0 : affine->zero_point->size;
  if (zeros > 1 && zeros != count) {
    return Invalid(what, " has ", zeros, " zero points for ", count, " scales");
  }
  AxisQuantization result;
  for (int i = 0; i < count; ++i) {
    const Quantization q{affine->scale->data[i],
                         zeros == 0 ? 0 : affine->zero_point->data[zeros == 1 ? 0 : i]};
    if (!(q.scale > 0) || !std::isfinite(q.scale)) {
      return Invalid("quantization scale of ", what, " is not a positive number (", q.scale, ")");
    }
    const bool known = IsQuantizedType(t->type) || IsPacked(t->type);
    const IntRange range = TypeRange(t->type);
    if (known && (q.zero_point < range.min || q.zero_point > range.max)) {
      return Invalid("zero point of ", what, " lies outside its type (", q.zero_point, ", ",
                     TypeText(t->type), ")");
    }
    result.pairs.push_back(q);
  }
  if (count == 1) return result;
  const int axis = affine->quantized_dimension;
  if (axis < 0 || axis >= static_cast<int>(shape.size()) || shape[axis] != count) {
    return Invalid(what, " has ", count, " quantization scales along axis ", axis, " of ",
                   ShapeText(shape));
  }
  for (size_t d = axis + 1; d < shape.size(); ++d) result.inner *= shape[d];
  if (result.inner == 0) result.inner = 1;  // nothing is read
  return result;
}

}  // namespace tern

#endif  // TERN_OPS_QUANTIZE_AXIS_QUANTIZATION_H_
