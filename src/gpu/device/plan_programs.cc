// SPDX-License-Identifier: Apache-2.0
// A plan keeps no texts and binaries: a large model has megabytes of them.
#include "gpu/device/plan_programs.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/status.h"
#include "base/thread.h"
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

// Calls both at the same time, `meanwhile` in this thread, unless it is empty. `phase` is the time
// that `work` takes beyond that.
void Beside(std::function<void()>& meanwhile, Phases* phases, Phase phase,
            const std::function<void()>& work) {
  Thread worker;
  if (meanwhile != nullptr) {
    worker = Thread(work);
    std::exchange(meanwhile, nullptr)();
  }
  const PhaseTimer timer(phases, phase);
  if (worker.started()) {
    worker.Join();
  } else {
    work();
  }
}

absl::Status TakeLoaded(const PreparedPlan& saved, const std::vector<BuiltProgram>& loaded,
                        PlanPrograms* programs) {
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
                                          std::vector<RejectedDispatch>* rejected, Phases* phases,
                                          std::function<void()> meanwhile) {
  PlanPrograms made;
  std::vector<BuiltProgram> built;
  if (saved != nullptr) {
    Beside(meanwhile, phases, Phase::kRestore, [&] { built = cache.LoadAll(saved->programs); });
    made.saved_error = TakeLoaded(*saved, built, &made);
    made.from_saved = made.saved_error.ok();
    if (made.from_saved) return made;
  }
  PhaseTimer timer(phases, Phase::kPrint);
  TERN_ASSIGN_OR_RETURN(made.prepared, PreparePlan(plan, device.info(), device.language()));
  made.counts.printed = static_cast<int>(made.prepared.launches.size());
  timer.End();
  Beside(meanwhile, phases, Phase::kCompile, [&] { built = cache.GetAll(made.prepared.programs); });
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
