// SPDX-License-Identifier: Apache-2.0
// The conformance cases and the dialect on the Metal backend, over the stand-in of tests/metal.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "gpu/backends/conformance/buffers_cases.h"
#include "gpu/backends/conformance/commands_cases.h"
#include "gpu/backends/conformance/dialect_cases.h"
#include "gpu/backends/conformance/pipelines_cases.h"
#include "gpu/backends/conformance/special_cases.h"
#include "gpu/backends/metal/metal_device.h"
#include "gpu/testing/io_cases.h"
#include "metal/standin.h"
#include "metal/standin_runtime.h"

namespace tern::gpu {
namespace {

using metal_standin::Functions;
using metal_standin::TheCounts;
using metal_standin::TheSettings;

// With memory that processor and GPU share, and without.
class MetalTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    TheSettings().unified_memory = GetParam();
    metal_standin::ReplaceDevice();
    device_ = Open();
  }
  void TearDown() override {
    device_.reset();
    TheSettings().unified_memory = true;
    TheSettings().has_math_modes = true;
    TheSettings().has_events = true;
    metal_standin::ReplaceDevice();
  }
  static std::shared_ptr<Device> Open(MetalWait wait = MetalWait::kPassive) {
    absl::StatusOr<std::shared_ptr<Device>> device = OpenMetalDevice(Functions(), wait);
    EXPECT_TRUE(device.ok()) << device.status();
    return device.ok() ? *device : nullptr;
  }

  // One launch: 16 floats of `from` times the factor.
  static Launch ScaleLaunch(const std::shared_ptr<Pipeline>& pipeline, const BufferRange& from,
                            const BufferRange& to, float factor) {
    return {"step",     pipeline,  {from, to}, conformance::ScaleWords(16, factor, 0.0f),
            {16, 1, 1}, {16, 1, 1}};
  }

  std::shared_ptr<Device> device_;
};
INSTANTIATE_TEST_SUITE_P(Memory, MetalTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "Shared" : "Private"; });

TEST_P(MetalTest, BufferRoundTrips) { conformance::RunBufferRoundTrips(*device_); }
TEST_P(MetalTest, BufferRanges) { conformance::RunBufferRanges(*device_); }
TEST_P(MetalTest, BufferRefusals) { conformance::RunBufferRefusals(*device_); }
TEST_P(MetalTest, BadProgram) { conformance::RunBadProgram(*device_); }
TEST_P(MetalTest, ProgramCache) { conformance::RunProgramCache(*device_); }
TEST_P(MetalTest, ProgramsAtOnce) { conformance::RunProgramsAtOnce(*device_); }
TEST_P(MetalTest, Ids) { conformance::RunIds(*device_); }
TEST_P(MetalTest, Order) { conformance::RunOrder(*device_); }
TEST_P(MetalTest, Ranges) { conformance::RunRanges(*device_); }
TEST_P(MetalTest, CommandRefusals) { conformance::RunCommandRefusals(*device_); }
TEST_P(MetalTest, Times) { conformance::RunTimes(*device_, true); }
TEST_P(MetalTest, Queues) { conformance::RunQueues(*device_); }
TEST_P(MetalTest, Threads) { conformance::RunThreads(*device_); }
TEST_P(MetalTest, Words) { conformance::RunWordCases(*device_); }
TEST_P(MetalTest, Copies) { conformance::RunCopyCases(*device_); }
TEST_P(MetalTest, LaneLoops) { conformance::RunLaneLoopCases(*device_); }
TEST_P(MetalTest, Chains) { conformance::RunChainCases(*device_); }
TEST_P(MetalTest, SpecialNumbers) { conformance::RunSpecialCases(*device_); }
TEST_P(MetalTest, Local) { conformance::RunLocalCases(*device_); }
TEST_P(MetalTest, GivenMemory) {
  conformance::RunGivenMemory(device_, conformance::OwnMemory(device_));
  conformance::RunGivenMemoryKeepsTheRest(device_, conformance::OwnMemory(device_));
}
TEST_P(MetalTest, GivenMemoryRefusals) { conformance::RunGivenMemoryRefusals(device_); }

