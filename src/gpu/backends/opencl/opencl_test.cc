// SPDX-License-Identifier: Apache-2.0
// The conformance cases and the dialect on whatever OpenCL device this machine has.
#include <gtest/gtest.h>

#include <memory>

#include "gpu/backends/conformance/buffers_cases.h"
#include "gpu/backends/conformance/commands_cases.h"
#include "gpu/backends/conformance/dialect_cases.h"
#include "gpu/backends/conformance/pipelines_cases.h"
#include "gpu/backends/conformance/special_cases.h"
#include "gpu/backends/opencl/cl_device.h"
#include "gpu/testing/io_cases.h"

namespace tern::gpu {
namespace {

class OpenClTest : public testing::Test {
 protected:
  void SetUp() override {
    // Never destroyed: at exit the driver may go first.
    static const auto* device = new absl::StatusOr<std::shared_ptr<Device>>(OpenClDevice());
    if (!device->ok()) GTEST_SKIP() << "OpenCL device: " << device->status();
    device_ = **device;
  }

  std::shared_ptr<Device> device_;
};

TEST_F(OpenClTest, BufferRoundTrips) { conformance::RunBufferRoundTrips(*device_); }
TEST_F(OpenClTest, BufferRanges) { conformance::RunBufferRanges(*device_); }
TEST_F(OpenClTest, BufferRefusals) { conformance::RunBufferRefusals(*device_); }
TEST_F(OpenClTest, BadProgram) { conformance::RunBadProgram(*device_); }
TEST_F(OpenClTest, ProgramCache) { conformance::RunProgramCache(*device_); }
TEST_F(OpenClTest, Binaries) { conformance::RunBinaries(*device_); }
TEST_F(OpenClTest, ProgramsAtOnce) { conformance::RunProgramsAtOnce(*device_); }
TEST_F(OpenClTest, ForeignBinaries) { conformance::RunForeignBinaries(*device_); }
// PoCL builds for a group's size when a program is launched first: that is saved, too.
TEST_F(OpenClTest, WhatTheFirstLaunchBuildsIsSaved) {
  if (device_->info().platform.find("Portable Computing Language") == std::string::npos)
    GTEST_SKIP() << "no PoCL";
  const ProgramSource source = conformance::ScaleProgram(*device_);
  auto built = device_->Compile(source);
  ASSERT_TRUE(built.ok()) << built.status();
  conformance::Scaled(*device_, *built);
  const auto binary = (*built)->Binary();
  ASSERT_TRUE(binary.ok()) << binary.status();
  auto loaded = device_->Load(source, *binary);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  conformance::Scaled(*device_, *loaded);
  const auto after = (*loaded)->Binary();
  ASSERT_TRUE(after.ok()) << after.status();
  EXPECT_EQ(after->bytes->size(), binary->bytes->size()) << "the launch built something";
}

TEST_F(OpenClTest, Ids) { conformance::RunIds(*device_); }
TEST_F(OpenClTest, Order) { conformance::RunOrder(*device_); }
TEST_F(OpenClTest, Ranges) { conformance::RunRanges(*device_); }
TEST_F(OpenClTest, CommandRefusals) { conformance::RunCommandRefusals(*device_); }
TEST_F(OpenClTest, Times) { conformance::RunTimes(*device_, true); }

TEST_F(OpenClTest, Queues) { conformance::RunQueues(*device_); }
TEST_F(OpenClTest, Threads) { conformance::RunThreads(*device_); }
TEST_F(OpenClTest, Words) { conformance::RunWordCases(*device_); }
TEST_F(OpenClTest, Copies) { conformance::RunCopyCases(*device_); }
TEST_F(OpenClTest, LaneLoops) { conformance::RunLaneLoopCases(*device_); }
TEST_F(OpenClTest, Chains) { conformance::RunChainCases(*device_); }
TEST_F(OpenClTest, SpecialNumbers) { conformance::RunSpecialCases(*device_); }
TEST_F(OpenClTest, Local) { conformance::RunLocalCases(*device_); }
TEST_F(OpenClTest, GivenMemory) {
  conformance::RunGivenMemory(device_, conformance::OwnMemory(device_));
}
TEST_F(OpenClTest, GivenMemoryRest) {
  conformance::RunGivenMemoryKeepsTheRest(device_, conformance::OwnMemory(device_));
}
TEST_F(OpenClTest, GivenMemoryRefusals) { conformance::RunGivenMemoryRefusals(device_); }

TEST_F(OpenClTest, SaneLimits) {
  const DeviceInfo& info = device_->info();
  EXPECT_EQ(info.api, "opencl");
  EXPECT_FALSE(info.name.empty());
  EXPECT_GE(info.native_vector_width, 1);
  EXPECT_LE(info.native_vector_width, 16);
  EXPECT_GE(info.max_buffers, 8);
  EXPECT_GE(info.buffer_alignment, 64);
  EXPECT_EQ(info.buffer_alignment & (info.buffer_alignment - 1), 0);
  EXPECT_GE(info.max_buffer_bytes, 1 << 20);
  EXPECT_GE(info.max_group_items, 1);
}

}  // namespace
}  // namespace tern::gpu
