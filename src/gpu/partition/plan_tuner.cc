// SPDX-License-Identifier: Apache-2.0
// Saved tuning parameters first: a measurement costs seconds.
#include "gpu/partition/plan_tuner.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/status.h"
#include "gpu/tune/measure.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tern::gpu {
namespace {

// Shapes are not in it: a resized graph keeps its parameters, and with them its programs.
std::string NameOf(const Graph& graph, const DeviceInfo& device) {
  std::string name = StrCat(device.api, " ", device.name);
  for (const Node& node : graph.nodes) name += StrCat("; ", node.index, " ", node.op);
  return name;
}

}  // namespace

PartTuning PlanTuner::Choose(const Graph& graph, const Plan& plain, const OpenedDevice& opened,
                             const LoweringTable& table, CompileOptions options, PlanCache* cache) {
  PartTuning tuning;
  tuning.common = plain.tuning.common;
  options.guard = false;
  const DeviceInfo& device = opened.device->info();
  const std::string name = NameOf(graph, device);
  if (const auto earlier = known_.find(name); earlier != known_.end()) {
    tuning.from = "earlier";
    tuning.result.nodes = earlier->second;
    return tuning;
  }
  if (cache != nullptr) {
    if (const auto saved = cache->FindTuning(plain, device)) {
      tuning.from = "saved";
      tuning.result.nodes = known_[name] = *saved;
      return tuning;
    }
  }
  if (left_nanos_ == 0) {
    tuning.result.out_of_time = true;
    return tuning;
  }
  const Stopwatch watch;
  absl::StatusOr<TuneResult> result =
      Tune(graph, device, table, options, MeasureOn(opened.device, opened.programs.get()),
           {left_nanos_, NowNanos});
  left_nanos_ = std::max(left_nanos_ - watch.nanos(), int64_t{0});
  // A saved plan is small if the programs of the plan are built together, and no others.
  if (cache != nullptr) opened.programs->DropUnused();
  if (!result.ok()) {
    tuning.failure = std::string(Message(result.status()));
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING, "GPU: nothing is tuned: %s",
                    tuning.failure.c_str());
    return tuning;
  }
  tuning.result = *std::move(result);
  known_[name] = tuning.result.nodes;
  if (cache != nullptr) cache->SaveTuning(plain, device, tuning.result.nodes);
  return tuning;
}

}  // namespace tern::gpu
