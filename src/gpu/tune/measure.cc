// SPDX-License-Identifier: Apache-2.0
// Rounds of some runs of each plan; that of the peak grows until it is long beside a launch's
// start.
#include "gpu/tune/measure.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "gpu/device/executor.h"
#include "gpu/plan/group_size.h"
#include "gpu/plan/tuning_table.h"

namespace tern::gpu {
namespace {

// Enough for the minimum time of short runs; long ones vary less.
constexpr int kMinMeasurements = 3, kMaxMeasurements = 8;
// A run behind one of another plan finds that one's weights in the caches, not its own: 0.43 ms
// instead of 0.29 for the same launches on an H200.
constexpr int kRunsInARow = 2;
constexpr int64_t kRoundsNanos = 100'000'000;

absl::Status FillInputs(Executor& executor) {
  const Plan& plan = executor.plan();
  std::minstd_rand random(1);
  std::uniform_real_distribution<float> number(-1, 1);
  for (size_t i = 0; i < plan.inputs.size(); ++i) {
    const PlanTensor& tensor = plan.tensors[static_cast<size_t>(plan.inputs[i])];
    std::vector<std::byte> bytes(static_cast<size_t>(tensor.io_bytes));
    const bool floats =
        tensor.io_conversion == IoConversion::kAsIs && tensor.desc.element == Element::kFloat32;
    for (size_t at = 0; floats && at + sizeof(float) <= bytes.size(); at += sizeof(float)) {
      const float value = number(random);
      std::memcpy(bytes.data() + at, &value, sizeof value);
    }
    TERN_RETURN_IF_ERROR(
        executor.io().Write(Input(static_cast<int>(i)), bytes.data(), tensor.io_bytes));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<int64_t>> RunOnce(Executor& executor) {
  RunTrace trace;
  TERN_RETURN_IF_ERROR(executor.Run(&trace));
  if (trace.launches.size() != executor.plan().dispatches.size())
    return absl::UnimplementedError("the driver tells no times of launches");
  std::vector<int64_t> nanos;
  nanos.reserve(trace.launches.size());
  for (const LaunchSpan& launch : trace.launches) nanos.push_back(launch.nanos);
  return nanos;
}

// A launch of fma_peak.kernel. Many items keep all units of a GPU busy; on a processor each costs
// something beside its rounds.
Plan PlanOfPeak(const DeviceInfo& device, int rounds) {
  Plan plan;
  plan.tuning = TuningFor(device, 0);
  PlanTensor dst;
  dst.desc.box.c = plan.tuning.slice_width;
  dst.bytes = dst.desc.Bytes(plan.tuning.slice_width);
  plan.arenas = {dst.bytes};
  Dispatch dispatch;
  dispatch.kernel = KernelId::fma_peak;
  dispatch.uniforms = {{.name = "rounds", .i = rounds},
                       {.name = "factor", .is_float = true, .f = 0.5f},  // sums converge to 2
                       {.name = "term", .is_float = true, .f = 1.0f}};
  dispatch.bindings = {{"dst", 0, Access::kWrite, dst.desc.box}};
  dispatch.grid[0] = device.device_class == DeviceClass::kCpu ? 1 << 12 : 1 << 17;
  dispatch.group = ChooseGroup(dispatch.grid, device, plan.tuning, dispatch.node);
  plan.tensors = {std::move(dst)};
  plan.dispatches = {std::move(dispatch)};
  return plan;
}

}  // namespace

MeasurePlans MeasureOn(std::shared_ptr<Device> device, ProgramCache* programs) {
  return [device = std::move(device), programs](const std::vector<const Compiled*>& plans)
             -> absl::StatusOr<std::vector<std::vector<int64_t>>> {
    std::vector<std::unique_ptr<Executor>> executors;
    for (const Compiled* compiled : plans) {
      TERN_ASSIGN_OR_RETURN(
          std::unique_ptr<Executor> executor,
          Executor::Create(compiled->plan, compiled->constants(), device, *programs));
      TERN_RETURN_IF_ERROR(FillInputs(*executor));
      // Some drivers build parts of a program when it is launched first.
      TERN_RETURN_IF_ERROR(RunOnce(*executor).status());
      executors.push_back(std::move(executor));
    }
    std::vector<std::vector<int64_t>> min(plans.size());
    const Stopwatch watch;
    const int64_t max_nanos = kRoundsNanos * static_cast<int64_t>(plans.size());
    for (int round = 0; round < kMaxMeasurements; ++round) {
      if (round >= kMinMeasurements && watch.nanos() > max_nanos) break;
      for (size_t i = 0; i < executors.size(); ++i) {
        for (int run = 0; run < kRunsInARow; ++run) {
          TERN_ASSIGN_OR_RETURN(const std::vector<int64_t> nanos, RunOnce(*executors[i]));
          if (min[i].empty()) min[i] = nanos;
          for (size_t d = 0; d < nanos.size(); ++d) min[i][d] = std::min(min[i][d], nanos[d]);
        }
      }
    }
    return min;
  };
}

absl::StatusOr<int64_t> MeasureFmaPeak(const std::shared_ptr<Device>& device,
                                       ProgramCache* programs) {
  constexpr int kMinRounds = 16, kMaxRounds = 1 << 15;  // drivers may end loops of 2^16
  constexpr double kMinNanos = 1e6, kChains = 8 * 4;    // of slices in a round
  constexpr int64_t kPatience = 10'000'000'000;         // nanoseconds, behind the first build
  int64_t begin = 0;
  const MeasurePlans measure = MeasureOn(device, programs);
  for (int rounds = kMinRounds;; rounds *= 2) {
    Compiled peak;
    peak.plan = PlanOfPeak(device->info(), rounds);
    TERN_ASSIGN_OR_RETURN(const auto measured, measure({&peak}));
    if (begin == 0) begin = NowNanos();
    const auto nanos = static_cast<double>(measured[0][0]);
    const int width = peak.plan.tuning.slice_width, items = peak.plan.dispatches[0].grid[0];
    if (nanos >= kMinNanos)
      return static_cast<int64_t>(1e9 * kChains * rounds * width * items / nanos);
    if (nanos <= 0 || rounds >= kMaxRounds || NowNanos() - begin > kPatience)
      return absl::UnavailableError("the driver tells no true times of launches");
  }
}

}  // namespace tern::gpu
