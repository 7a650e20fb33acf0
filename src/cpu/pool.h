// SPDX-License-Identifier: Apache-2.0
// Pooling of one window: all its pixels become one.
#ifndef TERN_CPU_POOL_H_
#define TERN_CPU_POOL_H_

#include <cstdint>

namespace tern {

enum class PoolKind { kAverage, kMax, kL2 };

// The pixels of a window inside the image: rows x columns of `channels` numbers each, columns side
// by side and rows `row_step` numbers apart.
template <class T>
struct PoolWindow {
  const T* first;
  int64_t rows, columns, row_step, channels;
};

// Averages of bytes are exact up to this many pixels.
inline constexpr int64_t kMaxPooledBytes = 1 << 15;

// out[c] is made of channel c of all pixels, within [low, high]. The mean of bytes is rounded, ties
// away from zero. A maximum passes over NaN, the others keep it.
template <class T, class Limit>
using PoolKernel = void (*)(const PoolWindow<T>& window, T* out, Limit low, Limit high);

// Null where this processor or build has no such form; bytes have no L2.
PoolKernel<float, float> FastFloatPool(PoolKind kind);
PoolKernel<int8_t, int32_t> FastSignedPool(PoolKind kind);
PoolKernel<uint8_t, int32_t> FastUnsignedPool(PoolKind kind);

}  // namespace tern

#endif  // TERN_CPU_POOL_H_
