// SPDX-License-Identifier: Apache-2.0
// Bulk half conversions: the F16C instructions where the processor has them, else the scalar form.

#include "base/tensor/half.h"

#include <algorithm>
#include <cstddef>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define TERN_HALF_X86 1
#include <immintrin.h>
#endif

namespace tern {
namespace {

#ifdef TERN_HALF_X86

// Every processor with AVX2 has F16C, and the compilers can all ask for AVX2.
bool HasF16c() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}

__attribute__((target("avx,f16c"))) size_t WidenF16c(const uint16_t* from, float* to,
                                                     size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i half = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(half));
  }
  return i;
}

__attribute__((target("avx,f16c"))) size_t NarrowF16c(const float* from, uint16_t* to,
                                                      size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i half = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), half);
  }
  return i;
}

#endif

}  // namespace

void HalfToFloat(std::span<const uint16_t> from, std::span<float> to) {
  const size_t count = std::min(from.size(), to.size());
  size_t i = 0;
#ifdef TERN_HALF_X86
  if (HasF16c()) i = WidenF16c(from.data(), to.data(), count);
#endif
  for (; i < count; ++i) to[i] = HalfToFloat(from[i]);
}

void FloatToHalf(std::span<const float> from, std::span<uint16_t> to) {
  const size_t count = std::min(from.size(), to.size());
  size_t i = 0;
#ifdef TERN_HALF_X86
  if (HasF16c()) i = NarrowF16c(from.data(), to.data(), count);
#endif
  for (; i < count; ++i) to[i] = FloatToHalf(from[i]);
}

}  // namespace tern
