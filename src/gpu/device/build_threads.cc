// SPDX-License-Identifier: Apache-2.0
// This thread does all where the system gives no other.
#include "gpu/device/build_threads.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "base/thread.h"

namespace tern::gpu {
namespace {

constexpr size_t kBuildThreads = 4;

}  // namespace

void OnBuildThreads(size_t count, const std::function<void(size_t)>& build) {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < count; i = next++) build(i);
  };
  const size_t workers =
      std::min({count, kBuildThreads, size_t{std::thread::hardware_concurrency()}});
  std::vector<Thread> threads;
  for (size_t i = 1; i < workers; ++i) threads.emplace_back(work);
  work();
  for (Thread& thread : threads) thread.Join();
}

}  // namespace tern::gpu
