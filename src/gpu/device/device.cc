// SPDX-License-Identifier: Apache-2.0
// Several programs, a thread for each, but not many at a time.
#include "gpu/device/device.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>

#include "base/thread.h"

namespace tern::gpu {
namespace {

constexpr size_t kBuildThreads = 4;

template <typename Make>
Device::Pipelines MakeAll(size_t count, Make make) {
  Device::Pipelines made(count);
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < count; i = next++) made[i] = make(i);
  };
  const size_t workers =
      std::min({count, kBuildThreads, size_t{std::thread::hardware_concurrency()}});
  std::vector<Thread> threads;
  for (size_t i = 1; i < workers; ++i) threads.emplace_back(work);
  work();
  for (Thread& thread : threads) thread.Join();
  return made;
}

}  // namespace

Device::Pipelines Device::CompileAll(std::span<const ProgramSource> sources) {
  return MakeAll(sources.size(), [&](size_t i) { return Compile(sources[i]); });
}

Device::Pipelines Device::LoadAll(std::span<const ProgramSource> sources,
                                  std::span<const ProgramBinary> binaries) {
  return MakeAll(sources.size(), [&](size_t i) { return Load(sources[i], binaries[i]); });
}

}  // namespace tern::gpu
