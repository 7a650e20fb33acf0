// SPDX-License-Identifier: Apache-2.0
// The thread that watches the memory of the process, and the clock.
#include "tensorflow/lite/profiling/memory_usage_monitor.h"

#include <algorithm>
#include <utility>

#include "tensorflow/lite/profiling/time.h"

namespace tflite {
namespace profiling {
namespace time {

uint64_t NowMicros() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

void SleepForMicros(uint64_t micros) {
  std::this_thread::sleep_for(std::chrono::microseconds(micros));
}

}  // namespace time

namespace memory {
namespace {

constexpr int kDefaultIntervalMs = 50;

float ToMegabytes(int64_t bytes) { return static_cast<float>(bytes) / (1024.0f * 1024.0f); }

}  // namespace

MemoryUsageMonitor::MemoryUsageMonitor(int sampling_interval_ms, std::unique_ptr<Sampler> sampler)
    : sampler_(std::move(sampler)),
      is_supported_(sampler_ != nullptr && sampler_->IsSupported()),
      interval_(sampling_interval_ms > 0 ? sampling_interval_ms : kDefaultIntervalMs) {}

void MemoryUsageMonitor::Look() {
  const MemoryUsage usage = sampler_->GetMemoryUsage();
  peak_footprint_bytes_ = std::max(peak_footprint_bytes_, usage.mem_footprint_kb * 1024);
  peak_in_use_bytes_ =
      std::max(peak_in_use_bytes_, static_cast<int64_t>(usage.in_use_allocated_bytes));
}

void MemoryUsageMonitor::Start() {
  if (!is_supported_ || thread_ != nullptr) return;
  peak_footprint_bytes_ = kInvalidMemUsageBytes;
  peak_in_use_bytes_ = kInvalidMemUsageBytes;
  stop_ = false;
  thread_ = std::make_unique<std::thread>([this] {
    std::unique_lock<std::mutex> lock(mutex_);
    do {
      Look();
      if (stopped_.wait_for(lock, interval_, [this] { return stop_; })) break;
      sampler_->SleepFor(absl::Milliseconds(interval_.count()));
    } while (true);
    Look();
  });
}

void MemoryUsageMonitor::Stop() {
  if (thread_ == nullptr) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_one();
  thread_->join();
  thread_.reset();
}

float MemoryUsageMonitor::GetPeakMemUsageInMB() const {
  return thread_ != nullptr ? kInvalidMemUsageMB : ToMegabytes(peak_footprint_bytes_);
}

float MemoryUsageMonitor::GetPeakInUseMemoryInMB() const {
  return thread_ != nullptr ? kInvalidMemUsageMB : ToMegabytes(peak_in_use_bytes_);
}

float MemoryUsageMonitor::GetCurrentInUseMemoryInMB() const {
  if (!is_supported_) return kInvalidMemUsageMB;
  return ToMegabytes(static_cast<int64_t>(sampler_->GetMemoryUsage().in_use_allocated_bytes));
}

}  // namespace memory
}  // namespace profiling
}  // namespace tflite
