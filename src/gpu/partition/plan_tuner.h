// SPDX-License-Identifier: Apache-2.0
// Tuning parameters of nodes, measured where the options ask for speed over many runs.
#ifndef TERN_GPU_PARTITION_PLAN_TUNER_H_
#define TERN_GPU_PARTITION_PLAN_TUNER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "gpu/backends/backend_list.h"
#include "gpu/compile.h"
#include "gpu/partition/plan_cache.h"
#include "gpu/tune/tune.h"

namespace tern::gpu {

// The tuning result of one part of a graph.
struct PartTuning {
  const char* from = "measured";  // or "saved", "earlier": for the same nodes, before a resize
  NodeTuning common;              // the device's tuning parameters
  TuneResult result;              // with no more than the nodes where it was not measured now
  std::string failure;            // why there is no result
};

// Used by one thread at a time.
class PlanTuner {
 public:
  // `budget_nanos` is for all parts together.
  explicit PlanTuner(int64_t budget_nanos) : left_nanos_(budget_nanos) {}

  // Returns the tuning parameters of these nodes from the first of these that has them: an earlier
  // call, the cache, or measurements, which are saved then. `cache` may be null. Warns where
  // nothing can be measured. Saved parameters may not fit the graph as it is now: then it does not
  // compile with them. `plain` is the graph's plan with the device's tuning parameters.
  PartTuning Choose(const Graph& graph, const Plan& plain, const OpenedDevice& opened,
                    const LoweringTable& table, CompileOptions options, PlanCache* cache);

 private:
  int64_t left_nanos_;
  std::map<std::string, TunedNodes> known_;  // by device and nodes
};

}  // namespace tern::gpu

#endif  // TERN_GPU_PARTITION_PLAN_TUNER_H_
