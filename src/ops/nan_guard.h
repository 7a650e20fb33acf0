// SPDX-License-Identifier: Apache-2.0
// XNNPACK's final clamp turns NaN into its lower bound on some processors. Where there is no bound
// (activation NONE) users expect NaN, so results with -infinity among them are computed again by
// the plain form.
#ifndef TERN_OPS_NAN_GUARD_H_
#define TERN_OPS_NAN_GUARD_H_

#include <atomic>
#include <limits>

#include "ops/op_kit.h"

namespace tern {

// True when a FLOAT32 result that was clamped to `range` may hold such a value.
inline bool MayHideNan(const TfLiteTensor* output, FloatRange range, ThreadPool* pool) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (range.min != -kInfinity) return false;
  const float* values = Data<float>(output);
  std::atomic<bool> found = false;
  ParallelFor(pool, Elements(output), 1, [&](int64_t begin, int64_t end) {
    uint32_t any = 0;
    for (int64_t i = begin; i < end; ++i) any |= values[i] == -kInfinity ? 1u : 0u;
    if (any != 0) found = true;
  });
  return found;
}

}  // namespace tern

#endif  // TERN_OPS_NAN_GUARD_H_
