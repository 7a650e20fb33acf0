// SPDX-License-Identifier: Apache-2.0
// From the graph of a partition to its executor, with the tuning parameters that were measured for
// it and what an earlier start saved of it.
#ifndef TERN_GPU_PARTITION_BUILD_H_
#define TERN_GPU_PARTITION_BUILD_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/backends/opened_devices.h"
#include "gpu/compile.h"
#include "gpu/desc/phases.h"
#include "gpu/device/buffer_store.h"
#include "gpu/device/executor.h"
#include "gpu/partition/half_guard.h"
#include "gpu/partition/plan_cache.h"
#include "gpu/partition/plan_tuner.h"

namespace tern::gpu {

// The device and the options to build for.
struct BuildTarget {
  OpenedDevice opened;
  const LoweringTable* table = nullptr;
  CompileOptions options;
  std::shared_ptr<BufferStore> store;  // null: memory is always created again
  std::shared_ptr<PlanCache> cache;    // null: nothing was saved
  PlanTuner* tuner = nullptr;          // null: the device's tuning parameters for all nodes
  Phases* phases = nullptr;            // where times go, if given
};
// The target of later builds: without tuner and phases, which end with the first.
BuildTarget Lasting(BuildTarget target);

// Texts for people: what was compiled, and in which words.
struct Listing {
  std::vector<std::string> plans;    // one per partition
  std::vector<std::string> kernels;  // printed sources, each distinct one once
};
// Adds a plan and the texts of its kernels.
absl::Status List(const Plan& plan, const Device& device, Listing* listing);

// Compiles with what the target's tuner chooses for the nodes, instead of as in `plain`; `options`
// has it then. nullopt: the device's tuning parameters stay.
std::optional<Compiled> CompileTuned(const Graph& graph, const Compiled& plain,
                                     const BuildTarget& target, CompileOptions* options,
                                     PartTuning* tuning);

// An error when the graph has no plan with all nodes in floats. A guard puts nodes whose halves
// overflow in floats during a run, which then has to go on.
absl::Status CheckInFloats(const Graph& graph, const BuildTarget& target, CompileOptions options,
                           std::vector<Misfit>* misfits);

// From what an earlier start saved of the plan, or else from its texts.
absl::StatusOr<std::unique_ptr<Executor>> MakeExecutor(const Compiled& compiled,
                                                       const BuildTarget& target,
                                                       ExecutorSetup setup);

// Compiles the graph and makes its executor over memory that is given.
absl::StatusOr<std::unique_ptr<Executor>> BuildAgain(const Graph& graph, const BuildTarget& target,
                                                     const CompileOptions& options,
                                                     const IoMemory& given);

// For a guard. The data that the graph's nodes have from the runtime must live as long.
HalfGuard::Build RebuildOf(Graph graph, const BuildTarget& target, CompileOptions options,
                           IoMemory given);

}  // namespace tern::gpu

#endif  // TERN_GPU_PARTITION_BUILD_H_
