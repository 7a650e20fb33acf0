// SPDX-License-Identifier: Apache-2.0
// The report of a delegate, as JSON.
#ifndef TERN_DELEGATE_REPORT_H_
#define TERN_DELEGATE_REPORT_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/str_cat.h"
#include "delegate/explain.h"
#include "delegate/supported_nodes.h"
#include "gpu/desc/phases.h"
#include "gpu/device/executor.h"
#include "gpu/partition/build.h"
#include "gpu/partition/half_guard.h"
#include "gpu/partition/plan_tuner.h"

namespace tern::delegate {

// One subgraph, as of the last time that the delegate was applied to it.
struct AppliedGraph {
  const TfLiteContext* context = nullptr;  // which one; compared, never read
  int nodes = 0;
  int delegated = 0;
  int partitions = 0;
  std::set<const void*> programs;  // which ones; compared, never read
  gpu::ProgramCounts counts;       // what it took to have them
  int plans_loaded = 0;            // partitions that came from what was saved
  int dispatches = 0;
  int64_t gpu_bytes = 0;
  int64_t arena_bytes = 0;
  std::vector<gpu::Storage> storage;        // of each partition
  std::vector<gpu::PartTuning> tuning;      // of each partition, where tuning was asked for
  std::vector<gpu::PromotedNode> promoted;  // by a guard, in runs since
  std::vector<Refusal> refused;
  Explanation explanation;
  gpu::Listing listing;    // only when asked for
  Phases init;             // what was done when
  int64_t init_nanos = 0;  // all of it
};

// The runs of all graphs.
struct RunTimes {
  int64_t first_nanos = 0;  // of the first run of each partition, together
  bool trace = false;       // spans are wanted, of starts, too
  gpu::RunTrace kept;
};

struct Identity {
  std::string engine;  // backend name
  std::string choice;  // a sentence: why this backend
  std::string device;
  std::string driver;
  std::string precision;                   // "f32" or "f16"
  int slice_width = 0;                     // 0 before anything was compiled
  std::vector<std::string> warnings = {};  // about options
};

// {"engine", "choice", "device", "driver", "precision", "slice_width", "nodes", "delegated",
// "partitions", "refused": [{"node", "op", "reason"}], "programs", "texts_printed",
// "programs_compiled", "programs_loaded", "plans_loaded", "gpu_bytes", "arena_bytes", "dispatches",
// "storage": [{"weights", "activations", "sums"}] of each partition, "promoted": [{"node",
// "label"}], "decisions", "crossings"}; numbers are sums over the graphs, but a program counts
// once. "plans" and "kernels" are there when they were asked for, "warnings" when there are any,
// "tuning" has for each partition, where the options asked for it, {"from", "tuned", "before_ns",
// "after_ns", "spent_ns", "out_of_time", "kinds": [{"label", "nodes", "ns", "choice", "trials":
// [{"choice", "ns", "best_ns", "taken"}]}]} (tune/tune.h), or {"from", "failure"};
// "failed" is in a refusal where it is true. "init" has the time of each phase of the start
// (gpu/desc/phases.h),
// {"total_us", "open_us", ..., "first_run_us"}, and "trace", when it was asked for, all of them one
// by one:
// {"init": [{"name", "start_ns", "ns"}], "runs": [...], "launches": [...]}, on the steady clock;
// the names of launches are the labels of dispatches, and each has a "kernel", too.
std::string ReportJson(const Identity& identity, const std::vector<AppliedGraph>& graphs,
                       const RunTimes& runs = {});

// The text between quotes in JSON; bytes that are not UTF-8 become '?'.
std::string JsonText(std::string_view text);

// A list of what `json` makes of each item.
template <typename Items, typename Json>
std::string JsonList(const Items& items, const Json& json) {
  std::string list;
  for (const auto& item : items) list += StrCat(list.empty() ? "" : ",", json(item));
  return StrCat("[", list, "]");
}

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_REPORT_H_
