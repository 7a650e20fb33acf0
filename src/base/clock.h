// SPDX-License-Identifier: Apache-2.0
// Monotonic time for profiles, tuning and time limits.
#ifndef TERN_BASE_CLOCK_H_
#define TERN_BASE_CLOCK_H_

#include <chrono>
#include <cstdint>

namespace tern {

// Since an arbitrary start; never goes backwards.
inline int64_t NowNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Since 1970, as the times of files are; may go backwards.
inline int64_t WallNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

class Stopwatch {
 public:
  Stopwatch() : start_(NowNanos()) {}
  void Restart() { start_ = NowNanos(); }
  int64_t nanos() const { return NowNanos() - start_; }
  double millis() const { return static_cast<double>(nanos()) * 1e-6; }

 private:
  int64_t start_;
};

}  // namespace tern

#endif  // TERN_BASE_CLOCK_H_
