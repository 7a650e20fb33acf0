// SPDX-License-Identifier: Apache-2.0
// Which launches must wait for those before them.
#ifndef TERN_GPU_BACKENDS_VULKAN_VK_HAZARDS_H_
#define TERN_GPU_BACKENDS_VULKAN_VK_HAZARDS_H_

#include <cstdint>
#include <vector>

#include "gpu/device/device.h"

namespace tern::gpu {

// Bytes of a buffer that a launch reads, or reads and writes.
struct BufferUse {
  const Buffer* buffer = nullptr;
  int64_t begin = 0, end = 0;
  bool written = false;
};

// Launches between two barriers may run at the same time.
class LaunchHazards {
 public:
  // Takes the next launch: whether a barrier must stand before it, because it meets bytes that one
  // since the last barrier wrote, or writes such bytes as one of them met.
  bool NeedsBarrier(const std::vector<BufferUse>& uses) {
    bool conflict = false;
    for (const BufferUse& use : uses) conflict = conflict || ConflictsWithEarlier(use);
    if (conflict) since_barrier_.clear();
    since_barrier_.insert(since_barrier_.end(), uses.begin(), uses.end());
    return conflict;
  }

 private:
  bool ConflictsWithEarlier(const BufferUse& use) const {
    for (const BufferUse& earlier : since_barrier_) {
      if (earlier.buffer == use.buffer && (earlier.written || use.written) &&
          earlier.begin < use.end && use.begin < earlier.end) {
        return true;
      }
    }
    return false;
  }

  std::vector<BufferUse> since_barrier_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_VULKAN_VK_HAZARDS_H_
