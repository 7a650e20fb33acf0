// SPDX-License-Identifier: Apache-2.0
// The maximum memory of the process while something runs, sampled by a thread.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_MEMORY_USAGE_MONITOR_H_
#define TERN_TENSORFLOW_LITE_PROFILING_MEMORY_USAGE_MONITOR_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

#if __has_include("absl/time/time.h")
#include "absl/time/time.h"
#define TERN_HAS_ABSL_DURATION 1
#endif
#include "tensorflow/lite/profiling/memory_info.h"

namespace tflite {
namespace profiling {
namespace memory {

// Start and Stop come from one thread; sizes are in MiB.
class MemoryUsageMonitor {
 public:
  static constexpr int64_t kInvalidMemUsageMB = -1;
  static constexpr int64_t kInvalidMemUsageBytes = kInvalidMemUsageMB * 1024 * 1024;

  // The source of memory figures; tests and platforms may bring their own.
  class Sampler {
   public:
    virtual ~Sampler() = default;
    virtual bool IsSupported() { return MemoryUsage::IsSupported(); }
    virtual MemoryUsage GetMemoryUsage() { return memory::GetMemoryUsage(); }
    // Called with the interval after each wait of that time; by default nothing happens. Programs
    // without Abseil have a function with another name for the argument at the same place.
#ifdef TERN_HAS_ABSL_DURATION
    virtual void SleepFor(const absl::Duration&) {}
#else
    virtual void SleepFor(const void*) {}
#endif
  };

  // An interval below 1 ms becomes the default.
  explicit MemoryUsageMonitor(int sampling_interval_ms = 50)
      : MemoryUsageMonitor(sampling_interval_ms, std::make_unique<Sampler>()) {}
  MemoryUsageMonitor(int sampling_interval_ms, std::unique_ptr<Sampler> sampler);
  ~MemoryUsageMonitor() { Stop(); }
  MemoryUsageMonitor(const MemoryUsageMonitor&) = delete;
  MemoryUsageMonitor& operator=(const MemoryUsageMonitor&) = delete;

  // Forgets what was seen and begins to look. Nothing happens while it runs, and where the platform
  // does not tell.
  void Start();
  // Looks once more and ends. Nothing happens unless it runs.
  void Stop();

  // kInvalidMemUsageMB before the first Stop, while it runs, and where the platform does not tell.
  float GetPeakMemUsageInMB() const;
  float GetPeakInUseMemoryInMB() const;
  // Now.
  float GetCurrentInUseMemoryInMB() const;

 private:
  void Look();

  std::unique_ptr<Sampler> sampler_;
  bool is_supported_;
  std::chrono::milliseconds interval_;
  int64_t peak_footprint_bytes_ = kInvalidMemUsageBytes;
  int64_t peak_in_use_bytes_ = kInvalidMemUsageBytes;
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;
  std::unique_ptr<std::thread> thread_;
};

}  // namespace memory
}  // namespace profiling
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_PROFILING_MEMORY_USAGE_MONITOR_H_
