// SPDX-License-Identifier: Apache-2.0
// Exact sums of products of integers. Short blocks are summed in 32 bits, so that compilers
// can use vector registers.
#ifndef TERN_OPS_INTEGER_DOT_H_
#define TERN_OPS_INTEGER_DOT_H_

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "cpu/integer_kernels.h"
#include "cpu/thread_pool.h"

namespace tern {

// The products of `block` numbers fit 32 bits.
template <int64_t block, class B>
int64_t BlockedDot(const int16_t* a, const B* b, int64_t count) {
  int64_t total = 0;
  for (int64_t begin = 0; begin < count; begin += block) {
    const int64_t end = std::min(count, begin + block);
    int32_t sum = 0;
    for (int64_t i = begin; i < end; ++i) sum += int32_t{a[i]} * int32_t{b[i]};
    total += sum;
  }
  return total;
}

// `B` has 8 bits. Products stay below 2^23.
template <class B>
requires(sizeof(B) == 1) int64_t IntegerDot(const int16_t* a, const B* b, int64_t count) {
  return BlockedDot<256>(a, b, count);
}

inline int64_t IntegerDot(const int16_t* a, const int16_t* b, int64_t count) {
  int64_t total = 0;
  for (int64_t i = 0; i < count; ++i) total += int32_t{a[i]} * int32_t{b[i]};
  return total;
}

// Calls finish(row, unit, sum of a[row * depth + i] * w[unit * depth + i]) for all of them.
template <class W, class F>
void ForEachDot(int64_t rows, int64_t units, int64_t depth, const int16_t* a, const W* w, bool fast,
                ThreadPool* pool, const F& finish) {
  const IntegerKernels* kernels = fast && sizeof(W) == 1 ? GetIntegerKernels() : nullptr;
  ParallelFor(pool, units, rows * depth, [&](int64_t begin, int64_t end) {
    const int64_t some = kernels == nullptr ? 0 : end - begin;
    std::vector<int64_t> sums(static_cast<size_t>(rows * some));
    if (kernels != nullptr) {
      kernels->dots(a, rows, w + begin * depth, std::is_unsigned_v<W>, some, depth, sums.data(),
                    some);
    }
    for (int64_t u = begin; u < end; ++u) {
      for (int64_t r = 0; r < rows; ++r) {
        finish(r, u,
               kernels == nullptr ? IntegerDot(a + r * depth, w + u * depth, depth)
                                  : sums[static_cast<size_t>(r * some + u - begin)]);
      }
    }
  });
}

inline int64_t IntegerSum(const int16_t* a, int64_t count) {
  int64_t total = 0;
  for (int64_t i = 0; i < count; ++i) total += a[i];
  return total;
}

}  // namespace tern

#endif  // TERN_OPS_INTEGER_DOT_H_
