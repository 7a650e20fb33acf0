// SPDX-License-Identifier: Apache-2.0
// Sums of floats.
#include "cpu/sums.h"

#define TERN_NEEDS_NO_VNNI
#include "cpu/simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/sums.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "cpu/simd/tails-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {
namespace {

#if TERN_SIMD

using D = hn::ScalableTag<float>;

void AddLines(const float* in, const int64_t* offsets, int64_t lines, int64_t count, double* sums) {
  const D d;
  const auto n = static_cast<int64_t>(hn::Lanes(d));
  HWY_ALIGN float line_sums[HWY_MAX_BYTES / sizeof(float)];
  for (int64_t i = 0; i < count; i += n) {
    const int64_t size = std::min(n, count - i);
    auto sum = hn::Zero(d);
    for (int64_t line = 0; line < lines; ++line) {
      const float* from = in + offsets[line] + i;
      sum = hn::Add(sum, size == n ? hn::LoadU(d, from) : LoadTail(d, from, size));
    }
    hn::Store(sum, d, line_sums);
    for (int64_t k = 0; k < size; ++k) sums[i + k] += double{line_sums[k]};
  }
}

double RowSum(const float* in, int64_t count) {
  const D d;
  const auto n = static_cast<int64_t>(hn::Lanes(d));
  const int64_t piece = kLinesAtOnce * 4 * n;
  double total = 0;
  for (int64_t at = 0; at < count; at += piece) {
    const int64_t end = std::min(count, at + piece);
    auto a = hn::Zero(d), b = a, c = a, e = a;
    int64_t i = at;
    for (; i + 4 * n <= end; i += 4 * n) {
      a = hn::Add(a, hn::LoadU(d, in + i));
      b = hn::Add(b, hn::LoadU(d, in + i + n));
      c = hn::Add(c, hn::LoadU(d, in + i + 2 * n));
      e = hn::Add(e, hn::LoadU(d, in + i + 3 * n));
    }
    for (; i + n <= end; i += n) a = hn::Add(a, hn::LoadU(d, in + i));
    if (i < end) b = hn::Add(b, LoadTail(d, in + i, end - i));
    const auto sum = hn::Add(hn::Add(a, b), hn::Add(c, e));
    total += double{hn::GetLane(hn::SumOfLanes(d, sum))};
  }
  return total;
}

const SumForms* Forms() {
  static constexpr SumForms kForms = {&AddLines, &RowSum};
  return &kForms;
}

#else

const SumForms* Forms() { return nullptr; }

#endif  // TERN_SIMD

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tern
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "cpu/simd/vectors_allowed.h"

namespace tern {

HWY_EXPORT(Forms);

const SumForms* FastSums() { return TERN_OPTIMIZED_KERNEL(Forms); }

}  // namespace tern

#endif  // HWY_ONCE
