// SPDX-License-Identifier: Apache-2.0
// Timing runs.
#include "cli/engine/timing.h"

#include <algorithm>
#include <cmath>

#include "cli/engine/engine.h"
#include "cli/progress.h"

namespace tern::cli {

double Median(std::vector<double> samples) {
  if (samples.empty()) return 0;
  const auto middle = samples.begin() + static_cast<ptrdiff_t>((samples.size() - 1) / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

double Timing::Percentile(double share) const {
  if (sorted_ms.empty()) return 0;
  const auto count = static_cast<double>(sorted_ms.size());
  const auto rank = static_cast<size_t>(std::max(1.0, std::ceil(share * count)));
  return sorted_ms[std::min(rank, sorted_ms.size()) - 1];
}

absl::StatusOr<Timing> TimeRuns(Engine* engine, int runs) {
  Timing timing;
  Progress progress("run", std::max(1, runs));
  for (int run = 0; run < std::max(1, runs); ++run) {
    progress.Step();
    const Stopwatch watch;
    absl::Status status = engine->Invoke();
    if (!status.ok()) return status;
    if (run == 0) {
      timing.first_ms = watch.Ms();
    } else {
      timing.sorted_ms.push_back(watch.Ms());
    }
  }
  if (timing.sorted_ms.empty()) timing.sorted_ms.push_back(timing.first_ms);
  std::sort(timing.sorted_ms.begin(), timing.sorted_ms.end());
  return timing;
}

}  // namespace tern::cli
