// SPDX-License-Identifier: Apache-2.0
// Which connected parts of a graph go to the GPU, and the compiled form of each. All compiling
// happens here, before the runtime is asked to replace anything: what fails stays on the CPU.
#ifndef TERN_DELEGATE_PARTITIONS_H_
#define TERN_DELEGATE_PARTITIONS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "delegate/bound_buffers.h"
#include "delegate/delegate_kernel.h"
#include "delegate/explain.h"
#include "delegate/report.h"
#include "delegate/snapshot.h"
#include "delegate/supported_nodes.h"
#include "gpu/backends/backend_list.h"
#include "gpu/compile.h"
#include "gpu/desc/phases.h"
#include "gpu/device/executor.h"
#include "gpu/partition/build.h"
#include "gpu/partition/half_guard.h"
#include "gpu/partition/node_lists.h"
#include "gpu/partition/plan_cache.h"
#include "gpu/partition/plan_tuner.h"

namespace tern::delegate {

// The device and the options to compile for.
struct Target : gpu::BuildTarget {
  int max_partitions = 1;
  bool list = false;       // plans and sources are wanted
  bool plan_only = false;  // nothing is asked of the driver; the parts have no executors
  gpu::NodeLists lists;
  std::optional<int64_t> least_gain_us;  // parts that are estimated to save less are left out
  BoundBuffers bound;
  bool rebinds = false;  // other buffers may be bound to the parts later
};

// Inputs are those of the partition that are not constant, outputs those of the partition, and
// variables that get new values.
struct CompiledPartition : PlannedPart {
  gpu::Storage storage;
  std::optional<gpu::PartTuning> tuning;
  std::unique_ptr<gpu::Executor> executor;
  gpu::HalfGuard::Build rebuild;  // with a guard: another executor for the same part
  // Where other buffers may be bound: an executor with these. Nodes on the CPU write or read the
  // tensors in `shared`, so that no buffer can stand for them.
  Rebind rebind;
  std::set<int> shared;
};

// A graph of the runtime on one device.
struct CompiledGraph {
  NodeSupport support;
  std::vector<CompiledPartition> parts;
  gpu::Listing listing;               // only when wanted
  std::vector<std::string> warnings;  // a line for each part that the device failed at
  // Graphs that loops on the GPU have taken over, and joining graphs of nodes there; compared,
  // never read.
  std::set<const TfLiteContext*> unrolled;
  Explanation explanation;
  int parts_in_all = 0;  // of what has a GPU form, before some were chosen
  absl::Status failure;  // what kept the device from taking all nodes that have a GPU form

  int delegated() const;
};

// The partitions that compile, at most as many as the target wants, those first that are estimated
// to save most. A node that is beyond a limit of the device, or whose program the driver does not
// build, is refused and the graph cut again around it; where a partition fails in another way, all
// its nodes are. The
// runtime cuts exactly these parts when all their nodes are replaced. Nothing is compiled where
// fewer than `worth` nodes could be taken. Error: the runtime cannot preview.
absl::StatusOr<CompiledGraph> CompileGraph(const Snapshot& snapshot, const Target& target,
                                           int worth);

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_PARTITIONS_H_
