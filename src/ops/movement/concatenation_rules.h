// SPDX-License-Identifier: Apache-2.0
// CONCATENATION of UINT8 parts with another quantization than the output, for CPU and GPU.
#ifndef TERN_OPS_MOVEMENT_CONCATENATION_RULES_H_
#define TERN_OPS_MOVEMENT_CONCATENATION_RULES_H_

#include <algorithm>
#include <cstdint>

#include "base/tensor/quantized_range.h"

namespace tern {

// From an element of a part to one of the output, in single precision.
struct Realigning {
  Realigning(const Quantization& from, const Quantization& to)
      : scale(from.scale * (1.0f / to.scale)),
        bias(static_cast<float>(-from.zero_point) * scale),
        zero_point(to.zero_point) {}
  int32_t operator()(int32_t q) const {
    const float scaled = static_cast<float>(q) * scale + bias;
    const int64_t value = int64_t{RoundToInt32(scaled)} + zero_point;
    return static_cast<int32_t>(std::clamp<int64_t>(value, 0, UINT8_MAX));
  }
  float scale, bias;
  int32_t zero_point;
};

}  // namespace tern

#endif  // TERN_OPS_MOVEMENT_CONCATENATION_RULES_H_
