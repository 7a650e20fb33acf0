// SPDX-License-Identifier: Apache-2.0
// CALL_ONCE: runs a graph without inputs and outputs, which gives variables their first values,
// once in the life of an interpreter.
#include "ops/control/graph_call.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class CallOnce : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "CALL_ONCE"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(0, 0, 0));
    TERN_RETURN_IF_ERROR(call.CheckParams());
    if (State(call)->IsInitialized()) return OkStatus();
    TERN_RETURN_IF_ERROR(graph_.Find(call, call.params<TfLiteCallOnceParams>().init_subgraph_index,
                                     "initialization", 0, 0));
    return graph_.Prepare(nullptr);
  }

  Status Eval(const OpCall& call) override {
    if (State(call)->IsInitialized()) return OkStatus();
    TERN_RETURN_IF_ERROR(graph_.Run(call, nullptr));
    State(call)->MarkInitializationIsDone();
    graph_.ReleaseMemory();
    return OkStatus();
  }

 private:
  static tflite::resource::InitializationStatus* State(const OpCall& call) {
    auto* graph = static_cast<tflite::Subgraph*>(call.context()->impl_);
    return tflite::resource::GetInitializationStatus(
        &graph->initialization_status_map(),
        call.params<TfLiteCallOnceParams>().init_subgraph_index);
  }

  GraphCall graph_;
};

}  // namespace

TfLiteRegistration CallOnceRegistration(OpForm form) { return MakeRegistration<CallOnce>(form); }

}  // namespace tern
