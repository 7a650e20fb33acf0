// SPDX-License-Identifier: Apache-2.0
// The programs of a plan on a device, built from texts or loaded from saved binaries.
#ifndef TERN_GPU_DEVICE_PLAN_PROGRAMS_H_
#define TERN_GPU_DEVICE_PLAN_PROGRAMS_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/desc/phases.h"
#include "gpu/desc/plan.h"
#include "gpu/device/device.h"
#include "gpu/device/prepared_plan.h"
#include "gpu/device/program_cache.h"

namespace tern::gpu {

// A dispatch whose program the driver does not build.
struct RejectedDispatch {
  int node = -1;       // Dispatch::node
  std::string reason;  // kernel and the driver's log
};

// The work that it took to have a plan's programs.
struct ProgramCounts {
  int printed = 0;   // texts of dispatches
  int compiled = 0;  // programs, from texts
  int loaded = 0;    // programs, from binaries

  ProgramCounts& operator+=(const ProgramCounts& more) {
    printed += more.printed;
    compiled += more.compiled;
    loaded += more.loaded;
    return *this;
  }
};

struct PlanPrograms {
  PreparedPlan prepared;  // without texts and binaries
  // Parallel to the programs of `prepared`; plans of one cache share those of equal text.
  std::vector<std::shared_ptr<Pipeline>> pipelines;
  ProgramCounts counts;
  bool from_saved = false;   // nothing was printed and built
  absl::Status saved_error;  // why the driver did not take the saved binaries

  // Returns the plan to save, best after a run (Pipeline::Binary). Unimplemented: the driver gives
  // no binaries.
  absl::StatusOr<PreparedPlan> WithBinaries() const;
};

// Loads `saved`; where that is null or fails, prints and builds. After a failure of one program all
// are tried, and `rejected`, which may be null, gets each dispatch of those that fail. Calls
// `meanwhile` once in this thread, while the driver works in others, unless the texts cannot be
// printed.
absl::StatusOr<PlanPrograms> MakePrograms(const Plan& plan, const Device& device,
                                          ProgramCache& cache, const PreparedPlan* saved,
                                          std::vector<RejectedDispatch>* rejected, Phases* phases,
                                          std::function<void()> meanwhile);

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_PLAN_PROGRAMS_H_
