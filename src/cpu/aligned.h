// SPDX-License-Identifier: Apache-2.0
// Memory for packed weights and scratch: aligned to cache lines and not initialized, so that each
// page is touched once.
#ifndef TERN_CPU_ALIGNED_H_
#define TERN_CPU_ALIGNED_H_

#include <cstddef>
#include <cstdint>
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
  void* block = nullptr;  // Android has aligned_alloc since API 28 alone
  if (posix_memalign(&block, kLine, bytes == 0 ? kLine : bytes) != 0) return nullptr;
  return AlignedArray<T>(static_cast<T*>(block));
}

// Memory for one part of an operator's work: the calling thread's own, kept for the next part, or
// new where that would be much. Null where there is none.
template <class T>
class Scratch {
 public:
  explicit Scratch(size_t count) {
    constexpr size_t kKept = size_t{1} << 20;  // bytes
    if (count > kKept / sizeof(T)) {
      own_ = MakeAligned<T>(count);
      data_ = own_.get();
      return;
    }
    thread_local AlignedArray<unsigned char> kept;
    thread_local size_t size = 0;
    if (size < count * sizeof(T)) {
      kept = MakeAligned<unsigned char>(count * sizeof(T));
      size = kept == nullptr ? 0 : count * sizeof(T);
    }
    data_ = reinterpret_cast<T*>(kept.get());
  }
  T* data() const { return data_; }

 private:
  T* data_;
  AlignedArray<T> own_;
};

}  // namespace tern

#endif  // TERN_CPU_ALIGNED_H_
