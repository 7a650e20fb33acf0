// SPDX-License-Identifier: Apache-2.0
// The multiplier of quantized SUM and MEAN, for the CPU and the GPU.
#ifndef TERN_OPS_REDUCE_MEAN_RULES_H_
#define TERN_OPS_REDUCE_MEAN_RULES_H_

#include <algorithm>
#include <cstdint>

#include "base/tensor/multiplier.h"
#include "base/tensor/quantized_range.h"

namespace tern {

// The ratio of the scales, divided by `count` with as many bits as fit.
inline Multiplier MeanMultiplier(double ratio, int64_t count) {
  Multiplier m = MakeMultiplier(ratio);
  int bits = 0;  // of the count, less one
  while (bits < 32 && (count >> (bits + 1)) != 0) ++bits;
  const int shift = std::min(bits, 31 + m.shift);
  m.value = static_cast<int32_t>((int64_t{m.value} << shift) / count);
  m.shift -= shift;
  return m;
}

// Of a sum of `count` elements, each less its zero point.
inline Multiplier SumMultiplier(const Quantization& in, const Quantization& out, bool mean,
                                int64_t count) {
  const double ratio = double{in.scale} / double{out.scale};
  return mean && count > 0 ? MeanMultiplier(ratio, count) : MakeMultiplier(ratio);
}

}  // namespace tern

#endif  // TERN_OPS_REDUCE_MEAN_RULES_H_
