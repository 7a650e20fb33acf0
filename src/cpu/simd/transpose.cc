// SPDX-License-Identifier: Apache-2.0
// Transposes squares of four by four numbers.
#include "cpu/transpose.h"

#define TERN_NEEDS_NO_VNNI
#include "cpu/simd/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/transpose.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {
namespace {

#if TERN_SIMD

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<uint32_t, 4>;
using D64 = hn::Repartition<uint64_t, D>;

// The columns of a square whose rows are v.
HWY_INLINE void TransposeSquare(hn::Vec<D> (&v)[4]) {
  const D d;
  const D64 d64;
  const auto pairs = [d64](hn::Vec<D> w) { return hn::BitCast(d64, w); };
  const auto a = pairs(hn::InterleaveLower(d, v[0], v[1]));
  const auto b = pairs(hn::InterleaveLower(d, v[2], v[3]));
  const auto c = pairs(hn::InterleaveUpper(d, v[0], v[1]));
  const auto e = pairs(hn::InterleaveUpper(d, v[2], v[3]));
  v[0] = hn::BitCast(d, hn::InterleaveLower(d64, a, b));
  v[1] = hn::BitCast(d, hn::InterleaveUpper(d64, a, b));
  v[2] = hn::BitCast(d, hn::InterleaveLower(d64, c, e));
  v[3] = hn::BitCast(d, hn::InterleaveUpper(d64, c, e));
}

void Transpose(const uint32_t* from, int64_t from_step, uint32_t* to, int64_t to_step, int64_t rows,
               int64_t columns) {
  const D d;
  for (int64_t i = 0; i < rows; i += 4) {
    for (int64_t j = 0; j < columns; j += 4) {
      hn::Vec<D> v[4];
      for (int k = 0; k < 4; ++k) v[k] = hn::LoadU(d, from + (j + k) * from_step + i);
      TransposeSquare(v);
      for (int k = 0; k < 4; ++k) hn::StoreU(v[k], d, to + (i + k) * to_step + j);
    }
  }
}

TransposeForm Form() { return &Transpose; }

#else

TransposeForm Form() { return nullptr; }

#endif  // TERN_SIMD

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace tern
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "cpu/simd/vectors_allowed.h"

namespace tern {

HWY_EXPORT(Form);

TransposeForm FastTranspose() { return TERN_OPTIMIZED_KERNEL(Form); }

}  // namespace tern

#endif  // HWY_ONCE
