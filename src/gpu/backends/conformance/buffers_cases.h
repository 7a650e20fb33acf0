// SPDX-License-Identifier: Apache-2.0
// For tests: what every device promises about memory.
#ifndef TERN_GPU_BACKENDS_CONFORMANCE_BUFFERS_CASES_H_
#define TERN_GPU_BACKENDS_CONFORMANCE_BUFFERS_CASES_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/backends/conformance/device_programs.h"

namespace tern::gpu::conformance {

inline void RunBufferRoundTrips(Device& device) {
  for (const int64_t bytes : {1, 3, 4, 100, 4096, 1 << 20}) {
    SCOPED_TRACE(StrCat(bytes, " bytes"));
    const BufferRange range = NewRange(device, bytes);
    std::vector<uint8_t> out(bytes), in(bytes);
    for (int64_t i = 0; i < bytes; ++i) out[i] = static_cast<uint8_t>(i * 31 + 7);
    ASSERT_TRUE(device.Upload(range, out.data(), bytes).ok());
    ASSERT_TRUE(device.Download(range, in.data(), bytes).ok());
    ASSERT_EQ(in, out);
  }
}

// A range is a window: what lies beside it stays.
inline void RunBufferRanges(Device& device) {
  const int64_t part = device.info().buffer_alignment;
  const BufferRange all = NewRange(device, 3 * part);
  Fill(device, all, 1.0f);
  const BufferRange middle = {all.buffer, part, part};
  Fill(device, middle, 2.0f);
  const std::vector<float> got = Floats(device, all);
  for (size_t i = 0; i < got.size(); ++i) {
    const int64_t third = static_cast<int64_t>(i) * 4 / part;
    ASSERT_EQ(got[i], third == 1 ? 2.0f : 1.0f) << i;
  }
  EXPECT_EQ(Floats(device, middle), std::vector<float>(part / 4, 2.0f));
}

inline void RunBufferRefusals(Device& device) {
  EXPECT_FALSE(device.CreateBuffer(0).ok());
  EXPECT_FALSE(device.CreateBuffer(-1).ok());
  for (const int64_t bytes : {device.info().max_buffer_bytes + 1, INT64_MAX}) {
    auto large = device.CreateBuffer(bytes);
    ASSERT_FALSE(large.ok());
    const std::string text(large.status().message());
    EXPECT_NE(text.find(StrCat(bytes)), std::string::npos) << text;
    EXPECT_NE(text.find(StrCat(device.info().max_buffer_bytes)), std::string::npos) << text;
  }
  const BufferRange range = NewRange(device, 64);
  char data[128] = {};
  EXPECT_TRUE(device.Upload(range, data, 0).ok());
  EXPECT_FALSE(device.Upload(range, data, 65).ok());
  EXPECT_FALSE(device.Download(range, data, 65).ok());
  EXPECT_FALSE(device.Download(range, data, -1).ok());
  EXPECT_FALSE(device.Upload({range.buffer, 64, 1}, data, 1).ok());
  EXPECT_FALSE(device.Upload({range.buffer, -4, 4}, data, 4).ok());
  EXPECT_FALSE(device.Upload({range.buffer, INT64_MAX, 4}, data, 4).ok());
  EXPECT_FALSE(device.Upload({nullptr, 0, 4}, data, 4).ok());
}

}  // namespace tern::gpu::conformance

#endif  // TERN_GPU_BACKENDS_CONFORMANCE_BUFFERS_CASES_H_
