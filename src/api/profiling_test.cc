// SPDX-License-Identifier: Apache-2.0
//
// Clock, memory monitor, and the profilers' smaller names.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/profiling/memory_usage_monitor.h"
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

}  // namespace
}  // namespace profiling
}  // namespace tflite
