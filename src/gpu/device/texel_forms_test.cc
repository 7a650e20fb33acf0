// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/texel_forms.h"

#include <gtest/gtest.h>

namespace tern::gpu {
namespace {

TEST(TexelForms, AllSizesHaveOneForm) {
  DeviceInfo info;
  info.texel_forms = true;
  info.max_texels = 1 << 20;
  for (int64_t bytes = 16; bytes <= 1 << 20; bytes += 16) {
    const int64_t range = *TexelBytes(bytes, Element::kFloat32, info);
    const int64_t buffer = bytes + RoomForTexels(bytes, info);
    EXPECT_NE(range & 0xff00, 0) << bytes;
    EXPECT_FALSE(std::has_single_bit(static_cast<uint64_t>(buffer))) << bytes;
    EXPECT_GE(range, bytes);
    EXPECT_LE(range, buffer) << "the last range of a buffer";
  }
}

TEST(TexelForms, OtherDriversGetTheSizesOfRanges) {
  DeviceInfo info;
  info.max_texels = 65536;
  EXPECT_EQ(*TexelBytes(65536, Element::kFloat16, info), 65536);
  EXPECT_EQ(RoomForTexels(65536, info), 0);
}

TEST(TexelForms, StayWithinTheDevicesLimit) {
  DeviceInfo info;
  info.texel_forms = true;
  info.max_texels = 4096;
  EXPECT_EQ(*TexelBytes(65536, Element::kFloat32, info), 65536) << "as long as it may be";
  EXPECT_EQ(TexelBytes(65536 + 16, Element::kFloat32, info).status().message(),
            "too many texels (4097, limit 4096)");
}

}  // namespace
}  // namespace tern::gpu
