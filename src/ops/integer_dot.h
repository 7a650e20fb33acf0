// SPDX-License-Identifier: Apache-2.0
// Exact sums of products of whole numbers. Short blocks are summed in 32 bits, so that compilers
// can use vector registers.
#ifndef TERN_OPS_INTEGER_DOT_H_
#define TERN_OPS_INTEGER_DOT_H_

#include <algorithm>
#include <cstdint>
#include <type_traits>

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

inline int64_t IntegerSum(const int16_t* a, int64_t count) {
  int64_t total = 0;
  for (int64_t i = 0; i < count; ++i) total += a[i];
  return total;
}

}  // namespace tern

#endif  // TERN_OPS_INTEGER_DOT_H_
