// SPDX-License-Identifier: Apache-2.0
// From plan to recorded commands, and their runs.
#include "gpu/device/executor.h"

#include <cstddef>
#include <utility>

#include "base/clock.h"
#include "base/status.h"
#include "gpu/desc/kernel_text.h"
#include "gpu/plan/guard.h"

namespace tern::gpu {

Executor::Executor(Plan plan, std::shared_ptr<Device> device, ExecutorSetup setup)
    : plan_(std::move(plan)),
      device_(std::move(device)),
      queue_(setup.queue != nullptr ? std::move(setup.queue) : device_),
      given_(std::move(setup.given)),
      memory_(device_, setup.store != nullptr ? setup.store : std::make_shared<BufferStore>()) {}

// Constants are packed and go to the device while the driver builds programs.
absl::StatusOr<std::unique_ptr<Executor>> Executor::Create(Plan plan, const FillConstant& fill,
                                                           std::shared_ptr<Device> device,
                                                           ProgramCache& cache,
                                                           ExecutorSetup setup) {
  Phases* const phases = setup.phases;
  const PreparedPlan* const saved = setup.saved;
  std::vector<RejectedDispatch>* const rejected = setup.rejected;
  std::unique_ptr<Executor> made(
      new Executor(std::move(plan), std::move(device), std::move(setup)));
  absl::StatusOr<TensorRanges> ranges = TensorRanges();
  const auto upload = [&] {
    const PhaseTimer timer(phases, Phase::kUpload);
    ranges = made->memory_.Allocate(made->plan_, made->given_, fill, *made->queue_);
  };
  TERN_ASSIGN_OR_RETURN(made->programs_, MakePrograms(made->plan_, *made->device_, cache, saved,
                                                      rejected, phases, upload));
  TERN_ASSIGN_OR_RETURN(made->ranges_, std::move(ranges));
  const PhaseTimer timer(phases, Phase::kRecord);
  TERN_ASSIGN_OR_RETURN(made->commands_, made->Record(made->ranges_));
  return made;
}

absl::StatusOr<std::unique_ptr<Commands>> Executor::Record(const TensorRanges& ranges) const {
  std::vector<Launch> launches;
  for (const PreparedLaunch& prepared : programs_.prepared.launches) {
    const Dispatch& dispatch = plan_.dispatches[prepared.dispatch];
    Launch launch{dispatch.label,
                  programs_.pipelines[prepared.program],
                  {},
                  prepared.uniform_words,
                  dispatch.grid,
                  dispatch.group};
    for (const TensorId id : prepared.buffers) launch.buffers.push_back(ranges[id]);
    launches.push_back(std::move(launch));
  }
  return device_->Record(launches);
}

absl::Status Executor::Give(IoMemory given) {
  for (const auto& before : given_) {
    if (given.count(before.first) == 0) return Invalid("memory that was given is missing");
  }
  TensorRanges ranges = ranges_;
  TERN_RETURN_IF_ERROR(PlaceGiven(plan_, given, &ranges));
  TERN_ASSIGN_OR_RETURN(commands_, Record(ranges));
  ranges_ = std::move(ranges);
  given_ = std::move(given);
  return absl::OkStatus();
}

absl::Status Executor::SubmitTimed(std::vector<LaunchSpan>& spans) {
  const absl::StatusOr<std::vector<LaunchTime>> times = queue_->RunTimed(*commands_);
  if (absl::IsUnimplemented(times.status())) return queue_->Submit(*commands_);
  TERN_RETURN_IF_ERROR(times.status());
  if (times->empty()) return absl::OkStatus();
  const int64_t zero = NowNanos() - (times->back().start_nanos + times->back().nanos);
  for (size_t i = 0; i < times->size(); ++i) {
    const Dispatch& dispatch = plan_.dispatches[programs_.prepared.launches[i].dispatch];
    spans.push_back({dispatch.label, KernelName(dispatch.kernel), zero + (*times)[i].start_nanos,
                     (*times)[i].nanos});
  }
  return absl::OkStatus();
}

absl::Status Executor::Run(RunTrace* trace, uint64_t into) {
  if (plan_.flags >= 0) {
    const std::vector<std::byte> zeros(static_cast<size_t>(plan_.tensors[plan_.flags].bytes));
    TERN_RETURN_IF_ERROR(
        queue_->Upload(ranges_[plan_.flags], zeros.data(), plan_.tensors[plan_.flags].bytes));
  }
  PhaseTimer timer(trace != nullptr ? &trace->phases : nullptr, Phase::kSubmit);
  if (into != 0) {
    TERN_RETURN_IF_ERROR(queue_->SubmitInto(*commands_, into));
  } else if (trace != nullptr) {
    TERN_RETURN_IF_ERROR(SubmitTimed(trace->launches));
    timer.Next(Phase::kWait);
    TERN_RETURN_IF_ERROR(Wait());
  } else {
    TERN_RETURN_IF_ERROR(queue_->Submit(*commands_));
  }
  ++runs_;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<int>> Executor::Overflows() {
  if (plan_.flags < 0) return std::vector<int>();
  const auto width = static_cast<size_t>(plan_.tuning.slice_width);
  std::vector<int32_t> lanes(plan_.watches.size() * width), flags;
  TERN_RETURN_IF_ERROR(
      queue_->Download(ranges_[plan_.flags], lanes.data(), plan_.tensors[plan_.flags].bytes));
  for (size_t i = 0; i < lanes.size(); i += width) flags.push_back(lanes[i]);
  return FirstBad(plan_, flags);
}

}  // namespace tern::gpu
