// SPDX-License-Identifier: Apache-2.0
// One loop for each width of registers, chosen when running.
#include "bench/fma_probe.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <thread>
#include <vector>

namespace tern::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Loop = void (*)(int64_t rounds, float* sink);

constexpr int kChains = 12;         // independent sums hide the latency of the instruction
constexpr int64_t kRounds = 10000;  // of one call: long beside a look at the clock
constexpr size_t kStretch = 100;    // calls: some milliseconds
constexpr size_t kReadBytes = size_t{192} << 20;  // per thread

// A macro, because each copy is compiled for other instructions.
#define TERN_FMA_LOOP(lanes, rounds, sink)                             \
  typedef float Vector __attribute__((vector_size(4 * lanes)));        \
  Vector sums[kChains];                                                \
  Vector factor, term;                                                 \
  for (int i = 0; i < lanes; ++i) factor[i] = 0.999f, term[i] = 1e-4f; \
  for (int c = 0; c < kChains; ++c) sums[c] = term * (1.0f + c);       \
  for (int64_t r = 0; r < rounds; ++r) {                               \
    _Pragma("GCC unroll 12") for (int c = 0; c < kChains; ++c) {       \
      sums[c] = sums[c] * factor + term;                               \
    }                                                                  \
  }                                                                    \
  Vector total = sums[0];                                              \
  for (int c = 1; c < kChains; ++c) total += sums[c];                  \
  for (int i = 0; i < lanes; ++i) *sink += total[i]

void FmaGeneric(int64_t rounds, float* sink) { TERN_FMA_LOOP(4, rounds, sink); }

#if defined(__x86_64__)
__attribute__((target("avx512f"))) void FmaAvx512(int64_t rounds, float* sink) {
  TERN_FMA_LOOP(16, rounds, sink);
}
__attribute__((target("avx2,fma"))) void FmaAvx2(int64_t rounds, float* sink) {
  TERN_FMA_LOOP(8, rounds, sink);
}
bool HasAvx512() { return __builtin_cpu_supports("avx512f"); }
bool HasAvx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#endif

struct Choice {
  Loop loop;
  int lanes;
  const char* name;
};

Choice Choose() {
#if defined(__x86_64__)
  if (HasAvx512()) return {FmaAvx512, 16, "AVX-512"};
  if (HasAvx2()) return {FmaAvx2, 8, "AVX2"};
#endif
  return {FmaGeneric, 4, "generic"};
}

// Runs body(thread) again and again on each thread for about `ms`; returns calls per second.
template <typename Body>
double CallsPerSecond(int threads, double ms, const Body& body) {
  std::atomic<int> ready = 0;
  std::atomic<int64_t> calls = 0;
  std::vector<std::thread> workers;
  std::vector<double> seconds(threads);
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      body(t);
      ++ready;
      while (ready < threads) std::this_thread::yield();
      const Clock::time_point start = Clock::now();
      int64_t mine = 0;
      do {
        body(t);
        ++mine;
        seconds[t] = std::chrono::duration<double>(Clock::now() - start).count();
      } while (seconds[t] * 1e3 < ms);
      calls += mine;
    });
  }
  for (std::thread& worker : workers) worker.join();
  return static_cast<double>(calls) / *std::max_element(seconds.begin(), seconds.end());
}

double Ms(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

struct Stretch {
  double best_ms = 0;  // processor time of the fastest kStretch calls in a row
  double running = 0;
};

// Runs `body` for about `ms`, and for kStretch calls at least.
template <typename Body>
Stretch FindStretch(double ms, const Body& body) {
  std::vector<double> ends = {Ms(CLOCK_THREAD_CPUTIME_ID)};
  const double start = Ms(CLOCK_MONOTONIC);
  while (Ms(CLOCK_MONOTONIC) - start < ms || ends.size() <= kStretch) {
    body();
    ends.push_back(Ms(CLOCK_THREAD_CPUTIME_ID));
  }
  Stretch stretch;
  stretch.running = (ends.back() - ends.front()) / (Ms(CLOCK_MONOTONIC) - start);
  stretch.best_ms = ends.back() - ends.front();
  for (size_t i = kStretch; i < ends.size(); ++i) {
    stretch.best_ms = std::min(stretch.best_ms, ends[i] - ends[i - kStretch]);
  }
  return stretch;
}

}  // namespace

const char* FmaInstructions() { return Choose().name; }

int UsableCpus() {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return CPU_COUNT(&set);
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

FmaPeak MeasureFmaPeak(int threads, double ms) {
  const Choice choice = Choose();
  std::atomic<int> ready = 0;
  std::vector<Stretch> stretches(threads);
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      float sink = 0;
      choice.loop(kRounds, &sink);
      ++ready;
      while (ready < threads) std::this_thread::yield();
      stretches[t] = FindStretch(ms, [&] { choice.loop(kRounds, &sink); });
    });
  }
  for (std::thread& worker : workers) worker.join();
  FmaPeak peak;
  for (const Stretch& stretch : stretches) {
    peak.gflops += 2e-6 * kStretch * kRounds * kChains * choice.lanes / stretch.best_ms;
    peak.running += stretch.running / threads;
  }
  return peak;
}

double ReadGigabytes(int threads, double ms) {
  std::vector<std::vector<uint64_t>> data(threads);
  for (auto& part : data) part.assign(kReadBytes / sizeof(uint64_t), 1);
  std::vector<uint64_t> sinks(static_cast<size_t>(threads) * 8);
  const double rate = CallsPerSecond(threads, ms, [&](int t) {
    uint64_t sums[4] = {};
    const std::vector<uint64_t>& part = data[t];
    for (size_t i = 0; i < part.size(); i += 32) {
      // All of every cache line, in chains that do not wait for each other.
      for (size_t k = 0; k < 32; ++k) sums[k % 4] += part[i + k];
    }
    sinks[t * 8] += sums[0] + sums[1] + sums[2] + sums[3];
  });
  return rate * kReadBytes * 1e-9;
}

}  // namespace tern::bench
