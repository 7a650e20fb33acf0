// SPDX-License-Identifier: Apache-2.0
// Sums of many floats: in float for a short while, then in double.
#ifndef TERN_CPU_SUMS_H_
#define TERN_CPU_SUMS_H_

#include <cstdint>

namespace tern {

// How many lines are added at once.
inline constexpr int64_t kLinesAtOnce = 32;

struct SumForms {
  // sums[i] += in[offsets[0] + i] + in[offsets[1] + i] + ..., of `lines` lines, at most
  // kLinesAtOnce.
  void (*add_lines)(const float* in, const int64_t* offsets, int64_t lines, int64_t count,
                    double* sums);
  // The sum of a row.
  double (*row)(const float* in, int64_t count);
};

// Null where this processor or build has none.
const SumForms* FastSums();

}  // namespace tern

#endif  // TERN_CPU_SUMS_H_
