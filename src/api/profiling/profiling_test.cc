// SPDX-License-Identifier: Apache-2.0
//
// Clock, memory monitor, and the profilers' smaller names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/profiling/memory_usage_monitor.h"
#include "tensorflow/lite/profiling/profile_summarizer.h"
#include "tensorflow/lite/profiling/profiler.h"
#include "tensorflow/lite/profiling/root_profiler.h"
#include "tensorflow/lite/profiling/time.h"

namespace tflite {
namespace profiling {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Time, GoesOn) {
  const uint64_t before = time::NowMicros();
  time::SleepForMicros(2000);
  EXPECT_GE(time::NowMicros() - before, 2000u);
}

TEST(Profilers, OlderNamesRecordEvents) {
  BufferedProfiler profiler(4);
  profiler.StartProfiling();
  {
    SCOPED_TAGGED_OPERATOR_PROFILE(&profiler, "mine", 7);
    SCOPED_OPERATOR_PROFILE(&profiler, 8);
  }
  const std::vector<const ProfileEvent*> events = profiler.GetProfileEvents();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0]->tag, "mine");
  EXPECT_EQ(events[0]->event_metadata, 7);
  EXPECT_EQ(events[1]->tag, "OpInvoke");
}

TEST(Profilers, OneThatDoesNothingTakesASize) {
  NoopProfiler profiler(1024);
  profiler.StartProfiling();
  profiler.EndEvent(profiler.BeginEvent("e", Profiler::EventType::DEFAULT, 0, 0));
  EXPECT_TRUE(profiler.GetProfileEvents().empty());
}

TEST(Profilers, ARootMovesWithItsChildren) {
  BufferedProfiler child(4);
  child.StartProfiling();
  RootProfiler root;
  root.AddProfiler(&child);
  RootProfiler moved(std::move(root));
  moved.EndEvent(moved.BeginEvent("e", tflite::Profiler::EventType::DEFAULT, 0, 0));
  EXPECT_EQ(child.GetProfileEvents().size(), 1u);
  static_assert(!std::is_copy_constructible_v<RootProfiler>);
}

// A process whose use rises to `peak` KiB and falls again.
class Scripted : public memory::MemoryUsageMonitor::Sampler {
 public:
  Scripted(std::vector<int64_t> footprints_kb, bool supported)
      : footprints_kb_(std::move(footprints_kb)), supported_(supported) {}
  bool IsSupported() override { return supported_; }
  memory::MemoryUsage GetMemoryUsage() override {
    memory::MemoryUsage usage;
    usage.mem_footprint_kb = footprints_kb_[next_];
    usage.in_use_allocated_bytes = static_cast<size_t>(footprints_kb_[next_]) * 512;
    if (next_ + 1 < footprints_kb_.size()) ++next_;
    return usage;
  }

 private:
  std::vector<int64_t> footprints_kb_;
  bool supported_;
  size_t next_ = 0;
};

TEST(MemoryUsageMonitor, FindsThePeak) {
  memory::MemoryUsageMonitor monitor(
      1, std::make_unique<Scripted>(std::vector<int64_t>{1024, 5 * 1024, 2048}, true));
  EXPECT_EQ(monitor.GetPeakMemUsageInMB(), memory::MemoryUsageMonitor::kInvalidMemUsageMB);
  monitor.Start();
  EXPECT_EQ(monitor.GetPeakMemUsageInMB(), memory::MemoryUsageMonitor::kInvalidMemUsageMB)
      << "it runs";
  monitor.Start();
  time::SleepForMicros(50000);
  monitor.Stop();
  EXPECT_FLOAT_EQ(monitor.GetPeakMemUsageInMB(), 5);
  EXPECT_FLOAT_EQ(monitor.GetPeakInUseMemoryInMB(), 2.5f);
  EXPECT_FLOAT_EQ(monitor.GetCurrentInUseMemoryInMB(), 1);
  monitor.Stop();
}

TEST(MemoryUsageMonitor, StopLooksOnceMore) {
  memory::MemoryUsageMonitor monitor(
      1000000, std::make_unique<Scripted>(std::vector<int64_t>{1024, 3072}, true));
  monitor.Start();
  monitor.Stop();
  EXPECT_FLOAT_EQ(monitor.GetPeakMemUsageInMB(), 3);
}

