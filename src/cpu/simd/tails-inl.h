// SPDX-License-Identifier: Apache-2.0
// The ends of rows that fill no vector. Compiled once per instruction set.
#if defined(TERN_CPU_SIMD_TAILS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TERN_CPU_SIMD_TAILS_INL_H_
#undef TERN_CPU_SIMD_TAILS_INL_H_
#else
#define TERN_CPU_SIMD_TAILS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace tern {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The first count elements, fewer than a vector has; the others are 0. Reads nothing else.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> LoadTail(D d, const T* from, int64_t count) {
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
  if constexpr (sizeof(T) == 4) {
    return hn::MaskedLoad(hn::FirstN(d, static_cast<size_t>(count)), d, from);
  }
#endif
  HWY_ALIGN T all[HWY_MAX_BYTES / sizeof(T)] = {};
  std::memcpy(all, from, static_cast<size_t>(count) * sizeof(T));
  return hn::Load(d, all);
}

// Writes the first count elements and nothing else.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE void StoreTail(hn::Vec<D> v, D d, T* to, int64_t count) {
#if HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86
  if constexpr (sizeof(T) == 4) {
    hn::BlendedStore(v, hn::FirstN(d, static_cast<size_t>(count)), d, to);
    return;
  }
#endif
  HWY_ALIGN T all[HWY_MAX_BYTES / sizeof(T)];
  hn::Store(v, d, all);
  std::memcpy(to, all, static_cast<size_t>(count) * sizeof(T));
}

// out[i] = make(in[i]).
template <class D, class T, class R, class Make>
HWY_INLINE void MapRow(D d, const T* in, R* out, int64_t count, const Make& make) {
  const auto n = static_cast<int64_t>(hn::Lanes(d));
  const hn::Rebind<R, D> dr;
  int64_t i = 0;
  for (; i + n <= count; i += n) hn::StoreU(make(hn::LoadU(d, in + i)), dr, out + i);
  if (i < count) StoreTail(make(LoadTail(d, in + i, count - i)), dr, out + i, count - i);
}

}  // namespace HWY_NAMESPACE
}  // namespace tern
HWY_AFTER_NAMESPACE();

#endif  // TERN_CPU_SIMD_TAILS_INL_H_
