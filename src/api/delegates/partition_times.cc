// SPDX-License-Identifier: Apache-2.0
// The same runs with and without delegates, node by node.
#include "tensorflow/lite/delegates/partition_times.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <utility>

#include "api/interpreter/saved_inputs.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/api/profiler.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/interpreter_options.h"

namespace tern {
namespace {

constexpr int kMaxRuns = 1000;

// Times the nodes of the primary subgraph, with what they call. Beside the application's profilers
// it stays in the interpreter, switched off; alone it goes again.
class Stopwatches : public tflite::Profiler {
 public:
  using tflite::Profiler::BeginEvent;
  using tflite::Profiler::EndEvent;

  uint32_t BeginEvent(const char* /*tag*/, EventType type, int64_t node,
                      int64_t subgraph) override {
    if (!on_ || type != EventType::OPERATOR_INVOKE_EVENT || subgraph != 0) return 0;
    node_ = node;
    start_ = Clock::now();
    return 1;
  }
  void EndEvent(uint32_t handle) override {
    if (!on_ || handle == 0) return;
    samples_[node_].push_back(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count());
  }

  void Switch(bool on) { on_ = on; }
  // Median nanoseconds of each node since the last call.
  std::map<int64_t, int64_t> Take() {
    std::map<int64_t, int64_t> medians;
    for (auto& [node, samples] : samples_) {
      const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
      std::nth_element(samples.begin(), middle, samples.end());
      medians[node] = *middle;
    }
    samples_.clear();
    return medians;
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool on_ = false;
  int64_t node_ = 0;
  Clock::time_point start_;
  std::map<int64_t, std::vector<int64_t>> samples_;
};

// Delegates may ask that their nodes are not profiled from outside.
class ProfiledDelegates {
 public:
  explicit ProfiledDelegates(tflite::Subgraph* graph)
      : graph_(graph), before_(const_cast<tflite::InterpreterOptions*>(graph->GetOptions())) {
    if (before_ != nullptr) options_ = *before_;
    options_.SetForceDelegateNodeProfiling(true);
    graph_->SetOptions(&options_);
  }
  ~ProfiledDelegates() { graph_->SetOptions(before_); }
  ProfiledDelegates(const ProfiledDelegates&) = delete;
  ProfiledDelegates& operator=(const ProfiledDelegates&) = delete;

 private:
  tflite::Subgraph* const graph_;
  tflite::InterpreterOptions* const before_;
  tflite::InterpreterOptions options_;
};

// The node of a delegate, and the nodes that it stands for.
std::vector<std::pair<int, std::vector<int>>> DelegateNodes(const tflite::Interpreter& from) {
  std::vector<std::pair<int, std::vector<int>>> found;
  for (const int index : from.execution_plan()) {
    const auto* both = from.node_and_registration(index);
    if (both == nullptr || both->second.builtin_code != kTfLiteBuiltinDelegate) continue;
    const auto* params = static_cast<const TfLiteDelegateParams*>(both->first.builtin_data);
    if (params == nullptr || params->nodes_to_replace == nullptr) continue;
    const TfLiteIntArray& nodes = *params->nodes_to_replace;
    if (nodes.size > 0) found.push_back({index, {nodes.data, nodes.data + nodes.size}});
  }
  return found;
}

TfLiteStatus TimedRuns(tflite::Interpreter* interpreter, int runs, Stopwatches* watches,
                       std::map<int64_t, int64_t>* times) {
  TF_LITE_ENSURE_STATUS(interpreter->Invoke());  // makes what later runs find
  watches->Switch(true);
  TfLiteStatus status = kTfLiteOk;
  for (int run = 0; run < runs && status == kTfLiteOk; ++run) status = interpreter->Invoke();
  watches->Switch(false);
  *times = watches->Take();
  return status;
}

}  // namespace

TfLiteStatus MeasurePartitions(
    tflite::Interpreter* interpreter, int runs,
    const std::function<TfLiteStatus(const std::vector<PartitionTimes>& partitions)>& then) {
  if (interpreter == nullptr || then == nullptr || runs < 1 || runs > kMaxRuns) {
    return kTfLiteApplicationError;
  }
  const bool is_alone = interpreter->GetProfiler() == nullptr;
  auto owned = std::make_unique<Stopwatches>();
  Stopwatches* const watches = owned.get();
  interpreter->AddProfiler(std::move(owned));
  const SavedInputs inputs(interpreter);
  const auto nodes = DelegateNodes(*interpreter);
  std::map<int64_t, int64_t> delegated, plain;
  {
    const ProfiledDelegates profiled(&interpreter->primary_subgraph());
    TF_LITE_ENSURE_STATUS(TimedRuns(interpreter, runs, watches, &delegated));
  }
  TF_LITE_ENSURE_STATUS(interpreter->RemoveAllDelegates());
  TF_LITE_ENSURE_STATUS(interpreter->AllocateTensors());
  TF_LITE_ENSURE_STATUS(inputs.Restore());
  TF_LITE_ENSURE_STATUS(TimedRuns(interpreter, runs, watches, &plain));
  if (is_alone) interpreter->SetProfiler(static_cast<tflite::Profiler*>(nullptr));
  std::vector<PartitionTimes> partitions;
  for (const auto& [index, replaced] : nodes) {
    PartitionTimes part{replaced};
    int64_t cpu = 0;
    for (const int node : replaced) cpu += plain[node];
    part.delegate_us = delegated[index] / 1000;
    part.cpu_us = cpu / 1000;
    partitions.push_back(std::move(part));
  }
  TF_LITE_ENSURE_STATUS(then(partitions));
  TF_LITE_ENSURE_STATUS(interpreter->AllocateTensors());
  TF_LITE_ENSURE_STATUS(interpreter->ResetVariableTensors());
  return inputs.Restore();
}

}  // namespace tern
