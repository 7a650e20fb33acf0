// SPDX-License-Identifier: Apache-2.0
// Buffers are freed outside the lock: drivers may take their time.
#include "gpu/device/buffer_store.h"

#include <algorithm>
#include <utility>

namespace tern::gpu {

std::shared_ptr<Buffer> BufferStore::Take(const Device& device, int64_t bytes, uint64_t content) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(free_list_.begin(), free_list_.end(), [&](const FreeBuffer& r) {
    return r.device.get() == &device && r.bytes == bytes && r.content == content;
  });
  if (found == free_list_.end()) return nullptr;
  std::shared_ptr<Buffer> buffer = std::move(found->buffer);
  free_list_.erase(found);
  return buffer;
}

bool BufferStore::HasContent(const Device& device, int64_t bytes) {
  const std::lock_guard lock(mutex_);
  return std::any_of(free_list_.begin(), free_list_.end(), [&](const FreeBuffer& r) {
    return r.device.get() == &device && r.bytes == bytes && r.content != 0;
  });
}

void BufferStore::Put(std::shared_ptr<Device> device, std::shared_ptr<Buffer> buffer, int64_t bytes,
                      uint64_t content) {
  if (device->lost()) return;
  const std::lock_guard lock(mutex_);
  if (!closed_) free_list_.push_back({std::move(device), std::move(buffer), bytes, content});
}

bool BufferStore::Clear() {
  std::vector<FreeBuffer> gone;
  {
    const std::lock_guard lock(mutex_);
    gone.swap(free_list_);
  }
  return !gone.empty();
}

void BufferStore::Close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  Clear();
}

}  // namespace tern::gpu
