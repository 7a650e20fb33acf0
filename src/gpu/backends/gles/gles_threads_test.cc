// SPDX-License-Identifier: Apache-2.0
// One device for many threads: everything at once, from its opening to its end. ThreadSanitizer
// runs this, too.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/status.h"
#include "gpu/backends/conformance/commands_cases.h"
#include "gpu/backends/gles/gl_context.h"
#include "gpu/backends/gles/gl_device.h"
#include "gpu/backends/gles/testing/fixtures.h"

namespace tern::gpu {
namespace {

using conformance::Fill;
using conformance::Floats;
using conformance::NewRange;
using conformance::ScaleProgram;
using conformance::ScaleWords;

constexpr int kThreads = 8;
constexpr int kRounds = 10;
constexpr int kCount = 256;

// Runs the task in all threads and returns what they said, without the empty lines.
template <typename Task>
std::string InThreads(Task task) {
  std::vector<std::string> said(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) threads.emplace_back([&, t] { said[t] = task(t); });
  for (std::thread& thread : threads) thread.join();
  std::string all;
  for (const std::string& line : said) all += line.empty() ? "" : line + "\n";
  return all;
}

std::string Double(Device& device, const std::shared_ptr<Pipeline>& pipeline, float start) {
  const BufferRange a = NewRange(device, kCount * 4), b = NewRange(device, kCount * 4);
  Fill(device, a, start);
  auto commands = device.Record(
      {{"double", pipeline, {a, b}, ScaleWords(kCount, 2.0f, 1), {kCount, 1, 1}, {8, 1, 1}}});
  if (!commands.ok()) return std::string(Message(commands.status()));
  absl::Status status = device.Submit(**commands);
  if (status.ok()) status = device.Wait();
  if (!status.ok()) return std::string(Message(status));
  return Floats(device, b) == std::vector<float>(kCount, 2 * start + 1) ? "" : "wrong numbers";
}

class GlesThreads : public testing::DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    if (!IsSkipped()) device_ = OpenGlesDevice(gl_).value();
  }

  std::shared_ptr<Device> device_;
};

TEST_F(GlesThreads, ShareADeviceAndAPipeline) {
  auto shared = device_->Compile(ScaleProgram(*device_));
  ASSERT_TRUE(shared.ok()) << shared.status();
  const int before = GlHandle::live();
  EXPECT_EQ(InThreads([&](int t) -> std::string {
              for (int round = 0; round < kRounds; ++round) {
                const float start = static_cast<float>(t * kRounds + round);
                std::string problem = Double(*device_, *shared, start);
                if (problem.empty() && round % 3 == 0) {
                  auto own = device_->Compile(ScaleProgram(*device_));
                  if (!own.ok()) return std::string(Message(own.status()));
                  problem = Double(*device_, *own, start);
                }
                // A failure in one thread does not affect the others.
                ProgramSource broken = ScaleProgram(*device_);
                broken.text += "no program";
                if (device_->Compile(broken).ok()) return "a broken program was built";
                if (device_->CreateBuffer(0).ok()) return "an empty buffer was made";
                if (!problem.empty()) return problem;
              }
              return "";
            }),
            "");
  EXPECT_LE(GlHandle::live(), before);
}

// Each thread has a context of its own current meanwhile.
TEST_F(GlesThreads, WithContextsOfTheirOwn) {
  const int before = GlHandle::live();
  EXPECT_EQ(InThreads([&](int t) -> std::string {
              const auto app = testing::AppContext::Create(gl_);
              if (app == nullptr) return "no context";
              const std::string state = app->State();
              auto pipeline = device_->Compile(ScaleProgram(*device_));
              if (!pipeline.ok()) return std::string(Message(pipeline.status()));
              for (int round = 0; round < kRounds; ++round) {
                const std::string problem =
                    Double(*device_, *pipeline, static_cast<float>(t + round));
                if (!problem.empty()) return problem;
                if (app->State() != state) return "another state";
              }
              return "";
            }),
            "");
  EXPECT_EQ(GlHandle::live(), before);
}

// The last thread that lets go of the device ends it, whichever that is.
TEST_F(GlesThreads, LetGoOfTheDeviceTogether) {
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::shared_ptr<Device>> held(kThreads, OpenGlesDevice(gl_).value_or(nullptr));
    ASSERT_NE(held[0], nullptr);
    const int before = GlHandle::live();
    EXPECT_EQ(InThreads([&](int t) -> std::string {
                std::shared_ptr<Device> mine = std::move(held[t]);
                const BufferRange range = NewRange(*mine, 64);
                Fill(*mine, range, static_cast<float>(t));
                mine.reset();
                return "";
              }),
              "");
    EXPECT_EQ(GlHandle::live(), before);
  }
}

// All of them share buffers with their own context of one share group.
TEST_F(GlesThreads, ShareBuffersWithTheApplication) {
  const auto app = testing::AppContext::Create(gl_);
  ASSERT_NE(app, nullptr);
  auto sharing = OpenGlesDevice(gl_, {.share_current = true});
  if (!sharing.ok()) GTEST_SKIP() << sharing.status();
  Device& device = **sharing;
  auto pipeline = device.Compile(ScaleProgram(device));
  ASSERT_TRUE(pipeline.ok()) << pipeline.status();
  EXPECT_EQ(InThreads([&](int t) -> std::string {
              const auto mine = testing::AppContext::Create(gl_, {.share = app->context()});
              if (mine == nullptr) return "no context";
              const GLuint in = mine->NewBuffer(std::vector<float>(kCount, 1.0f + t));
              const GLuint out = mine->NewBuffer(std::vector<float>(kCount));
              const auto src = device.Import(in), dst = device.Import(out);
              if (!src.ok() || !dst.ok()) return std::string(Message(src.status()));
              auto commands = device.Record({{"double",
                                              *pipeline,
                                              {*src, *dst},
                                              ScaleWords(kCount, 2.0f, 1),
                                              {kCount, 1, 1},
                                              {8, 1, 1}}});
              if (!commands.ok()) return std::string(Message(commands.status()));
              for (int round = 0; round < kRounds; ++round) {
                absl::Status status = device.Submit(**commands);
                if (status.ok()) status = device.Wait();
                if (!status.ok()) return std::string(Message(status));
              }
              return mine->Floats(out, kCount) == std::vector<float>(kCount, 3.0f + 2 * t)
                         ? ""
                         : "wrong numbers";
            }),
            "");
}

}  // namespace
}  // namespace tern::gpu
