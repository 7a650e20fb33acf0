// SPDX-License-Identifier: Apache-2.0
// Memory for packed weights and scratch: aligned to cache lines and not initialized, so that each
// page is touched once.
#ifndef TERN_CPU_ALIGNED_H_
#define TERN_CPU_ALIGNED_H_

#include <sys/mman.h>
#include <unistd.h>

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

// Asks the system for the pages of a large block at once, which takes a third of the time that
// meeting them one by one does. For memory that will be written as a whole.
inline void TouchPages(void* block, size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  static const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<uintptr_t>(block);
  const uintptr_t first = (address + page - 1) / page * page;
  const uintptr_t end = (address + bytes) / page * page;
  // A system that cannot leaves it to the first write.
  if (end > first) (void)madvise(reinterpret_cast<void*>(first), end - first, MADV_POPULATE_WRITE);
#else
  (void)block;
  (void)bytes;
#endif
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
