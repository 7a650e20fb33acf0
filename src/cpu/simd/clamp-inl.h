// SPDX-License-Identifier: Apache-2.0
// Limits of floats that keep NaN. Min and Max of the vector library give one of two operands that
// do not compare: which, differs between processors. Compiled once per instruction set.
#if defined(TERN_CPU_SIMD_CLAMP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TERN_CPU_SIMD_CLAMP_INL_H_
#undef TERN_CPU_SIMD_CLAMP_INL_H_
#else
#define TERN_CPU_SIMD_CLAMP_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if !HWY_ARCH_X86
// yes where a is less than b, else no. For Arm clang would make one maximum or minimum of the two
// instructions, and that of -0 and 0 is not always the one of which neither is less: the empty
// statement hides where the mask comes from.
template <class V>
HWY_INLINE V IfLess(V a, V b, V yes, V no) {
  auto less = hn::Lt(a, b);
#if HWY_ARCH_ARM && defined(__clang__)
  asm("" : "+w"(less.raw));
#endif
  return hn::IfThenElse(less, yes, no);
}
#endif

// v, or low where v is less.
template <class V>
HWY_INLINE V AtLeast(V low, V v) {
#if HWY_ARCH_X86
  return hn::Max(low, v);  // of two that do not compare the second
#else
  return IfLess(v, low, low, v);
#endif
}

// v, or high where v is greater.
template <class V>
HWY_INLINE V AtMost(V high, V v) {
#if HWY_ARCH_X86
  return hn::Min(high, v);
#else
  return IfLess(high, v, high, v);
#endif
}

template <class V>
HWY_INLINE V Between(V low, V high, V v) {
  return AtMost(high, AtLeast(low, v));
}

}  // namespace HWY_NAMESPACE
}  // namespace tern
HWY_AFTER_NAMESPACE();

#endif  // TERN_CPU_SIMD_CLAMP_INL_H_
