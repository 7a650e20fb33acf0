// SPDX-License-Identifier: Apache-2.0
// The dialect on the host device, and the device's own answers.
#include "gpu/backends/host/host_device.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/testing/sanitizers.h"
#include "gpu/backends/conformance/commands_cases.h"
#include "gpu/backends/conformance/dialect_cases.h"
#include "gpu/backends/conformance/special_cases.h"
#include "gpu/testing/io_cases.h"

namespace tern::gpu {
namespace {

TEST(HostDialect, Words) { conformance::RunWordCases(*OpenHostDevice()); }
TEST(HostDialect, Copies) { conformance::RunCopyCases(*OpenHostDevice()); }
TEST(HostDialect, LaneLoops) { conformance::RunLaneLoopCases(*OpenHostDevice()); }
TEST(HostDialect, Chains) { conformance::RunChainCases(*OpenHostDevice()); }
TEST(HostDialect, SpecialNumbers) { conformance::RunSpecialCases(*OpenHostDevice()); }
TEST(HostDialect, Local) { conformance::RunLocalCases(*OpenHostDevice()); }

TEST(HostIo, GivenMemory) {
  const std::shared_ptr<Device> device = OpenHostDevice();
  conformance::RunGivenMemory(device, conformance::OwnMemory(device));
  conformance::RunGivenMemoryKeepsTheRest(device, conformance::OwnMemory(device));
}
TEST(HostQueues, Queues) { conformance::RunQueues(*OpenHostDevice()); }
TEST(HostIo, Refusals) { conformance::RunGivenMemoryRefusals(OpenHostDevice()); }

TEST(HostDialect, FusedMultiplyAdd) {
  DeviceInfo info = HostDeviceInfo();
  info.fma = true;
  info.max_slice_width = 4;
  conformance::RunWordCases(*OpenHostDevice(info));
}

// Metal text without the dialect, over one written buffer.
ProgramSource Handmade(const std::string& body, bool has_barrier = false) {
  ProgramSource source;
  source.signature.buffers = {{"dst", Element::kFloat32, true}};
  source.signature.locals = {};
  source.has_barrier = has_barrier;
  source.text =
      "#include <metal_stdlib>\nusing namespace metal;\n"
      "kernel void tern_main(device float* dst_data [[buffer(0)]],\n"
      "    uint3 global_id [[thread_position_in_grid]],\n"
      "    uint3 local_id [[thread_position_in_threadgroup]],\n"
      "    uint3 group_id [[threadgroup_position_in_grid]]) {\n" +
      body + "}\n";
  return source;
}

TEST(HostDevice, CompilerErrorsComeBack) {
  auto pipeline = OpenHostDevice()->Compile(Handmade("  dst_data[0] = no_such_name;\n"));
  ASSERT_FALSE(pipeline.ok());
  EXPECT_NE(std::string(pipeline.status().message()).find("no_such_name"), std::string::npos)
      << pipeline.status();
}

TEST(HostDevice, BarrierThatSomeItemsMissIsAnError) {
  auto device = OpenHostDevice();
  auto pipeline =
      device->Compile(Handmade("  if (local_id.x == 1) { return; }\n"
                               "  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
                               "  dst_data[global_id.x] = 1.0f;\n"
                               "  threadgroup_barrier(mem_flags::mem_threadgroup);\n",
                               true));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  const BufferRange range = {*device->CreateBuffer(48), 0, 48};
  auto commands = device->Record({{"odd", *pipeline, {range}, {}, {12, 1, 1}, {4, 1, 1}}});
  ASSERT_TRUE(commands.ok()) << commands.status();
  const absl::Status status = device->Submit(**commands);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(std::string(status.message()).find("odd"), std::string::npos) << status;
}

TEST(HostDeviceDeathTest, SanitizersSeeIntoKernels) {
  if (!tern::testing::kAddressSanitizer) GTEST_SKIP() << "built without AddressSanitizer";
  auto device = OpenHostDevice();
  auto pipeline = device->Compile(Handmade("  dst_data[global_id.x + 1] = 1.0f;\n"));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  const BufferRange range = {*device->CreateBuffer(4), 0, 4};
  auto commands = device->Record({{"beyond", *pipeline, {range}, {}, {1, 1, 1}, {1, 1, 1}}});
  EXPECT_DEATH((void)device->Submit(**commands), "heap-buffer-overflow");
}

TEST(HostDevice, GroupsRunOnSeveralThreads) {
  auto device = OpenHostDevice();
  auto pipeline = device->Compile(Handmade(
      "  dst_data[global_id.y * 512 + global_id.x] = float(group_id.x * 100 + group_id.y);\n"));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  std::vector<float> got(512 * 16);
  const int64_t bytes = static_cast<int64_t>(got.size()) * 4;
  const BufferRange range = {*device->CreateBuffer(bytes), 0, bytes};
  auto commands = device->Record({{"wide", *pipeline, {range}, {}, {512, 16, 1}, {64, 2, 1}}});
  ASSERT_TRUE(commands.ok()) << commands.status();
  ASSERT_TRUE(device->Submit(**commands).ok());
  ASSERT_TRUE(device->Download(range, got.data(), bytes).ok());
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 512; ++x)
      ASSERT_EQ(got[y * 512 + x], static_cast<float>(x / 64 * 100 + y / 2)) << x << " " << y;
  }
}

TEST(HostDevice, CompilesOnSeveralThreads) {
  auto device = OpenHostDevice();
  std::vector<std::thread> threads;
  std::vector<int> ok(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      ok[i] = device->Compile(Handmade(StrCat("  dst_data[0] = ", i / 2, ".0f;\n"))).ok() ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ok, std::vector<int>({1, 1, 1, 1}));
}

TEST(HostDevice, RefusesWrongArguments) {
  auto device = OpenHostDevice();
  EXPECT_FALSE(device->CreateBuffer(0).ok());
  EXPECT_FALSE(device->CreateBuffer(int64_t{1} << 40).ok());
  const BufferRange range = {*device->CreateBuffer(100), 64, 36};
  char data[64] = {};
  EXPECT_TRUE(device->Upload(range, data, 36).ok());
  EXPECT_FALSE(device->Upload(range, data, 37).ok());
  EXPECT_FALSE(device->Download(range, data, 64).ok());
  EXPECT_FALSE(device->Download({}, data, 1).ok());
  auto pipeline = device->Compile(Handmade("  dst_data[0] = 0.0f;\n"));
  ASSERT_TRUE(pipeline.ok());
  EXPECT_FALSE(device->Record({{"none", *pipeline, {}, {}, {1, 1, 1}, {1, 1, 1}}}).ok());
  EXPECT_FALSE(device->Record({{"group", *pipeline, {range}, {}, {1, 1, 1}, {129, 1, 1}}}).ok());
  EXPECT_FALSE(device->Record({{"grid", *pipeline, {range}, {}, {0, 1, 1}, {1, 1, 1}}}).ok());
  EXPECT_FALSE(device->Record({{"null", nullptr, {range}, {}, {1, 1, 1}, {1, 1, 1}}}).ok());
}

}  // namespace
}  // namespace tern::gpu
