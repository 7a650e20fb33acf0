// SPDX-License-Identifier: Apache-2.0
//
// Runs the execution plan of a subgraph.
#ifndef TERN_RUNTIME_RUNNER_H_
#define TERN_RUNTIME_RUNNER_H_

#include <atomic>

#include "runtime/graph_state.h"
#include "runtime/outside_memory.h"
#include "runtime/preparer.h"

namespace tern {

class Runner {
 public:
  Runner(GraphState& graph, OutsideMemory& outside, Preparer& preparer)
      : graph_(graph), outside_(outside), preparer_(preparer) {}

  TfLiteStatus Run();
  void SetCancellationFunction(void* data, bool (*check_cancelled_func)(void*)) {
    cancellation_data_ = data;
    check_cancelled_func_ = check_cancelled_func;
  }
  void EnableCancellation(std::atomic_flag* flag) { continue_invocation_ = flag; }

 private:
  TfLiteStatus InvokeNode(int position);
  tflite::Profiler* ProfilerFor(const TfLiteNode& node);
  TfLiteStatus CheckNodeInputs(const TfLiteNode& node, const TfLiteRegistration& registration);
  TfLiteStatus CheckCancelled();
  // Outputs that were released after their last use get their size back.
  TfLiteStatus AllocateDynamicOutputs(const TfLiteNode& node);
  void ReleaseFinishedDynamicTensors(int position, const TfLiteNode& node);

  GraphState& graph_;
  OutsideMemory& outside_;
  Preparer& preparer_;
  void* cancellation_data_ = nullptr;
  bool (*check_cancelled_func_)(void*) = nullptr;
  std::atomic_flag* continue_invocation_ = nullptr;
};

}  // namespace tern

#endif  // TERN_RUNTIME_RUNNER_H_