TEST_P(MetalTest, EverythingIsReleased) {
  const auto use = [this] {
    auto pipeline = device_->Compile(conformance::ScaleProgram(*device_));
    ASSERT_TRUE(pipeline.ok()) << pipeline.status();
    conformance::Scaled(*device_, *pipeline);
    EXPECT_FALSE(device_->Compile({"no text", {}, false}).ok());
  };
  use();
  ASSERT_TRUE(device_->Wait().ok());
  metal_standin::WaitUntilIdle();
  const long before = metal_standin::LiveObjects();
  for (int i = 0; i < 10; ++i) use();
  ASSERT_TRUE(device_->Wait().ok());
  metal_standin::WaitUntilIdle();
  EXPECT_EQ(metal_standin::LiveObjects(), before);
}

TEST_P(MetalTest, TextIsCompiledWithoutFastMath) {
  for (const bool modes : {true, false}) {
    TheSettings().has_math_modes = modes;
    const long compiled = TheCounts().libraries, fast = TheCounts().libraries_with_fast_math;
    EXPECT_TRUE(device_->Compile(conformance::ScaleProgram(*device_)).ok());
    EXPECT_EQ(TheCounts().libraries, compiled + 1);
    EXPECT_EQ(TheCounts().libraries_with_fast_math, fast);
  }
}

TEST_P(MetalTest, LimitsAreThoseOfTheFamily) {
  const DeviceInfo& info = device_->info();
  EXPECT_EQ(info.api, "metal");
  EXPECT_NE(info.name.find("stand-in"), std::string::npos);
  EXPECT_EQ(info.platform, "GPU family Apple7");
  EXPECT_EQ(info.max_group_items, 1024);
  EXPECT_EQ(info.max_buffers, 30);
  EXPECT_EQ(info.local_memory_bytes, 32 << 10);
  const std::set<int64_t> families = TheSettings().families;
  const auto info_of = [](std::set<int64_t> has) {
    TheSettings().families = std::move(has);
    return Open()->info();
  };
  EXPECT_EQ(info_of({1002, 1003}).max_group_items, 512);
  EXPECT_EQ(info_of({1002, 1003}).platform, "GPU family Apple3");
  EXPECT_EQ(info_of({2002}).max_group_items, 1024);
  EXPECT_EQ(info_of({2002}).platform, "GPU family Mac2");
  EXPECT_EQ(info_of({}).platform, "GPU family none that is known");
  TheSettings().families = families;
}

TEST_P(MetalTest, WithoutADeviceThereIsAnError) {
  TheSettings().has_device = false;
  const auto device = OpenMetalDevice(Functions(), MetalWait::kPassive);
  TheSettings().has_device = true;
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.status().message(), "Metal: the system has no device");
}

TEST_P(MetalTest, MemoryThatIsMissingIsAnError) {
  TheSettings().buffers_left = 0;
  const auto buffer = device_->CreateBuffer(64);
  TheSettings().buffers_left = INT64_MAX;
  ASSERT_FALSE(buffer.ok());
  EXPECT_EQ(buffer.status().message(), "Metal: no memory for a buffer of 64 bytes");
}

// Wait returns the failure of a command buffer; a device that is gone is lost.
TEST_P(MetalTest, FailuresOfCommandBuffers) {
  struct Case {
    int code;
    absl::StatusCode status;
    bool lost;
  };
  for (const Case& one :
       {Case{1, absl::StatusCode::kInternal, false}, Case{2, absl::StatusCode::kUnavailable, false},
        Case{7, absl::StatusCode::kUnavailable, false},
        Case{8, absl::StatusCode::kResourceExhausted, false},
        Case{11, absl::StatusCode::kUnavailable, true}}) {
    SCOPED_TRACE(one.code);
    const std::shared_ptr<Device> device = Open();
    auto pipeline = device->Compile(conformance::ScaleProgram(*device));
    ASSERT_TRUE(pipeline.ok());
    const BufferRange a = conformance::NewRange(*device, 64),
                      b = conformance::NewRange(*device, 64);
    conformance::Fill(*device, a, 1.0f);
    auto commands = device->Record({ScaleLaunch(*pipeline, a, b, 1.0f)});
    ASSERT_TRUE(commands.ok());
    TheSettings().next_error = one.code;
    ASSERT_TRUE(device->Submit(**commands).ok());
    const absl::Status status = device->Wait();
    EXPECT_EQ(status.code(), one.status) << status;
    EXPECT_NE(status.message().find("planted error"), std::string::npos) << status;
    EXPECT_EQ(device->lost(), one.lost);
    EXPECT_EQ(device->CreateBuffer(16).ok(), !one.lost);
    float read[16] = {};
    EXPECT_FALSE(device->Download(b, read, 64).ok()) << "nothing was computed";
    if (one.lost) continue;
    // The next run is as good as any: an application comes back from the background.
    conformance::Fill(*device, a, 2.0f);
    ASSERT_TRUE(device->Submit(**commands).ok());
    EXPECT_TRUE(device->Wait().ok());
    EXPECT_EQ(conformance::Floats(*device, b), std::vector<float>(16, 2.0f));
  }
}

