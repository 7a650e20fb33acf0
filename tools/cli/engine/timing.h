// SPDX-License-Identifier: Apache-2.0
// Wall-clock times of repeated runs.
#ifndef TERN_TOOLS_CLI_ENGINE_TIMING_H_
#define TERN_TOOLS_CLI_ENGINE_TIMING_H_

#include <chrono>
#include <vector>

#include "absl/status/statusor.h"

namespace tern::cli {

class Engine;

class Stopwatch {
 public:
  double Ms() const {
    const auto passed = std::chrono::steady_clock::now() - start_;
    return std::chrono::duration<double, std::milli>(passed).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// The lower one of two; 0 of none.
double Median(std::vector<double> samples);

struct Timing {
  double first_ms = 0;
  std::vector<double>
      sorted_ms;  // the runs after the first; the first itself when it was the only one

  // The smallest time that at least this share of the runs did not exceed (0: the minimum).
  double Percentile(double share) const;
};

// Invokes `runs` times (at least once) with the inputs as they are.
absl::StatusOr<Timing> TimeRuns(Engine* engine, int runs);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_ENGINE_TIMING_H_
