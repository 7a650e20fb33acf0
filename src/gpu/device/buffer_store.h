// SPDX-License-Identifier: Apache-2.0
// The free list of device memory: an executor takes the buffers of the one before, so that a graph
// for other shapes allocates only where sizes differ.
#ifndef TERN_GPU_DEVICE_BUFFER_STORE_H_
#define TERN_GPU_DEVICE_BUFFER_STORE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/device/device.h"

namespace tern::gpu {

// Safe to use from several threads.
class BufferStore {
 public:
  // A buffer left behind on this device with exactly so many bytes, whose content is of no
  // interest (0) or known by its hash. Null when there is none. It is then the caller's.
  std::shared_ptr<Buffer> Take(const Device& device, int64_t bytes, uint64_t content = 0);
  // Whether a free buffer of this size has known content.
  bool HasContent(const Device& device, int64_t bytes);
  void Put(std::shared_ptr<Device> device, std::shared_ptr<Buffer> buffer, int64_t bytes,
           uint64_t content = 0);

  // Frees all buffers; whether there was one.
  bool Clear();
  // Nothing is kept from now on.
  void Close();

 private:
  struct FreeBuffer {
    std::shared_ptr<Device> device;  // ends after its buffer
    std::shared_ptr<Buffer> buffer;
    int64_t bytes;
    uint64_t content;
  };

  std::mutex mutex_;
  bool closed_ = false;
  std::vector<FreeBuffer> free_list_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_BUFFER_STORE_H_
