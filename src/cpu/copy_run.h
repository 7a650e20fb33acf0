// SPDX-License-Identifier: Apache-2.0
// Copies of a few numbers.
#ifndef TERN_CPU_COPY_RUN_H_
#define TERN_CPU_COPY_RUN_H_

#include <cstdint>
#include <cstring>

namespace tern {

// memcpy for short runs of a few numbers: without a call, in pieces of 16 bytes of which the
// last may overlap the one before.
template <class T>
inline void CopyRun(const T* from, int64_t count, T* to) {
  constexpr int64_t kPiece = 16 / sizeof(T), kLong = 16 * kPiece;
  if (count >= kLong) {
    std::memcpy(to, from, static_cast<size_t>(count) * sizeof(T));
  } else if (count >= kPiece) {
    for (int64_t i = 0; i + kPiece < count; i += kPiece) std::memcpy(to + i, from + i, 16);
    std::memcpy(to + count - kPiece, from + count - kPiece, 16);
  } else if (sizeof(T) == 1 && count >= 8) {
    std::memcpy(to, from, 8);
    std::memcpy(to + count - 8, from + count - 8, 8);
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] = from[i];
  }
}

}  // namespace tern

#endif  // TERN_CPU_COPY_RUN_H_
