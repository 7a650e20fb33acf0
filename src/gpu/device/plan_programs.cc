// SPDX-License-Identifier: Apache-2.0
// A plan keeps no texts and binaries: a large model has megabytes of them.
#include "gpu/device/plan_programs.h"

#include <algorithm>
#include <cstddef>

#include "base/status.h"
#include "gpu/desc/kernel_text.h"

namespace tern::gpu {
namespace {

int CountNew(const std::vector<BuiltProgram>& made) {
  return static_cast<int>(
      std::count_if(made.begin(), made.end(), [](const BuiltProgram& one) { return one.is_new; }));
}

// Returns the first failure.
absl::Status CheckBuilt(const Plan& plan, const PreparedPlan& prepared,
                        const std::vector<BuiltProgram>& built,
                        std::vector<RejectedDispatch>* rejected) {
  absl::Status first;
  for (const PreparedLaunch& launch : prepared.launches) {
    const Dispatch& dispatch = plan.dispatches[launch.dispatch];
    const absl::Status failure = WithPrefix(built[launch.program].pipeline.status(),
                                            StrCat(KernelName(dispatch.kernel), ".kernel"));
    if (failure.ok()) continue;
    if (first.ok()) first = WithPrefix(failure, dispatch.label);
    if (rejected != nullptr) rejected->push_back({dispatch.node, std::string(Message(failure))});
  }
  return first;
}

absl::Status Load(ProgramCache& cache, const PreparedPlan& saved, PlanPrograms* programs) {
  const std::vector<BuiltProgram> loaded = cache.LoadAll(saved.programs);
  programs->counts.loaded = CountNew(loaded);
  for (const BuiltProgram& one : loaded) TERN_RETURN_IF_ERROR(one.pipeline.status());
  for (const BuiltProgram& one : loaded) programs->pipelines.push_back(*one.pipeline);
  for (const PreparedProgram& program : saved.programs)
    programs->prepared.programs.push_back({program.text, program.source, {}});
  programs->prepared.launches = saved.launches;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<PlanPrograms> MakePrograms(const Plan& plan, const Device& device,
                                          ProgramCache& cache, const PreparedPlan* saved,
                                          std::vector<RejectedDispatch>* rejected, Phases* phases) {
  PlanPrograms made;
  if (saved != nullptr) {
    const PhaseTimer timer(phases, Phase::kRestore);
    made.saved_error = Load(cache, *saved, &made);
    made.from_saved = made.saved_error.ok();
    if (made.from_saved) return made;
  }
  PhaseTimer timer(phases, Phase::kPrint);
  TERN_ASSIGN_OR_RETURN(made.prepared, PreparePlan(plan, device.info(), device.language()));
  made.counts.printed = static_cast<int>(made.prepared.launches.size());
  timer.Next(Phase::kCompile);
  const std::vector<BuiltProgram> built = cache.GetAll(made.prepared.programs);
  made.counts.compiled = CountNew(built);
  TERN_RETURN_IF_ERROR(CheckBuilt(plan, made.prepared, built, rejected));
  for (const BuiltProgram& one : built) made.pipelines.push_back(*one.pipeline);
  for (PreparedProgram& program : made.prepared.programs) program.source.text = std::string();
  return made;
}

absl::StatusOr<PreparedPlan> PlanPrograms::WithBinaries() const {
  PreparedPlan saved = prepared;
  for (size_t i = 0; i < pipelines.size(); ++i) {
    TERN_ASSIGN_OR_RETURN(saved.programs[i].binary, pipelines[i]->Binary());
  }
  return saved;
}

}  // namespace tern::gpu
