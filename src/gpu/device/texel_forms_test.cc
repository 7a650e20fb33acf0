// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/texel_forms.h"

#include <gtest/gtest.h>

namespace tern::gpu {
namespace {

TEST(TexelForms, AllSizesHaveOneForm) {
  DeviceInfo info;
  info.texel_forms = true;
  for (int64_t bytes = 16; bytes <= 1 << 20; bytes += 16) {
    const int64_t range = TexelBytes(bytes, info), buffer = bytes + RoomForTexels(bytes, info);
    EXPECT_NE(range & 0xff00, 0) << bytes;
    EXPECT_FALSE(std::has_single_bit(static_cast<uint64_t>(buffer))) << bytes;
    EXPECT_GE(range, bytes);
    EXPECT_LE(range, buffer) << "the last range of a buffer";
  }
}

TEST(TexelForms, OtherDriversGetTheSizesOfRanges) {
  EXPECT_EQ(TexelBytes(65536, DeviceInfo()), 65536);
  EXPECT_EQ(RoomForTexels(65536, DeviceInfo()), 0);
}

}  // namespace
}  // namespace tern::gpu
