// SPDX-License-Identifier: Apache-2.0
// The numbers that FAKE_QUANT moves others to, for the CPU and the GPU form.
#ifndef TERN_OPS_QUANTIZE_FAKE_QUANT_RULES_H_
#define TERN_OPS_QUANTIZE_FAKE_QUANT_RULES_H_

#include <algorithm>
#include <cmath>

#include "base/status.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern {

inline constexpr int kMaxFakeBits = 16;

// min, min + scale, min + 2 scale, ..., max.
struct FakeNumbers {
  float scale = 1, min = 0, max = 0;
};

// The range of the options moves so that 0 is one of the numbers.
inline StatusOr<FakeNumbers> FakeNumbersOf(const TfLiteFakeQuantParams& params) {
  if (params.narrow_range) return Unsupported("narrow_range is not supported yet");
  if (params.num_bits < 2 || params.num_bits > kMaxFakeBits) {
    return Invalid("num_bits must be 2 to ", kMaxFakeBits, " (", params.num_bits, ")");
  }
  const auto steps = static_cast<float>((1 << params.num_bits) - 1);
  const float scale = (params.max - params.min) / steps;
  if (!(scale > 0) || !std::isfinite(scale)) {
    return Invalid("max must be above min (", params.min, ", ", params.max, ")");
  }
  const float zero_point = -params.min / scale;
  const float nudged = std::min(std::max(std::round(zero_point), 0.0f), steps);
  return FakeNumbers{scale, -nudged * scale, (steps - nudged) * scale};
}

}  // namespace tern

#endif  // TERN_OPS_QUANTIZE_FAKE_QUANT_RULES_H_
