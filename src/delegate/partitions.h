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
#include "tensorflow/lite/array.h"

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

struct CompiledPartition : PlannedPart {
  gpu::Storage storage;
  std::optional<gpu::PartTuning> tuning;
  std::unique_ptr<gpu::Executor> executor;
  gpu::HalfGuard::Build rebuild;  // with a guard: another executor for the same part
  Rebind rebind;         // makes an executor with other bound buffers; null: none may be bound
  std::set<int> shared;  // tensors that nodes on the CPU use, too: no buffer can stand for them
};

// The nodes of all of them, in execution order.
std::vector<int> NodesOf(const std::vector<CompiledPartition>& parts);

// For the runtime; null where there is no memory.
tflite::IntArrayUniquePtr ListOf(const std::vector<int>& nodes);

// A graph of the runtime on one device.
struct CompiledGraph {
  NodeSupport support;
  std::vector<CompiledPartition> parts;
  gpu::Listing listing;               // only when wanted
  std::vector<std::string> warnings;  // a line for each part that the device failed at
  // Contexts of the graphs of loops that the GPU runs, and of graphs that join two numbers
  // (OpTraits::joining_graph). Only compared.
  std::set<const TfLiteContext*> unrolled;
  Explanation explanation;
  int parts_in_all = 0;  // of what has a GPU form, before some were chosen
  absl::Status failure;  // what kept the device from taking all nodes that have a GPU form

  int delegated() const { return static_cast<int>(NodesOf(parts).size()); }
};

// Compiles at most Target::max_partitions partitions, those with the largest estimated gain. A node
// that is beyond a limit of the device, or whose program the driver does not build, is refused, and
// the graph is cut again around it; where a partition fails in another way, all its nodes are
// refused. The runtime cuts exactly these partitions when all their nodes are replaced. Returns no
// partition where fewer than `min_nodes` nodes are candidates. Error: the runtime cannot preview.
absl::StatusOr<CompiledGraph> CompileGraph(const Snapshot& snapshot, const Target& target,
                                           int min_nodes);

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_PARTITIONS_H_
