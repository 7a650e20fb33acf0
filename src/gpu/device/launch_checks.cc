// SPDX-License-Identifier: Apache-2.0
// Sums and products are of 64 bits: callers may ask for anything.
#include "gpu/device/launch_checks.h"

#include "base/status.h"

namespace tern::gpu {

absl::Status CheckBufferSize(int64_t bytes, const DeviceInfo& info) {
  if (bytes >= 1 && bytes <= info.max_buffer_bytes) return absl::OkStatus();
  return TooLarge("buffer size (", bytes, " bytes, limit ", info.max_buffer_bytes, ")");
}

absl::Status CheckWithin(const BufferRange& range, int64_t bytes, int64_t limit) {
  if (range.offset >= 0 && bytes >= 0 && range.offset <= limit && bytes <= limit - range.offset)
    return absl::OkStatus();
  return Invalid("range beyond its buffer (", range.offset, " + ", bytes, ", limit ", limit, ")");
}

absl::Status CheckArgument(const BufferRange& range, const DeviceInfo& info) {
  if (range.bytes < 1) return Invalid("range is empty (", range.bytes, ")");
  if (range.offset % info.buffer_alignment != 0)
    return Invalid("range is not aligned (offset ", range.offset, ")");
  return absl::OkStatus();
}

absl::Status CheckArgumentCount(const Launch& launch, size_t buffers, size_t uniforms) {
  if (launch.buffers.size() == buffers && launch.uniform_words.size() == uniforms)
    return absl::OkStatus();
  return Invalid("arguments do not fit the program");
}

absl::StatusOr<Int3> CountGroups(const Launch& launch, const DeviceInfo& info) {
  Int3 groups = {};
  for (int axis = 0; axis < 3; ++axis) {
    const int64_t size = launch.group[axis];
    const int64_t grid = launch.grid[axis];
    if (size < 1 || size > info.max_group[axis] || grid < 1)
      return Invalid("bad group or grid (group ", size, ", grid ", grid, ")");
    groups[axis] = static_cast<int>((grid + size - 1) / size);
  }
  return groups;
}

absl::Status CheckGroupItems(const Launch& launch, int64_t limit) {
  int64_t items = 1;
  for (const int size : launch.group) items *= size;
  if (items <= limit) return absl::OkStatus();
  return TooLarge("group too large (", items, ", limit ", limit, ")");
}

}  // namespace tern::gpu
