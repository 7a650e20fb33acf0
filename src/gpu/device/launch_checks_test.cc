// SPDX-License-Identifier: Apache-2.0
// The checks that backends share, at the edges of what 64 bits hold.
#include "gpu/device/launch_checks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "base/status.h"

namespace tern::gpu {
namespace {

std::string Text(const absl::Status& status) { return std::string(Message(status)); }

TEST(LaunchChecks, BuffersAndRanges) {
  DeviceInfo info;
  info.max_buffer_bytes = 100;
  info.buffer_alignment = 16;
  EXPECT_TRUE(CheckBufferSize(100, info).ok());
  EXPECT_EQ(Text(CheckBufferSize(0, info)), "buffer size (0 bytes, limit 100)");
  EXPECT_EQ(Text(CheckBufferSize(101, info)), "buffer size (101 bytes, limit 100)");
  EXPECT_TRUE(CheckWithin({nullptr, 60}, 40, 100).ok());
  EXPECT_TRUE(CheckWithin({nullptr, 100}, 0, 100).ok());
  EXPECT_EQ(Text(CheckWithin({nullptr, 60}, 41, 100)),
            "range beyond its buffer (60 + 41, limit 100)");
  EXPECT_FALSE(CheckWithin({nullptr, -1}, 4, 100).ok());
  EXPECT_FALSE(CheckWithin({nullptr, 0}, -1, 100).ok());
  EXPECT_FALSE(CheckWithin({nullptr, INT64_MAX}, INT64_MAX, 100).ok());
  EXPECT_TRUE(CheckArgument({nullptr, 32, 4}, info).ok());
  EXPECT_EQ(Text(CheckArgument({nullptr, 32, 0}, info)), "range is empty (0)");
  EXPECT_EQ(Text(CheckArgument({nullptr, 8, 4}, info)), "range is not aligned (offset 8)");
}

TEST(LaunchChecks, GroupsAndArguments) {
  DeviceInfo info;
  info.max_group = {8, 8, 2};
  Launch launch;
  launch.grid = {17, 1, INT32_MAX};
  launch.group = {8, 4, 2};
  launch.uniform_words = {1, 2};
  const auto groups = CountGroups(launch, info);
  ASSERT_TRUE(groups.ok()) << groups.status();
  EXPECT_EQ(*groups, (Int3{3, 1, 1 << 30}));
  EXPECT_TRUE(CheckGroupItems(launch, 64).ok());
  EXPECT_EQ(Text(CheckGroupItems(launch, 63)), "group too large (64, limit 63)");
  EXPECT_TRUE(CheckArgumentCount(launch, 0, 2).ok());
  EXPECT_FALSE(CheckArgumentCount(launch, 1, 2).ok());
  EXPECT_FALSE(CheckArgumentCount(launch, 0, 1).ok());
  launch.group[2] = 3;
  EXPECT_EQ(Text(CountGroups(launch, info).status()),
            "bad group or grid (group 3, grid 2147483647)");
  launch.group[2] = 0;
  EXPECT_FALSE(CountGroups(launch, info).ok());
  launch.group[2] = 1;
  launch.grid[1] = 0;
  EXPECT_EQ(Text(CountGroups(launch, info).status()), "bad group or grid (group 4, grid 0)");
  launch.grid = launch.group = {INT32_MAX, INT32_MAX, 1};
  EXPECT_FALSE(CheckGroupItems(launch, INT32_MAX).ok());
}

}  // namespace
}  // namespace tern::gpu
