// SPDX-License-Identifier: Apache-2.0
// QUANTIZE from elements to elements, for the CPU and the GPU.
#ifndef TERN_OPS_QUANTIZE_RESCALING_RULES_H_
#define TERN_OPS_QUANTIZE_RESCALING_RULES_H_

#include <algorithm>
#include <cstdint>

#include "ops/rules_kit/quantized_numbers.h"

namespace tern {

struct Rescaling {
  Rescaling(const Quantization& in, const Quantization& out, TfLiteType type)
      : from(in), to(out), multiplier(MakeMultiplier(double{in.scale} / double{out.scale})) {
    range = type == kTfLiteInt32 ? IntRange{INT32_MIN, INT32_MAX} : TypeRange(type);
  }
  int32_t operator()(int32_t q) const {
    // Values beyond 32 bits wrap, as in the reference.
    const auto v = static_cast<int32_t>(int64_t{q} - from.zero_point);
    const int64_t scaled = int64_t{Scale(v, multiplier)} + to.zero_point;
    return static_cast<int32_t>(std::min<int64_t>(std::max<int64_t>(scaled, range.min), range.max));
  }

  Quantization from, to;
  Multiplier multiplier;
  IntRange range{0, 0};  // of the type
};

}  // namespace tern

#endif  // TERN_OPS_QUANTIZE_RESCALING_RULES_H_