// Active waiting hands launches over eight at a time.
TEST_P(MetalTest, CommandBuffersByWait) {
  struct Case {
    MetalWait wait;
    long commits;  // of 20 launches; idle work of aggressive waiting comes on top
  };
  for (const Case& one : {Case{MetalWait::kPassive, 1}, Case{MetalWait::kActive, 3},
                          Case{MetalWait::kAggressive, 3}}) {
    const std::shared_ptr<Device> device = Open(one.wait);
    auto pipeline = device->Compile(conformance::ScaleProgram(*device));
    ASSERT_TRUE(pipeline.ok());
    const BufferRange a = conformance::NewRange(*device, 64),
                      b = conformance::NewRange(*device, 64);
    conformance::Fill(*device, a, 1.0f);
    std::vector<Launch> launches;
    for (int i = 0; i < 20; ++i)
      launches.push_back(ScaleLaunch(*pipeline, i % 2 ? b : a, i % 2 ? a : b, 2.0f));
    auto commands = device->Record(launches);
    ASSERT_TRUE(commands.ok());
    const long before = TheCounts().commits;
    ASSERT_TRUE(device->Submit(**commands).ok());
    EXPECT_EQ(TheCounts().commits - before, one.commits);
    ASSERT_TRUE(device->Wait().ok());
    EXPECT_EQ(conformance::Floats(*device, a), std::vector<float>(16, 1048576.0f));
  }
}

// A buffer of the application is used in place, and kept for as long as it is in use.
TEST_P(MetalTest, BuffersOfTheApplication) {
  const Id system = metal_standin::TakeDevice();
  const Id given = metal_standin::NewBuffer(system, 64);
  auto range = device_->Import(reinterpret_cast<uintptr_t>(given));
  ASSERT_TRUE(range.ok()) << range.status();
  EXPECT_EQ(range->bytes, 64);
  auto pipeline = device_->Compile(conformance::ScaleProgram(*device_));
  ASSERT_TRUE(pipeline.ok());
  const BufferRange out = conformance::NewRange(*device_, 64);
  auto commands = device_->Record({ScaleLaunch(*pipeline, *range, out, 3.0f)});
  ASSERT_TRUE(commands.ok());
  for (int i = 0; i < 16; ++i) static_cast<float*>(metal_standin::Contents(given))[i] = 2.0f;
  metal_standin::Release(given);
  ASSERT_TRUE(device_->Submit(**commands).ok());
  EXPECT_EQ(conformance::Floats(*device_, out), std::vector<float>(16, 6.0f));
  metal_standin::Release(system);
  EXPECT_EQ(device_->Import(0).status().message(), "the Metal buffer is nil");
  const Id other = metal_standin::NewDevice();
  const Id foreign = metal_standin::NewBuffer(other, 64);
  EXPECT_EQ(device_->Import(reinterpret_cast<uintptr_t>(foreign)).status().message(),
            "the Metal buffer is of another device");
  metal_standin::Release(foreign);
  metal_standin::Release(other);
}