TEST(MemoryUsageMonitor, SaysNothingWhereThePlatformDoesNot) {
  memory::MemoryUsageMonitor monitor(50,
                                     std::make_unique<Scripted>(std::vector<int64_t>{1024}, false));
  monitor.Start();
  monitor.Stop();
  EXPECT_EQ(monitor.GetPeakMemUsageInMB(), memory::MemoryUsageMonitor::kInvalidMemUsageMB);
  EXPECT_EQ(monitor.GetCurrentInUseMemoryInMB(), memory::MemoryUsageMonitor::kInvalidMemUsageMB);
  memory::MemoryUsageMonitor without(50, nullptr);
  without.Start();
  EXPECT_EQ(without.GetPeakInUseMemoryInMB(), memory::MemoryUsageMonitor::kInvalidMemUsageMB);
}

TEST(MemoryUsageMonitor, LooksAtThisProcess) {
  memory::MemoryUsageMonitor monitor;
  monitor.Start();
  monitor.Stop();
  if (memory::MemoryUsage::IsSupported()) {
    EXPECT_GT(monitor.GetPeakMemUsageInMB(), 0);
  }
}

TEST(MemoryUsage, AddsSubtractsAndWritesItself) {
  memory::MemoryUsage a, b;
  a.mem_footprint_kb = 3000, b.mem_footprint_kb = 1000;
  a.total_allocated_bytes = 5, b.total_allocated_bytes = 7;
  a.in_use_allocated_bytes = 4'000'000, b.in_use_allocated_bytes = 1'500'000;
  a.private_footprint_bytes = 9, b.private_footprint_bytes = 2;
  const memory::MemoryUsage sum = a + b, difference = a - b;
  EXPECT_EQ(sum.mem_footprint_kb, 4000);
  EXPECT_EQ(sum.total_allocated_bytes, 12u);
  EXPECT_EQ(sum.private_footprint_bytes, 11);
  EXPECT_EQ(difference.mem_footprint_kb, 2000);
  EXPECT_EQ(difference.in_use_allocated_bytes, 2'500'000u);
  EXPECT_EQ(difference.private_footprint_bytes, 7);
  std::ostringstream by_operator, by_name;
  by_operator << difference;
  difference.AllStatsToStream(&by_name);
  EXPECT_EQ(by_operator.str(), by_name.str());
  EXPECT_THAT(by_name.str(), HasSubstr("most resident: 2.048 MB"));
  EXPECT_THAT(by_name.str(), HasSubstr("heap: -2e-06 MB")) << "a heap that shrank";
  if (memory::MemoryUsage::IsSupported()) {
    EXPECT_GT(memory::GetMemoryUsage().private_footprint_bytes, 0);
  }
}

// The monitor tells its sampler each time that it has waited.
TEST(MemoryUsageMonitor, TheSamplerHearsOfEachWait) {
  struct Hearing : Scripted {
    explicit Hearing(std::atomic<int>* waits) : Scripted({1024}, true), waits_(waits) {}
    void SleepFor(const absl::Duration& duration) override {
      EXPECT_TRUE(duration == absl::Milliseconds(1));
      ++*waits_;
    }
    std::atomic<int>* waits_;
  };
  std::atomic<int> waits{0};
  memory::MemoryUsageMonitor monitor(1, std::make_unique<Hearing>(&waits));
  monitor.Start();
  while (waits < 3) std::this_thread::yield();
  monitor.Stop();
  EXPECT_EQ(monitor.GetPeakMemUsageInMB(), 1);
}

Stat Times(std::initializer_list<int64_t> values) {
  Stat stat;
  for (const int64_t value : values) stat.Add(value);
  return stat;
}

// Two nodes and one inside a delegate, over two runs.
ProfileSummary SmallSummary() {
  ProfileSummary summary;
  ProfileSummary::Table& main = summary.subgraphs.emplace_back();
  main.rows = {{"ADD", "[c]:1", 0, Times({1000, 1000}), Times({0, 0})},
               {"CONV_2D", "[a, b]:0", 1, Times({3000, 3000}), Times({0, 0})}};
  main.run_us = Times({4000, 4000});
  summary.delegates.rows = {{"MUL", "Delegate/MUL:4", 0, Times({500, 700}), {}}};
  summary.delegates.run_us = Times({500, 700});
  return summary;
}

TEST(ProfileSummaryFormatter, WritesCommaSeparatedValues) {
  EXPECT_THAT(ProfileSummaryCSVFormatter().GetOutputString(SmallSummary()),
              HasSubstr("node type, first, avg_ms, %, cdf%, mem KB, times called, name\n"
                        "ADD, 1, 1, 25%, 25%, 0, 1, [c]:1\n"
                        "CONV_2D, 3, 3, 75%, 100%, 0, 1, [a\t b]:0\n"));
}

