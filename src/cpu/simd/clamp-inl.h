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

// v, or low where v is less.
template <class V>
HWY_INLINE V AtLeast(V low, V v) {
#if HWY_ARCH_X86
  return hn::Max(low, v);  // of two that do not compare the second
#else
  return hn::IfThenElse(hn::Lt(v, low), low, v);
#endif
}

// v, or high where v is greater.
template <class V>
HWY_INLINE V AtMost(V high, V v) {
#if HWY_ARCH_X86
  return hn::Min(high, v);
#else
  return hn::IfThenElse(hn::Lt(high, v), high, v);
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
