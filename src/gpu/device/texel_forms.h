// SPDX-License-Identifier: Apache-2.0
// Sizes of texel buffers for drivers that compile a program again for each form of those
// (DeviceInfo::texel_forms). Mesa's llvmpipe takes two facts of a texel buffer into machine code:
// whether the buffer's size is a power of two, and whether bits 8 to 15 of the range's size are all
// zero, which it takes for the levels of an image. With these sizes all have one form.
#ifndef TERN_GPU_DEVICE_TEXEL_FORMS_H_
#define TERN_GPU_DEVICE_TEXEL_FORMS_H_

#include <algorithm>
#include <bit>
#include <cstdint>

#include "absl/status/statusor.h"
#include "base/status.h"
#include "gpu/desc/device_info.h"
#include "gpu/desc/tensor_desc.h"

namespace tern::gpu {

constexpr int64_t kTexelRoom = 256;

// Bytes to allocate behind a buffer of `bytes` bytes, for the ranges that grow.
inline int64_t RoomForTexels(int64_t bytes, const DeviceInfo& info) {
  if (!info.texel_forms) return 0;
  const bool power = std::has_single_bit(static_cast<uint64_t>(bytes + kTexelRoom));
  return power ? 2 * kTexelRoom : kTexelRoom;
}

// Bytes of the texel buffer over a range of `bytes` bytes; those behind it are not read. An error
// where the range has more texels than the device has in one.
inline absl::StatusOr<int64_t> TexelBytes(int64_t bytes, Element element, const DeviceInfo& info) {
  const int64_t texel = BytesOf(element, 4), texels = bytes / texel;
  if (texels > info.max_texels)
    return TooLarge("too many texels (", texels, ", limit ", info.max_texels, ")");
  const bool grows = info.texel_forms && (bytes & 0xff00) == 0;
  return std::min(grows ? bytes + kTexelRoom : bytes, info.max_texels * texel);
}

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_TEXEL_FORMS_H_
