// SPDX-License-Identifier: Apache-2.0
// Memory for packed weights and scratch: aligned to cache lines and not initialized, so that each
// page is touched once.
#ifndef TERN_CPU_ALIGNED_H_
#define TERN_CPU_ALIGNED_H_

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace tern {

struct FreeMemory {
  void operator()(void* p) const { std::free(p); }
};
template <class T>
using AlignedArray = std::unique_ptr<T[], FreeMemory>;

// `count` elements, or null where there is no memory for them.
template <class T>
AlignedArray<T> MakeAligned(size_t count) {
  constexpr size_t kLine = 64;
  if (count > (SIZE_MAX - kLine) / sizeof(T)) return nullptr;
  const size_t bytes = (count * sizeof(T) + kLine - 1) / kLine * kLine;
  return AlignedArray<T>(static_cast<T*>(std::aligned_alloc(kLine, bytes == 0 ? kLine : bytes)));
}

}  // namespace tern

#endif  // TERN_CPU_ALIGNED_H_