TEST(ProfileSummaryFormatter, WritesTables) {
  const ProfileSummaryDefaultFormatter formatter;
  const std::string text = formatter.GetOutputString(SmallSummary());
  EXPECT_THAT(text, StartsWith("============================== Run Order "
                               "==============================\n"));
  EXPECT_THAT(text, HasSubstr("\t                                     ADD\t    1.000\t    1.000\t "
                              "25.000%\t 25.000%\t     0.000\t        1\t[c]:1\n"));
  EXPECT_THAT(text, HasSubstr("Number of nodes executed: 2\n"));
  EXPECT_THAT(text, HasSubstr("Timings (microseconds): count=2 curr=4000(all same)\n"));
  EXPECT_THAT(text, HasSubstr("Delegate internal: \n"));
  const size_t slowest = text.find("Top by Computation Time");
  EXPECT_LT(text.find("CONV_2D", slowest), text.find("ADD", slowest));
}

TEST(ProfileSummaryFormatter, ShortSummaryIsThatOfTheTables) {
  ProfileSummary summary = SmallSummary();
  EXPECT_EQ(ProfileSummaryDefaultFormatter().GetShortSummary(summary),
            "Timings (microseconds): count=2 curr=4000(all same)\nMemory (bytes): count=0\n"
            "2 nodes observed\n\nDelegate internal: \n"
            "Timings (microseconds): count=2 first=500 curr=700 min=500 max=700 avg=600 std=100\n"
            "Memory (bytes): count=0\n1 nodes observed\n\n");
}

TEST(ProfileSummaryFormatter, WritesMessages) {
  const ProfileSummaryProtoFormatter formatter;
  const std::string text = formatter.GetOutputString(SmallSummary());
  // An unnamed subgraph, its index, its first operation.
  EXPECT_THAT(text, HasSubstr(std::string("\n\0\x10\0\x1a", 5)));
  EXPECT_THAT(text, HasSubstr("\n\x03"
                              "ADD"));
  EXPECT_EQ(formatter.Combine("a", "bc"),
            "\x12\x01"
            "a"
            "\x1a\x02"
            "bc");
}

TEST(ProfileSummaryFormatter, SendsTextsToAFileOrToStandardOutput) {
  const ProfileSummaryCSVFormatter formatter;
  ::testing::internal::CaptureStdout();
  formatter.HandleOutput("", "second", "");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(),
            "Operator-wise Profiling Info for Regular Benchmark Runs:\nsecond\n");
  const std::string path = ::testing::TempDir() + "/profile.csv";
  formatter.HandleOutput("first", "second", path);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(),
            "Profiling Info for Benchmark Initialization:\nfirst\n"
            "Operator-wise Profiling Info for Regular Benchmark Runs:\nsecond\n");
  ::testing::internal::CaptureStderr();
  formatter.HandleOutput("", "", "/no/such/folder/file");
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("Could not write"), std::string::npos);
}

TEST(ProfileSummarizer, UsesTheGivenFormatter) {
  ProfileSummarizer summarizer(std::make_shared<ProfileSummaryCSVFormatter>());
  ProfileEvent event;
  event.tag = "ADD";
  event.event_type = tflite::Profiler::EventType::OPERATOR_INVOKE_EVENT;
  event.elapsed_time = 1500;
  EXPECT_FALSE(summarizer.HasProfiles());
  summarizer.ProcessProfiles({&event}, Interpreter());
  EXPECT_TRUE(summarizer.HasProfiles());
  EXPECT_THAT(summarizer.GetOutputString(), HasSubstr("ADD, 1.5, 1.5, 100%, 100%, 0, 1, []:0\n"));
}

TEST(ProfileSummarizer, ANodeHasWhatItsRegistrationSays) {
  Interpreter interpreter;
  ASSERT_EQ(interpreter.AddTensors(1), kTfLiteOk);
  TfLiteRegistration op = {};
  op.builtin_code = kTfLiteBuiltinCustom;
  op.custom_name = "Mine";
  op.profiling_string = [](const TfLiteContext*, const TfLiteNode*) { return "fast form"; };
  ASSERT_EQ(interpreter.AddNodeWithParameters({}, {0}, nullptr, 0, nullptr, &op), kTfLiteOk);
  ProfileEvent event;
  event.tag = "Mine";
  event.event_type = tflite::Profiler::EventType::OPERATOR_INVOKE_EVENT;
  ProfileSummarizer summarizer(std::make_shared<ProfileSummaryCSVFormatter>());
  summarizer.ProcessProfiles({&event}, interpreter);
  EXPECT_THAT(summarizer.GetOutputString(), HasSubstr("Mine/fast form, "));
}

}  // namespace
}  // namespace profiling
}  // namespace tflite
