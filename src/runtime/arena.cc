// SPDX-License-Identifier: Apache-2.0
//
// Aligned memory block for the tensors of a graph.
#include "runtime/arena.h"

#include <cstring>
#include <limits>
#include <new>

#include "base/touch_pages.h"
#include "runtime/free_memory.h"

namespace tern {
namespace {

// The first run of a model with more takes much longer than its pages do, and whoever only
// prepares such a model does not pay for them.
constexpr size_t kTouchedAtOnce = size_t{64} << 20;

}  // namespace

bool Arena::Reserve(size_t bytes) {
  if (base_ != nullptr && bytes <= capacity_) return true;
  if (bytes > std::numeric_limits<size_t>::max() / 2) return false;
  const size_t rounded = (bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
  if (!MemoryMayHold(rounded)) return false;
  char* block = Allocate(rounded + kArenaSlack);
  if (block == nullptr) return false;
  if (base_ != nullptr) {
    std::memcpy(block, base_, capacity_);
    Deallocate(base_, capacity_ + kArenaSlack);
  }
  base_ = block;
  capacity_ = rounded;
  if (allocator_ == nullptr && rounded <= kTouchedAtOnce) TouchPages(block, rounded);
  return true;
}

void Arena::Release() {
  if (base_ != nullptr) Deallocate(base_, capacity_ + kArenaSlack);
  base_ = nullptr;
  capacity_ = 0;
}

char* Arena::Allocate(size_t bytes) const {
  if (allocator_ != nullptr && allocator_->allocate != nullptr) {
    return static_cast<char*>(allocator_->allocate(allocator_->data, bytes, kTensorAlignment));
  }
  return static_cast<char*>(
      ::operator new(bytes, std::align_val_t(kTensorAlignment), std::nothrow));
}

void Arena::Deallocate(char* block, size_t bytes) const {
  if (allocator_ != nullptr && allocator_->allocate != nullptr) {
    if (allocator_->deallocate != nullptr) {
      allocator_->deallocate(allocator_->data, block, bytes, kTensorAlignment);
    }
    return;
  }
  ::operator delete(block, std::align_val_t(kTensorAlignment), std::nothrow);
}

}  // namespace tern
