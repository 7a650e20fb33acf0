// SPDX-License-Identifier: Apache-2.0
// Checks which sums and products the optimized kernels of pairs can compute in 32 bits.
#include "cpu/byte_rows.h"

namespace tern {
namespace {

bool IsHalf(const Multiplier& f) { return f.value == 1 << 30 && f.shift == 0; }
bool IsAtMostOne(const Multiplier& f) { return f.value >= 0 && f.shift <= 0 && f.shift >= -31; }

}  // namespace

bool TakesSum(const ByteSum& s) {
  return (IsHalf(s.scale_a) || IsHalf(s.scale_b)) && IsAtMostOne(s.scale_a) &&
         IsAtMostOne(s.scale_b) && IsAtMostOne(s.scale_out);
}

bool TakesProduct(const ByteProduct& p) {
  return p.scale.value >= 0 && p.scale.shift <= 13 && p.scale.shift >= -31;
}

}  // namespace tern
