// SPDX-License-Identifier: Apache-2.0
// The conformance cases and the dialect on whatever Vulkan device this machine has, with its own
// limits and with those of the specification.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "gpu/backends/conformance/buffers_cases.h"
#include "gpu/backends/conformance/commands_cases.h"
#include "gpu/backends/conformance/dialect_cases.h"
#include "gpu/backends/conformance/pipelines_cases.h"
#include "gpu/backends/conformance/special_cases.h"
#include "gpu/backends/vulkan/vk_commands.h"
#include "gpu/backends/vulkan/vk_context.h"
#include "gpu/backends/vulkan/vk_device.h"
#include "gpu/testing/io_cases.h"

namespace tern::gpu {
namespace {

class VulkanTest : public testing::Test {
 protected:
  void SetUp() override {
    // Never destroyed: at exit the driver may go first.
    static const auto* device = new absl::StatusOr<std::shared_ptr<Device>>(OpenVulkanDevice({}));
    if (!device->ok()) GTEST_SKIP() << "Vulkan device: " << device->status();
    device_ = **device;
  }

  std::shared_ptr<Device> device_;
};

TEST_F(VulkanTest, BufferRoundTrips) { conformance::RunBufferRoundTrips(*device_); }
TEST_F(VulkanTest, BufferRanges) { conformance::RunBufferRanges(*device_); }
TEST_F(VulkanTest, BufferRefusals) { conformance::RunBufferRefusals(*device_); }
TEST_F(VulkanTest, BadProgram) { conformance::RunBadProgram(*device_); }
TEST_F(VulkanTest, ProgramCache) { conformance::RunProgramCache(*device_); }
TEST_F(VulkanTest, Binaries) { conformance::RunBinaries(*device_); }
TEST_F(VulkanTest, ProgramsAtOnce) { conformance::RunProgramsAtOnce(*device_); }
TEST_F(VulkanTest, ForeignBinaries) { conformance::RunForeignBinaries(*device_); }
TEST_F(VulkanTest, Ids) { conformance::RunIds(*device_); }
TEST_F(VulkanTest, Order) { conformance::RunOrder(*device_); }
TEST_F(VulkanTest, Ranges) { conformance::RunRanges(*device_); }
TEST_F(VulkanTest, CommandRefusals) { conformance::RunCommandRefusals(*device_); }
TEST_F(VulkanTest, Times) { conformance::RunTimes(*device_, true); }

TEST_F(VulkanTest, Queues) { conformance::RunQueues(*device_); }
TEST_F(VulkanTest, Threads) { conformance::RunThreads(*device_); }
TEST_F(VulkanTest, Words) { conformance::RunWordCases(*device_); }
TEST_F(VulkanTest, Copies) { conformance::RunCopyCases(*device_); }
TEST_F(VulkanTest, Chains) { conformance::RunChainCases(*device_); }
TEST_F(VulkanTest, SpecialNumbers) { conformance::RunSpecialCases(*device_); }
TEST_F(VulkanTest, Local) { conformance::RunLocalCases(*device_); }
TEST_F(VulkanTest, GivenMemory) {
  conformance::RunGivenMemory(device_, conformance::OwnMemory(device_));
}
TEST_F(VulkanTest, GivenMemoryRest) {
  conformance::RunGivenMemoryKeepsTheRest(device_, conformance::OwnMemory(device_));
}
TEST_F(VulkanTest, GivenMemoryRefusals) { conformance::RunGivenMemoryRefusals(device_); }

TEST_F(VulkanTest, SaneLimits) {
  const DeviceInfo& info = device_->info();
  EXPECT_EQ(info.api, "vulkan");
  EXPECT_FALSE(info.name.empty());
  EXPECT_NE(info.driver.find("Vulkan 1."), std::string::npos) << info.driver;
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

// Limits of the specification, and copies through staging memory.
class VulkanMinimumTest : public testing::Test {
 protected:
  void SetUp() override {
    static const auto* device =
        new absl::StatusOr<std::shared_ptr<Device>>(OpenVulkanDevice({.minimum = true}));
    if (!device->ok()) GTEST_SKIP() << "Vulkan device: " << device->status();
    device_ = **device;
  }

  std::shared_ptr<Device> device_;
};

TEST_F(VulkanMinimumTest, Limits) {
  const DeviceInfo& info = device_->info();
  EXPECT_EQ(info.max_buffers, 4);
  EXPECT_EQ(info.max_group_items, 128);
  EXPECT_EQ(info.max_group, (Int3{128, 128, 64}));
  EXPECT_EQ(info.local_memory_bytes, 16 << 10);
}

TEST_F(VulkanMinimumTest, BufferRoundTrips) { conformance::RunBufferRoundTrips(*device_); }
TEST_F(VulkanMinimumTest, BufferRanges) { conformance::RunBufferRanges(*device_); }
TEST_F(VulkanMinimumTest, BufferRefusals) { conformance::RunBufferRefusals(*device_); }
TEST_F(VulkanMinimumTest, Ids) { conformance::RunIds(*device_); }
TEST_F(VulkanMinimumTest, Order) { conformance::RunOrder(*device_); }
TEST_F(VulkanMinimumTest, CommandRefusals) { conformance::RunCommandRefusals(*device_); }
TEST_F(VulkanMinimumTest, Queues) { conformance::RunQueues(*device_); }
TEST_F(VulkanMinimumTest, Threads) { conformance::RunThreads(*device_); }

// A copy of more bytes than the staging memory has.
TEST_F(VulkanMinimumTest, LongCopies) {
  constexpr int kCount = (18 << 20) / 4;
  const BufferRange range = conformance::NewRange(*device_, kCount * 4);
  std::vector<float> values(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = static_cast<float>(i);
  ASSERT_TRUE(device_->Upload(range, values.data(), range.bytes).ok());
  EXPECT_EQ(conformance::Floats(*device_, range), values);
}

// A launch may bind no more buffers than the device says.
TEST_F(VulkanMinimumTest, TooManyBuffers) {
  Signature signature;
  for (int i = 0; i < 5; ++i)
    signature.buffers.push_back({StrCat("b", i), Element::kFloat32, true});
  auto pipeline = device_->Compile(conformance::Program(*device_, signature, ""));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  const BufferRange range = conformance::NewRange(*device_, 64);
  auto commands = device_->Record({{"five", *pipeline, std::vector<BufferRange>(5, range), {}}});
  ASSERT_FALSE(commands.ok());
  EXPECT_EQ(commands.status().message(), "five: too many buffers (5, limit 4)");
}

// Work-items that share a word write their halves of it at the same time.
TEST_F(VulkanTest, SingleHalves) {
  constexpr int kCount = 1001;
  const BufferParam dst = {"dst", Element::kFloat16, true};
  Signature signature;
  signature.buffers = {dst};
  signature.uses_half = true;
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

// dst[i] = the sum of all uniforms, every second of which is a float.
ProgramSource SumProgram(const Device& device, int uniforms) {
  Signature signature;
  const BufferParam dst = {"dst", Element::kFloat32, true};
  signature.buffers = {dst};
  std::string sum = "0.0";
  for (int i = 0; i < uniforms; ++i) {
    signature.uniforms.push_back({.name = StrCat("u", i), .is_float = i % 2 == 1});
    sum += StrCat(" + float(u", i, ")");
  }
  return conformance::Program(device, signature, device.language().StoreReal(dst, "0", sum) + "\n");
}

// Numbers have room as push constants or lie in a block for each launch.
TEST_F(VulkanTest, AnyNumberOfUniforms) {
  for (const int count : {0, 1, 32, 33, 100}) {
    SCOPED_TRACE(StrCat(count, " uniforms"));
    auto pipeline = device_->Compile(SumProgram(*device_, count));
    ASSERT_TRUE(pipeline.ok()) << pipeline.status();
    std::vector<Launch> launches;
    std::vector<BufferRange> results;
    for (int launch = 0; launch < 3; ++launch) {
      results.push_back(conformance::NewRange(*device_, 4));
      Launch& made = launches.emplace_back(Launch{"sum", *pipeline, {results.back()}, {}});
      for (int i = 0; i < count; ++i) {
        const int value = i + launch;
        made.uniform_words.push_back(i % 2 == 1 ? std::bit_cast<uint32_t>(static_cast<float>(value))
                                                : static_cast<uint32_t>(value));
      }
    }
    conformance::RunOnce(*device_, launches);
    for (int launch = 0; launch < 3; ++launch) {
      const float want = static_cast<float>(count * (count - 1) / 2 + launch * count);
      EXPECT_EQ(conformance::Floats(*device_, results[launch])[0], want) << launch;
    }
  }
}

TEST_F(VulkanTest, BarriersStandBetweenLaunchesThatMeet) {
  auto pipeline = device_->Compile(conformance::ScaleProgram(*device_));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  const int64_t part = device_->info().buffer_alignment;
  const BufferRange all = conformance::NewRange(*device_, 4 * part);
  const auto range = [&](int i) { return BufferRange{all.buffer, i * part, part}; };
  const auto launch = [&](int from, int to) {
    return Launch{"copy",
                  *pipeline,
                  {range(from), range(to)},
                  conformance::ScaleWords(static_cast<int>(part / 4), 1.0f, 0),
                  {64, 1, 1}};
  };
  const auto barriers = [&](const std::vector<Launch>& launches) {
    auto commands = device_->Record(launches);
    EXPECT_TRUE(commands.ok()) << commands.status();
    return commands.ok() ? dynamic_cast<VulkanCommands&>(**commands).recording().barriers() : -1;
  };
  EXPECT_EQ(barriers({launch(0, 1), launch(0, 2), launch(0, 3)}), 0) << "reads of one range";
  EXPECT_EQ(barriers({launch(0, 1), launch(1, 2)}), 1) << "read after write";
  EXPECT_EQ(barriers({launch(0, 1), launch(2, 0)}), 1) << "write after read";
  EXPECT_EQ(barriers({launch(0, 1), launch(2, 1)}), 1) << "write after write";
  EXPECT_EQ(barriers({launch(0, 1), launch(0, 2), launch(1, 3), launch(2, 0)}), 1)
      << "one barrier serves both that follow it";
}

// Binaries are of any group size.
TEST_F(VulkanTest, ABinaryServesOtherGroups) {
  const ProgramSource source = conformance::ScaleProgram(*device_, {4, 1, 1});
  auto built = device_->Compile(source);
  ASSERT_TRUE(built.ok()) << built.status();
  const auto binary = (*built)->Binary();
  ASSERT_TRUE(binary.ok()) << binary.status();
  auto loaded = device_->Load(source, *binary);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(conformance::Scaled(*device_, *loaded), std::vector<float>(100, 7.0f));
}

TEST_F(VulkanTest, ABinaryThatChangedIsRefused) {
  const ProgramSource source = conformance::ScaleProgram(*device_);
  auto built = device_->Compile(source);
  ASSERT_TRUE(built.ok()) << built.status();
  const auto binary = (*built)->Binary();
  ASSERT_TRUE(binary.ok()) << binary.status();
  for (const size_t at : {size_t{0}, size_t{4}, size_t{40}, binary->bytes->size() - 1}) {
    auto bytes = std::make_shared<std::vector<uint8_t>>(*binary->bytes);
    (*bytes)[at] ^= 1;
    EXPECT_FALSE(device_->Load(source, {0, 0, bytes}).ok()) << at;
  }
  auto half = std::make_shared<std::vector<uint8_t>>(*binary->bytes);
  half->resize(half->size() / 2);
  EXPECT_FALSE(device_->Load(source, {0, 0, half}).ok());
}

TEST_F(VulkanTest, NothingIsLeft) {
  const int before = LiveVulkanObjects();
  {
    auto device = OpenVulkanDevice({});
    ASSERT_TRUE(device.ok()) << device.status();
    conformance::RunOrder(**device);
    conformance::RunTimes(**device, true);
    conformance::RunBadProgram(**device);
    conformance::RunCommandRefusals(**device);
    const BufferRange range = conformance::NewRange(**device, 64);
    EXPECT_GT(LiveVulkanObjects(), before);
    // The buffer outlives the device.
    device->reset();
  }
  EXPECT_EQ(LiveVulkanObjects(), before);
}

}  // namespace
}  // namespace tern::gpu
