// SPDX-License-Identifier: Apache-2.0
// For tests: what every device promises about recorded launches.
#ifndef TERN_GPU_BACKENDS_CONFORMANCE_COMMANDS_CASES_H_
#define TERN_GPU_BACKENDS_CONFORMANCE_COMMANDS_CASES_H_

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "gpu/backends/conformance/device_programs.h"

namespace tern::gpu::conformance {

inline void RunOnce(Device& device, const std::vector<Launch>& launches) {
  auto commands = device.Record(launches);
  ASSERT_TRUE(commands.ok()) << commands.status();
  const absl::Status submitted = device.Submit(**commands);
  ASSERT_TRUE(submitted.ok()) << submitted;
  const absl::Status finished = device.Wait();
  ASSERT_TRUE(finished.ok()) << finished;
}

// The grid is rounded up to whole groups, and ids count groups and places.
inline void RunIds(Device& device) {
  const BufferRange dst = NewRange(device, 100 * 100 * 4 * 4);
  for (const Int3& group : {Int3{1, 1, 1}, Int3{8, 1, 1}, Int3{16, 3, 2}}) {
    SCOPED_TRACE(StrCat("group ", group[0], " ", group[1], " ", group[2]));
    auto pipeline = device.Compile(IdsProgram(device, group));
    ASSERT_TRUE(pipeline.ok()) << pipeline.status();
    Fill(device, dst, -1.0f);
    ASSERT_NO_FATAL_FAILURE(RunOnce(device, {{"ids", *pipeline, {dst}, {}, {100, 100, 4}, group}}));
    const std::vector<float> got = Floats(device, dst);
    for (int i = 0; i < 100 * 100 * 4; ++i) {
      const int x = i % 100, y = i / 100 % 100;
      ASSERT_EQ(got[i], static_cast<float>(x / group[0] * 1000 + y % group[1])) << i;
    }
  }
}

// Each launch sees what those before wrote, also from one submission to the next; launches of one
// program keep arguments of their own.
inline void RunOrder(Device& device) {
  auto pipeline = device.Compile(ScaleProgram(device));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  constexpr int kCount = 1000;
  const BufferRange a = NewRange(device, kCount * 4), b = NewRange(device, kCount * 4);
  Fill(device, a, 0.0f);
  std::vector<Launch> launches;
  float want = 0.0f;
  for (int i = 0; i < 10; ++i) {
    const bool back = i % 2 == 1;
    launches.push_back({"step",
                        *pipeline,
                        {back ? b : a, back ? a : b},
                        ScaleWords(kCount, 0.5f, i),
                        {kCount, 1, 1},
                        {8, 1, 1}});
  }
  auto commands = device.Record(launches);
  ASSERT_TRUE(commands.ok()) << commands.status();
  launches.clear();
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(device.Submit(**commands).ok());
    for (int i = 0; i < 10; ++i) want = want * 0.5f + static_cast<float>(i);
  }
  // Download waits by itself.
  EXPECT_EQ(Floats(device, a), std::vector<float>(kCount, want));
}

// Launches on parts of one buffer touch nothing else; recorded commands keep their memory alive.
inline void RunRanges(Device& device) {
  auto pipeline = device.Compile(ScaleProgram(device));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  const int64_t part = device.info().buffer_alignment;
  const int count = static_cast<int>(part / 4);
  BufferRange all = NewRange(device, 4 * part);
  Fill(device, all, 3.0f);
  const BufferRange first = {all.buffer, 0, part}, third = {all.buffer, 2 * part, part};
  const Launch launch = {"part",        *pipeline, {first, third}, ScaleWords(count, 2.0f, 1),
                         {count, 1, 1}, {8, 1, 1}};
  auto commands = device.Record({launch, launch});
  ASSERT_TRUE(commands.ok()) << commands.status();
  ASSERT_TRUE(device.Submit(**commands).ok());
  ASSERT_TRUE(device.Wait().ok());
  const std::vector<float> got = Floats(device, all);
  for (int i = 0; i < 4 * count; ++i) ASSERT_EQ(got[i], i / count == 2 ? 7.0f : 3.0f) << i;
}

inline void RunCommandRefusals(Device& device) {
  auto pipeline = device.Compile(ScaleProgram(device));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  const BufferRange range = NewRange(device, 4 * device.info().buffer_alignment);
  const Launch good = {"odd one", *pipeline, {range, range}, ScaleWords(4, 1.0f, 1),
                       {4, 1, 1}, {8, 1, 1}};
  ASSERT_TRUE(device.Record({good}).ok());
  std::vector<Launch> bad(10, good);
  bad[0].pipeline = nullptr;
  bad[1].buffers.pop_back();
  bad[2].uniform_words.push_back(0);
  bad[3].grid[1] = 0;
  bad[4].group[2] = 0;
  bad[5].group[0] = device.info().max_group[0] + 1;
  bad[6].buffers[0].offset = 4;
  bad[6].buffers[0].bytes = 4;
  bad[7].buffers[0].bytes = range.bytes + 1;
  bad[8].buffers[0].buffer = nullptr;
  bad[9].buffers[0].bytes = 0;
  for (size_t i = 0; i < bad.size(); ++i) {
    auto commands = device.Record({good, bad[i]});
    ASSERT_FALSE(commands.ok()) << i;
    EXPECT_NE(std::string(commands.status().message()).find("odd one"), std::string::npos)
        << commands.status();
  }
}

