// SPDX-License-Identifier: Apache-2.0
// Tuning parameters, then the plan, then the executor.
#include "gpu/partition/build.h"

#include <set>
#include <utility>

#include "base/status.h"
#include "gpu/desc/kernel_text.h"
#include "gpu/plan/print_plan.h"
#include "gpu/source/write_source.h"

namespace tern::gpu {

BuildTarget Lasting(BuildTarget target) {
  target.tuner = nullptr;
  target.phases = nullptr;
  return target;
}

absl::Status List(const Plan& plan, const Device& device, Listing* listing) {
  listing->plans.push_back(PrintPlan(plan));
  for (const Dispatch& dispatch : plan.dispatches) {
    TERN_ASSIGN_OR_RETURN(Source source,
                          WriteSource(plan, dispatch, device.info(), device.language()));
    listing->kernels.push_back(StrCat("// ", KernelName(dispatch.kernel), "\n", source.text));
  }
  return absl::OkStatus();
}

std::optional<Compiled> CompileTuned(const Graph& graph, const Compiled& plain,
                                     const BuildTarget& target, CompileOptions* options,
                                     PartTuning* tuning) {
  PhaseTimer timer(target.phases, Phase::kTune);
  *tuning = target.tuner->Choose(graph, plain.plan, target.opened, *target.table, *options,
                                 target.cache.get());
  timer.End();
  options->tuned = tuning->result.nodes;
  if (options->tuned.empty()) return std::nullopt;
  absl::StatusOr<Compiled> compiled =
      Compile(graph, target.opened.device->info(), *target.table, *options, {target.phases});
  if (compiled.ok()) return *std::move(compiled);
  // Tuning parameters that were chosen for other shapes may not fit these.
  options->tuned.clear();
  tuning->result.nodes.clear();
  return std::nullopt;
}

absl::Status CheckInFloats(const Graph& graph, const BuildTarget& target, CompileOptions options,
                           std::vector<Misfit>* misfits) {
  for (const Node& node : graph.nodes) options.floats.insert(node.index);
  return Compile(graph, target.opened.device->info(), *target.table, options, {.misfits = misfits})
      .status();
}

absl::StatusOr<std::unique_ptr<Executor>> MakeExecutor(const Compiled& compiled,
                                                       const BuildTarget& target,
                                                       ExecutorSetup setup) {
  const std::shared_ptr<Device>& device = target.opened.device;
  std::optional<PreparedPlan> saved;
  if (target.cache != nullptr) {
    const PhaseTimer timer(setup.phases, Phase::kRestore);
    saved = target.cache->Find(compiled.plan, device->info());
  }
  if (saved) setup.saved = &*saved;
  setup.queue = target.opened.queue;
  TERN_ASSIGN_OR_RETURN(std::unique_ptr<Executor> executor,
                        Executor::Create(compiled.plan, compiled.constants(), device,
                                         *target.opened.programs, std::move(setup)));
  if (target.cache != nullptr) target.cache->Check(*executor);
  return executor;
}

absl::StatusOr<std::unique_ptr<Executor>> BuildAgain(const Graph& graph, const BuildTarget& target,
                                                     const CompileOptions& options,
                                                     const IoMemory& given) {
  TERN_ASSIGN_OR_RETURN(const Compiled compiled,
                        Compile(graph, target.opened.device->info(), *target.table, options));
  return MakeExecutor(compiled, target, {.given = given, .store = target.store});
}

HalfGuard::Build RebuildOf(Graph graph, const BuildTarget& target, CompileOptions options,
                           IoMemory given) {
  return [graph = std::move(graph), target = Lasting(target), options = std::move(options),
          given = std::move(given)](const std::set<int>& floats) {
    CompileOptions with = options;
    with.floats = floats;
    return BuildAgain(graph, target, with, given);
  };
}

}  // namespace tern::gpu
