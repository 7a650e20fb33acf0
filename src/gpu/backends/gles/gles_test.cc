// SPDX-License-Identifier: Apache-2.0
// The conformance cases and the dialect on whatever OpenGL ES driver this machine has, with its
// own limits and with those of the specification.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "gpu/backends/conformance/buffers_cases.h"
#include "gpu/backends/conformance/commands_cases.h"
#include "gpu/backends/conformance/dialect_cases.h"
#include "gpu/backends/conformance/pipelines_cases.h"
#include "gpu/backends/conformance/special_cases.h"
#include "gpu/backends/gles/gl_context.h"
#include "gpu/backends/gles/gl_device.h"
#include "gpu/testing/io_cases.h"

namespace tern::gpu {
namespace {

class GlesTest : public testing::Test {
 protected:
  void SetUp() override {
    static const absl::StatusOr<std::shared_ptr<Device>> device = OpenGlesDevice();
    if (!device.ok()) GTEST_SKIP() << "OpenGL ES device: " << device.status();
    device_ = *device;
  }

  std::shared_ptr<Device> device_;
};

TEST_F(GlesTest, BufferRoundTrips) { conformance::RunBufferRoundTrips(*device_); }
TEST_F(GlesTest, BufferRanges) { conformance::RunBufferRanges(*device_); }
TEST_F(GlesTest, BufferRefusals) { conformance::RunBufferRefusals(*device_); }
TEST_F(GlesTest, BadProgram) { conformance::RunBadProgram(*device_); }
TEST_F(GlesTest, ProgramCache) { conformance::RunProgramCache(*device_); }
TEST_F(GlesTest, Binaries) { conformance::RunBinaries(*device_); }
TEST_F(GlesTest, ProgramsAtOnce) { conformance::RunProgramsAtOnce(*device_); }
TEST_F(GlesTest, ForeignBinaries) { conformance::RunForeignBinaries(*device_); }
TEST_F(GlesTest, Ids) { conformance::RunIds(*device_); }
TEST_F(GlesTest, Order) { conformance::RunOrder(*device_); }
TEST_F(GlesTest, Ranges) { conformance::RunRanges(*device_); }
TEST_F(GlesTest, CommandRefusals) { conformance::RunCommandRefusals(*device_); }
TEST_F(GlesTest, Times) { conformance::RunTimes(*device_, true); }

TEST_F(GlesTest, Queues) { conformance::RunQueues(*device_); }
TEST_F(GlesTest, Threads) { conformance::RunThreads(*device_); }
TEST_F(GlesTest, Words) { conformance::RunWordCases(*device_); }
TEST_F(GlesTest, Copies) { conformance::RunCopyCases(*device_); }
TEST_F(GlesTest, Chains) { conformance::RunChainCases(*device_); }
TEST_F(GlesTest, SpecialNumbers) { conformance::RunSpecialCases(*device_); }
TEST_F(GlesTest, Local) { conformance::RunLocalCases(*device_); }
TEST_F(GlesTest, GivenMemory) {
  conformance::RunGivenMemory(device_, conformance::OwnMemory(device_));
}
TEST_F(GlesTest, GivenMemoryRest) {
  conformance::RunGivenMemoryKeepsTheRest(device_, conformance::OwnMemory(device_));
}
TEST_F(GlesTest, GivenMemoryRefusals) { conformance::RunGivenMemoryRefusals(device_); }

TEST_F(GlesTest, SaneLimits) {
  const DeviceInfo& info = device_->info();
  EXPECT_EQ(info.api, "gles");
  EXPECT_FALSE(info.name.empty());
  EXPECT_NE(info.driver.find("OpenGL ES 3."), std::string::npos) << info.driver;
  EXPECT_EQ(info.max_slice_width, 4);
  EXPECT_GE(info.max_buffers, 4);
  EXPECT_GE(info.max_group_items, 128);
  EXPECT_GE(info.max_group[0], 128);
  EXPECT_GE(info.max_group[2], 64);
  EXPECT_GE(info.max_grid_groups[2], 65535);
  EXPECT_GE(info.local_memory_bytes, 16 << 10);
  EXPECT_GE(info.max_buffer_bytes, 1 << 27);
  EXPECT_GE(info.buffer_alignment, 64);
  EXPECT_EQ(info.buffer_alignment & (info.buffer_alignment - 1), 0);
}

TEST_F(GlesTest, MinimumLimits) {
  auto device = OpenGlesDevice({.minimum_limits = true});
  ASSERT_TRUE(device.ok()) << device.status();
  const DeviceInfo& info = (*device)->info();
  EXPECT_EQ(info.max_buffers, 4);
  EXPECT_EQ(info.max_group_items, 128);
  EXPECT_EQ(info.max_group, (Int3{128, 128, 64}));
  EXPECT_EQ(info.local_memory_bytes, 16 << 10);
  EXPECT_EQ(info.max_texel_buffers, 0);
  conformance::RunBufferRanges(**device);
  conformance::RunCommandRefusals(**device);
  conformance::RunIds(**device);
}

// A launch may bind no more buffers than the device says.
TEST_F(GlesTest, TooManyBuffers) {
  auto device = OpenGlesDevice({.minimum_limits = true});
  ASSERT_TRUE(device.ok()) << device.status();
  Signature signature;
  for (int i = 0; i < 5; ++i)
    signature.buffers.push_back({StrCat("b", i), Element::kFloat32, true});
  auto pipeline = (*device)->Compile(conformance::Program(**device, signature, ""));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  const BufferRange range = conformance::NewRange(**device, 64);
  auto commands = (*device)->Record({{"five", *pipeline, std::vector<BufferRange>(5, range), {}}});
  ASSERT_FALSE(commands.ok());
  EXPECT_EQ(commands.status().message(), "five: too many buffers (5, limit 4)");
}

TEST_F(GlesTest, LaunchesHaveTheGroupOfTheText) {
  auto pipeline = device_->Compile(conformance::ScaleProgram(*device_));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  const BufferRange range = conformance::NewRange(*device_, 64);
  auto commands = device_->Record({{"other",
                                    *pipeline,
                                    {range, range},
                                    conformance::ScaleWords(16, 1.0f, 1),
                                    {16, 1, 1},
                                    {4, 1, 1}}});
  ASSERT_FALSE(commands.ok());
  EXPECT_EQ(commands.status().message(), "other: the program has groups of another size");
}

// Work-items that share a word write their halves of it at the same time.
TEST_F(GlesTest, SingleHalves) {
  constexpr int kCount = 1001;
  const BufferParam dst = {"dst", Element::kFloat16, true};
  Signature signature;
  signature.buffers = {dst};
  signature.uses_half = true;
  signature.group = {32, 1, 1};
  const std::string store = device_->language().StoreReal(dst, "i", "to_real(i)");
  auto pipeline = device_->Compile(conformance::Program(
      *device_, signature,
      StrCat("  int i = GLOBAL_ID_X;\n  if (i < ", kCount, " && i % 5 != 0) { ", store, " }\n")));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  const BufferRange range = conformance::NewRange(*device_, 2 * kCount);
  const std::vector<uint16_t> ones(kCount, 0x3C00);
  ASSERT_TRUE(device_->Upload(range, ones.data(), range.bytes).ok());
  conformance::RunOnce(*device_, {{"halves", *pipeline, {range}, {}, {kCount, 1, 1}, {32, 1, 1}}});
  std::vector<uint16_t> halves(kCount);
  ASSERT_TRUE(device_->Download(range, halves.data(), range.bytes).ok());
  std::vector<float> got(kCount);
  HalfToFloat(halves, got);
  for (int i = 0; i < kCount; ++i)
    ASSERT_EQ(got[i], i % 5 != 0 ? static_cast<float>(i) : 1.0f) << i;
}

TEST_F(GlesTest, NothingIsLeft) {
  const int before = GlHandle::live();
  {
    auto device = OpenGlesDevice();
    ASSERT_TRUE(device.ok()) << device.status();
    conformance::RunOrder(**device);
    conformance::RunBadProgram(**device);
    conformance::RunCommandRefusals(**device);
    const BufferRange range = conformance::NewRange(**device, 64);
    EXPECT_GT(GlHandle::live(), before);
    // The buffer outlives the device.
    device->reset();
  }
  EXPECT_EQ(GlHandle::live(), before);
}

}  // namespace
}  // namespace tern::gpu