// A timed run does what another one does, and each launch begins after the one before began.
// Without a clock nothing is run.
inline void RunTimes(Device& device, bool has_clock) {
  auto pipeline = device.Compile(ScaleProgram(device));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  constexpr int kCount = 1000;
  const BufferRange a = NewRange(device, kCount * 4), b = NewRange(device, kCount * 4);
  Fill(device, a, 1.0f);
  Fill(device, b, 0.0f);
  const auto step = [&](const BufferRange& from, const BufferRange& to) {
    return Launch{"step",         *pipeline, {from, to}, ScaleWords(kCount, 2.0f, 1),
                  {kCount, 1, 1}, {8, 1, 1}};
  };
  auto commands = device.Record({step(a, b), step(b, a), step(a, b)});
  ASSERT_TRUE(commands.ok()) << commands.status();
  const absl::StatusOr<std::vector<LaunchTime>> times = device.RunTimed(**commands);
  if (!has_clock) {
    EXPECT_EQ(times.status().code(), absl::StatusCode::kUnimplemented) << times.status();
    EXPECT_EQ(Floats(device, b), std::vector<float>(kCount, 0.0f));
    return;
  }
  ASSERT_TRUE(times.ok()) << times.status();
  EXPECT_EQ(Floats(device, b), std::vector<float>(kCount, 15.0f));
  ASSERT_EQ(times->size(), 3u);
  EXPECT_EQ(times->front().start_nanos, 0);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_GE((*times)[i].nanos, 0) << i;
    EXPECT_GE((*times)[i].start_nanos, (*times)[i > 0 ? i - 1 : 0].start_nanos) << i;
  }
  // The usual way goes on where this one ended.
  ASSERT_TRUE(device.Submit(**commands).ok());
  EXPECT_EQ(Floats(device, b), std::vector<float>(kCount, 63.0f));
}

// Any queue takes any commands. Another one sees what they wrote once they were waited for. Work
// under way outlives its queue.
inline void RunQueues(Device& device) {
  auto pipeline = device.Compile(ScaleProgram(device));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  constexpr int kCount = 100;
  BufferRange a = NewRange(device, kCount * 4), b = NewRange(device, kCount * 4);
  auto commands = device.Record(
      {{"step", *pipeline, {a, b}, ScaleWords(kCount, 2.0f, 1), {kCount, 1, 1}, {8, 1, 1}}});
  ASSERT_TRUE(commands.ok()) << commands.status();
  std::shared_ptr<Queue> queues[] = {device.NewQueue(), device.NewQueue()};
  std::vector<float> values(kCount, 1.0f);
  for (int round = 0; round < 4; ++round) {
    Queue& queue = queues[round % 2] != nullptr ? *queues[round % 2] : device;
    ASSERT_TRUE(queue.Upload(a, values.data(), kCount * 4).ok());
    ASSERT_TRUE(queue.Submit(**commands).ok());
    if (round < 2) {
      ASSERT_TRUE(queue.Wait().ok());
      values = Floats(device, b);
    } else {
      ASSERT_TRUE(queue.Download(b, values.data(), kCount * 4).ok());
    }
    EXPECT_EQ(values, std::vector<float>(kCount, static_cast<float>((4 << round) - 1))) << round;
  }
  Queue& last = queues[0] != nullptr ? *queues[0] : device;
  for (int run = 0; run < 8; ++run) ASSERT_TRUE(last.Submit(**commands).ok());
  for (std::shared_ptr<Queue>& queue : queues) queue = nullptr;
  commands->reset();
  for (BufferRange* range : {&a, &b}) range->buffer = nullptr;
  EXPECT_TRUE(device.Wait().ok());
}

// Threads with commands of their own share a device. Each transfer is complete when it returns,
// whatever the other threads send.
inline void RunThreads(Device& device) {
  auto pipeline = device.Compile(ScaleProgram(device));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  constexpr int kCount = 512;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const BufferRange a = NewRange(device, kCount * 4), b = NewRange(device, kCount * 4);
      auto commands = device.Record(
          {{"mine", *pipeline, {a, b}, ScaleWords(kCount, 3.0f, t), {kCount, 1, 1}, {8, 1, 1}}});
      ASSERT_TRUE(commands.ok()) << commands.status();
      for (int round = 0; round < 200; ++round) {
        std::vector<float> values(kCount, static_cast<float>(round));
        ASSERT_TRUE(device.Upload(a, values.data(), kCount * 4).ok());
        values.assign(kCount, -1.0f);
        ASSERT_TRUE(device.Submit(**commands).ok());
        if (round % 2 == 0) {
          ASSERT_TRUE(device.Wait().ok());
        }
        ASSERT_TRUE(device.Download(b, values.data(), kCount * 4).ok());
        ASSERT_EQ(values, std::vector<float>(kCount, static_cast<float>(3 * round + t))) << round;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace tern::gpu::conformance

#endif  // TERN_GPU_BACKENDS_CONFORMANCE_COMMANDS_CASES_H_
