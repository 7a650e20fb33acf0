// SPDX-License-Identifier: Apache-2.0
// Private to src/cpu/simd, read once per instruction set: the product of all integer kernels.
#if defined(TERN_CPU_SIMD_MULTIPLY_PAIRS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TERN_CPU_SIMD_MULTIPLY_PAIRS_INL_H_
#undef TERN_CPU_SIMD_MULTIPLY_PAIRS_INL_H_
#else
#define TERN_CPU_SIMD_MULTIPLY_PAIRS_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {
#if TERN_SIMD

namespace hn = hwy::HWY_NAMESPACE;

// sum + the products of neighbours: a[2 i] b[2 i] + a[2 i + 1] b[2 i + 1].
template <class D32, class V16, class V32>
HWY_INLINE V32 AddPairs(D32 d, V16 a, V16 b, V32 sum) {
#if HWY_TARGET == HWY_AVX3_DL
  // Intrinsics would not do: Highway 1.0.3 tells the compiler of AVX-VNNI, which processors with
  // the VNNI of AVX-512 need not have; clang makes its instruction of a product and a sum in 128 or
  // 256 bits. By this name assemblers know the one of AVX-512.
  (void)d;
  asm("vpdpwssd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b.raw));
  return sum;
#elif HWY_ARCH_ARM_A64
  (void)d;
  const int32x4_t low = vmull_s16(vget_low_s16(a.raw), vget_low_s16(b.raw));
  return V32(vaddq_s32(sum.raw, vpaddq_s32(low, vmull_high_s16(a.raw, b.raw))));
#else
  V32 unused = hn::Zero(d);
  return hn::ReorderWidenMulAccumulate(d, a, b, sum, unused);
#endif
}

#if HWY_TARGET == HWY_AVX3_DL
// sum + the products of four neighbours each; `a` is unsigned.
template <class V32>
HWY_INLINE V32 AddFours(V32 a, __m512i b, V32 sum) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(a.raw), "v"(b));
  return sum;
}
#endif

#endif  // TERN_SIMD
}  // namespace HWY_NAMESPACE
}  // namespace tern
HWY_AFTER_NAMESPACE();

#endif  // include guard
