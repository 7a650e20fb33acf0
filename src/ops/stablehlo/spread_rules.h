// SPDX-License-Identifier: Apache-2.0
// Where STABLEHLO_PAD and DILATE put elements, for the CPU and the GPU form.
#ifndef TERN_OPS_STABLEHLO_SPREAD_RULES_H_
#define TERN_OPS_STABLEHLO_SPREAD_RULES_H_

#include <algorithm>

#include "base/status.h"
#include "base/tensor/shape_math.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern {

// Along an axis element i goes to low + i * step; `low` may be negative.
struct Spread {
  Shape low, step, output;

  // Returns the extent of an axis of `size` elements with the room between them.
  int64_t Own(int64_t size, size_t axis) const {
    return size == 0 ? 0 : (size - 1) * step[axis] + 1;
  }
};

inline StatusOr<Spread> PadSpread(const Shape& in, const TfLiteStablehloPadParams& params) {
  if (in.size() > TFLITE_STABLEHLO_PAD_PARAMS_MAX_DIMENSION_COUNT) {
    return Unsupported("the rank is too high (", in.size(), ")");
  }
  Spread spread;
  for (size_t i = 0; i < in.size(); ++i) {
    const int64_t low = params.edge_padding_low[i], high = params.edge_padding_high[i];
    const int64_t between = params.interior_padding[i];
    for (const int64_t v : {low, high, between}) {
      if (v < -kMaxElements || v > kMaxElements) return TooLarge("padding is too large (", v, ")");
    }
    if (between < 0) return Invalid("interior padding is negative (", between, ")");
    spread.low.push_back(low);
    spread.step.push_back(between + 1);
    // At most 2^31 times 2^31.
    spread.output.push_back(spread.Own(in[i], i) + low + high);
  }
  // One axis without elements leaves none on every axis.
  const bool empty = std::any_of(spread.output.begin(), spread.output.end(),
                                 [](int64_t size) { return size <= 0; });
  if (empty) std::fill(spread.output.begin(), spread.output.end(), 0);
  TERN_RETURN_IF_ERROR(CheckedElements(spread.output).status());
  return spread;
}

// A step for each axis of the shape `in`.
inline StatusOr<Spread> DilateSpread(const Shape& in, const Shape& steps) {
  Spread spread{Shape(in.size(), 0), steps, {}};
  for (size_t i = 0; i < in.size(); ++i) {
    if (steps[i] < 1 || steps[i] > kMaxElements) {
      return Invalid("a dilation is out of range (", steps[i], ", ", kMaxElements, ")");
    }
    spread.output.push_back(spread.Own(in[i], i));
  }
  TERN_RETURN_IF_ERROR(CheckedElements(spread.output).status());
  return spread;
}

}  // namespace tern

#endif  // TERN_OPS_STABLEHLO_SPREAD_RULES_H_
