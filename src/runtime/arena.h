// SPDX-License-Identifier: Apache-2.0
//
// One growing block of memory whose content survives growth. Tensors live at offsets in it.
#ifndef TERN_RUNTIME_ARENA_H_
#define TERN_RUNTIME_ARENA_H_

#include <cstddef>

#include "tensorflow/lite/core/c/common.h"

namespace tern {

// Every tensor starts at a multiple of this many bytes.
inline constexpr size_t kTensorAlignment = 64;
// Readable bytes after the last tensor, because vector kernels read past the end of their input.
inline constexpr size_t kArenaSlack = 64;

class Arena {
 public:
  // `allocator` may be null (system memory); it is not owned and must outlive the arena.
  explicit Arena(const TfLiteAllocator* allocator) : allocator_(allocator) {}
  ~Arena() { Release(); }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Makes room for `bytes` usable bytes. The first bytes keep their content; the address may
  // change. Never shrinks. Returns false, with the old block intact, if there is no memory. A block
  // of system memory has its pages at once, unless it is very large: the first run writes all.
  bool Reserve(size_t bytes);
  // Gives the memory back.
  void Release();

  char* base() const { return base_; }
  size_t capacity() const { return capacity_; }

 private:
  char* Allocate(size_t bytes) const;
  void Deallocate(char* block, size_t bytes) const;

  const TfLiteAllocator* allocator_;
  char* base_ = nullptr;
  size_t capacity_ = 0;  // without the slack
};

}  // namespace tern

#endif  // TERN_RUNTIME_ARENA_H_
