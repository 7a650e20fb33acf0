// SPDX-License-Identifier: Apache-2.0
// Turns a depthwise convolution with a multiplier into one without. For src/cpu alone.
#ifndef TERN_CPU_REPEAT_CHANNELS_H_
#define TERN_CPU_REPEAT_CHANNELS_H_

#include <algorithm>
#include <cstdint>

#include "cpu/aligned.h"
#include "cpu/thread_pool.h"

namespace tern {

// Each of `count` channels `times` times, as often as output channels read it. Null where there is
// no memory.
template <class T>
AlignedArray<T> RepeatChannels(const T* from, int64_t count, int64_t times, ThreadPool* pool) {
  AlignedArray<T> to = MakeAligned<T>(static_cast<size_t>(count * times));
  if (to == nullptr) return to;
  ParallelFor(pool, count, times, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) std::fill_n(to.get() + i * times, times, from[i]);
  });
  return to;
}

}  // namespace tern

#endif  // TERN_CPU_REPEAT_CHANNELS_H_
