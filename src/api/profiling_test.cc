// SPDX-License-Identifier: Apache-2.0
//
// Clock, memory monitor, and the profilers' smaller names.
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/profiling/memory_usage_monitor.h"
#include "tensorflow/lite/profiling/profile_summarizer.h"
#include "tensorflow/lite/profiling/profiler.h"
#include "tensorflow/lite/profiling/root_profiler.h"
#include "tensorflow/lite/profiling/time.h"

namespace tflite {
namespace profiling {
namespace {

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

// Two nodes and one inside a delegate, over two runs.
ProfileSummary SmallSummary() {
  ProfileSummary summary;
  summary.nodes = {{0, 0, "CONV_2D", "a, b", 2, 6000}, {0, 1, "ADD", "c", 2, 2000}};
  summary.delegate_nodes = {{1, 4, "MUL", "say \"d\"", 2, 1000}};
  summary.runs = 2;
  return summary;
}

TEST(ProfileSummaryFormatter, WritesCommaSeparatedValues) {
  EXPECT_EQ(ProfileSummaryCSVFormatter().GetOutputString(SmallSummary()),
            "subgraph,node,delegate,type,count,ms per run,share in percent,outputs\n"
            "0,0,no,CONV_2D,2,3.000,75.00,\"a, b\"\n"
            "0,1,no,ADD,2,1.000,25.00,c\n"
            "1,4,yes,MUL,2,0.500,12.50,\"say \"\"d\"\"\"\n");
}

TEST(ProfileSummaryFormatter, WritesTables) {
  const ProfileSummaryDefaultFormatter formatter;
  const std::string text = formatter.GetOutputString(SmallSummary());
  EXPECT_NE(text.find("Operators inside delegates"), std::string::npos) << text;
  EXPECT_NE(text.find("Runs: 2, operators: 2, mean time of a run: 4.000 ms"), std::string::npos);
  EXPECT_EQ(formatter.GetOutputString({}), "No operator was profiled.\n");
  EXPECT_EQ(formatter.GetShortSummary({}), "Runs: 0, operators: 0, mean time of a run: 0.000 ms\n");
}

TEST(ProfileSummaryFormatter, SendsTextsToAFileOrToStandardOutput) {
  const ProfileSummaryCSVFormatter formatter;
  ::testing::internal::CaptureStdout();
  formatter.HandleOutput("", "second", "");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "Runs:\nsecond\n");
  const std::string path = ::testing::TempDir() + "/profile.csv";
  formatter.HandleOutput("first", "second", path);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "Before the first run:\nfirst\nRuns:\nsecond\n");
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
  EXPECT_NE(summarizer.GetOutputString().find("0,0,no,ADD,1,1.500,100.00,"), std::string::npos);
}

}  // namespace
}  // namespace profiling
}  // namespace tflite
