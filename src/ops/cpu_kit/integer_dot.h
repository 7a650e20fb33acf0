// SPDX-License-Identifier: Apache-2.0
// Exact sums of products of integers. Short blocks are summed in 32 bits, so that compilers
// can use vector registers.
#ifndef TERN_OPS_CPU_KIT_INTEGER_DOT_H_
#define TERN_OPS_CPU_KIT_INTEGER_DOT_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

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

// Calls finish(SumBlock of one row) until every sum of a[row * depth + i] * w[unit * depth + i] is
// given.
template <class W, class F>
void ForEachDotRun(int64_t rows, int64_t units, int64_t depth, const int16_t* a, const W* w,
                   bool fast, ThreadPool* pool, const F& finish) {
  constexpr int64_t kSums = 4096, kMaxRows = 64;
  if (rows == 0) return;
  const IntegerKernels* kernels = fast && sizeof(W) == 1 ? GetIntegerKernels() : nullptr;
  const int64_t max_rows = std::min(rows, kMaxRows), max_units = kSums / max_rows;
  ParallelFor(pool, units, rows * depth, [&](int64_t begin, int64_t end) {
    int64_t sums[kSums];
    for (int64_t unit = begin; unit < end; unit += max_units) {
      const int64_t some = std::min(max_units, end - unit);
      const W* weights = w + unit * depth;
      for (int64_t row = 0; row < rows; row += max_rows) {
        const int64_t count = std::min(max_rows, rows - row);
        if (kernels != nullptr) {
          kernels->dots(a + row * depth, count, weights, std::is_unsigned_v<W>, some, depth, sums,
                        some);
        } else {
          for (int64_t i = 0; i < count * some; ++i) {
            sums[i] = IntegerDot(a + (row + i / some) * depth, weights + i % some * depth, depth);
          }
        }
        for (int64_t r = 0; r < count; ++r) {
          finish(SumBlock<int64_t>{sums + r * some, some, row + r, 1, unit, some});
        }
      }
    }
  });
}

// Whether ForEachByteDotRun has a kernel for rows of that depth. Short rows take longer by it; sums
// of longer ones may wrap.
inline bool SuitsByteDots(int64_t depth) {
  const IntegerKernels* kernels = GetIntegerKernels();
  return kernels != nullptr && kernels->byte_dots != nullptr && depth >= 64 && depth <= 65000;
}

// Calls finish(SumBlock of one row) until every sum of (x[row * depth + i] - zero point of the row)
// * w[unit * depth + i] is given. The sums wrap.
template <class Z, class F>
void ForEachByteDotRun(int64_t rows, int64_t units, int64_t depth, const int8_t* x,
                       const Z& zero_point_of, const int8_t* w, ThreadPool* pool, const F& finish) {
  constexpr int64_t kSums = 512, kReadable = 528;
  ParallelFor(pool, units, rows * depth, [&](int64_t begin, int64_t end) {
    std::array<int32_t, kReadable> sums{};
    for (int64_t unit = begin; unit < end; unit += kSums) {
      const int64_t some = std::min(kSums, end - unit);
      for (int64_t row = 0; row < rows; ++row) {
        GetIntegerKernels()->byte_dots(x + row * depth, zero_point_of(row), w + unit * depth, some,
                                       depth, sums.data());
        finish(SumBlock<int32_t>{sums.data(), some, row, 1, unit, some});
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

#endif  // TERN_OPS_CPU_KIT_INTEGER_DOT_H_