// Work that is encoded into the application's command buffer begins when the application wants.
TEST_P(MetalTest, CommandBuffersOfTheApplication) {
  const ObjcFunctions objc = Functions();
  const MetalMessages say(objc);
  const Id system = metal_standin::TakeDevice();
  const ObjcRef queue = ObjcRef::Take(objc, say.new_queue(system));
  auto pipeline = device_->Compile(conformance::ScaleProgram(*device_));
  ASSERT_TRUE(pipeline.ok());
  const BufferRange a = conformance::NewRange(*device_, 64),
                    b = conformance::NewRange(*device_, 64);
  conformance::Fill(*device_, a, 1.0f);
  conformance::Fill(*device_, b, 0.0f);
  auto commands = device_->Record({ScaleLaunch(*pipeline, a, b, 5.0f)});
  ASSERT_TRUE(commands.ok());
  {
    const ObjcPool pool(objc);
    const Id own = say.command_buffer(queue.get());
    const auto into = [&](Id buffer) {
      return device_->SubmitInto(**commands, reinterpret_cast<uintptr_t>(buffer));
    };
    ASSERT_TRUE(into(own).ok());
    float read[16] = {};
    const absl::Status early = device_->Download(b, read, 64);
    EXPECT_EQ(early.message(), "the command buffer of the last run was not committed yet");
    say.commit(own);
    EXPECT_EQ(conformance::Floats(*device_, b), std::vector<float>(16, 5.0f));
    EXPECT_EQ(into(own).message(), "the Metal command buffer was committed before");
    EXPECT_EQ(into(nullptr).message(), "the Metal command buffer is nil");
  }
  metal_standin::Release(system);
}

// The stand-in runs the youngest command buffer first where no event keeps the order of two queues.
// The device's work is ordered before the application's by an event, without a wait; the other way
// round, and without events, a thread waits.
TEST_P(MetalTest, OrderBetweenQueues) {
  const ObjcFunctions objc = Functions();
  const MetalMessages say(objc);
  const Id system = metal_standin::TakeDevice();
  const ObjcRef queue = ObjcRef::Take(objc, say.new_queue(system));
  auto pipeline = device_->Compile(conformance::ScaleProgram(*device_));
  ASSERT_TRUE(pipeline.ok());
  BufferRange ranges[4];
  for (BufferRange& range : ranges) range = conformance::NewRange(*device_, 64);
  const auto step = [&](const BufferRange& from, const BufferRange& to, float factor) {
    return *device_->Record({ScaleLaunch(*pipeline, from, to, factor)});
  };
  const std::unique_ptr<Commands> own = step(ranges[0], ranges[1], 2.0f),
                                  given = step(ranges[1], ranges[2], 3.0f),
                                  after = step(ranges[2], ranges[3], 5.0f);
  for (const bool events : {true, false}) {
    SCOPED_TRACE(events);
    TheSettings().has_events = events;
    for (const BufferRange& range : ranges) conformance::Fill(*device_, range, 1.0f);
    const ObjcPool pool(objc);
    const Id commands = say.command_buffer(queue.get());
    const auto into = [&] {
      return device_->SubmitInto(*given, reinterpret_cast<uintptr_t>(commands));
    };
    const long waits = TheCounts().waits;
    TheSettings().holds = events;  // a wait would not end
    ASSERT_TRUE(device_->Submit(*own).ok());
    ASSERT_TRUE(into().ok());
    if (events) {
      EXPECT_EQ(TheCounts().waits, waits);
    }
    EXPECT_EQ(device_->Submit(*after).message(),
              "the command buffer of the last run was not committed yet");
    say.commit(commands);
    TheSettings().holds = false;
    ASSERT_TRUE(device_->Submit(*after).ok());
    EXPECT_EQ(conformance::Floats(*device_, ranges[3]), std::vector<float>(16, 30.0f));
  }
  // Work that the queue has finished needs no event.
  ASSERT_TRUE(device_->Submit(*own).ok());
  ASSERT_TRUE(device_->Wait().ok());
  TheSettings().has_events = true;
  const ObjcPool pool(objc);
  const long commits = TheCounts().commits;
  const Id commands = say.command_buffer(queue.get());
  ASSERT_TRUE(device_->SubmitInto(*given, reinterpret_cast<uintptr_t>(commands)).ok());
  EXPECT_EQ(TheCounts().commits, commits);
  say.commit(commands);
  say.wait(commands);
  metal_standin::Release(system);
}

TEST(MetalLibrary, OtherSystemsHaveNone) {
#ifdef __APPLE__
  GTEST_SKIP() << "this system has Metal";
#endif
  const auto device = OpenMetalDevice();
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(std::string(device.status().message()).rfind("Metal: no library (", 0), 0u)
      << device.status();
}

}  // namespace
}  // namespace tern::gpu
