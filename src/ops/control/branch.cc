// SPDX-License-Identifier: Apache-2.0
// IF: condition BOOL [1], arguments -> results. STABLEHLO_CASE: index INT32 [1], arguments ->
// results; an index outside of the branches takes the last.
#include "ops/control/branch.h"

#include "ops/cpu_registry.h"

namespace tern {

Status Branches::Prepare(const OpCall& call, const std::vector<Branch>& branches,
                         int first_argument) {
  first_argument_ = first_argument;
  graphs_.assign(branches.size(), GraphCall());
  std::vector<const GraphCall*> graphs;
  for (size_t i = 0; i < branches.size(); ++i) {
    TERN_RETURN_IF_ERROR(graphs_[i].Find(call, branches[i].subgraph, branches[i].name,
                                         call.inputs() - first_argument, call.outputs()));
    TERN_RETURN_IF_ERROR(graphs_[i].Prepare(InputsFrom(call, first_argument)));
    graphs.push_back(&graphs_[i]);
  }
  return SetOutputsTo(call, graphs);
}

Status Branches::Run(const OpCall& call, size_t branch) {
  GraphCall& graph = graphs_[branch];
  graph.ProfileAllocation();
  TERN_RETURN_IF_ERROR(graph.Run(call, InputsFrom(call, first_argument_)));
  return CopyToOutputs(call, [&graph](int i) { return graph.result(i); });
}

namespace {

// The operand that chooses the branch: one value.
Status CheckChoice(const OpCall& call, TfLiteType type, const char* what) {
  if (call.inputs() < 1 || call.input(0) == nullptr) return Invalid(what, " is missing");
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), type, what));
  if (Elements(call.input(0)) == 1) return OkStatus();
  return Invalid(what, " must have one element (shape ", ShapeText(ShapeOf(call.input(0))), ")");
}

class If : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "IF"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(CheckChoice(call, kTfLiteBool, "condition"));
    const auto& params = call.params<TfLiteIfParams>();
    return branches_.Prepare(
        call, {{params.then_subgraph_index, "then"}, {params.else_subgraph_index, "else"}}, 1);
  }

  Status Eval(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(CheckData(call.input(0), "condition"));
    return branches_.Run(call, *Data<uint8_t>(call.input(0)) != 0 ? 0 : 1);
  }

 private:
  Branches branches_;
};

class StablehloCase : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "STABLEHLO_CASE"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckParams());
    TERN_RETURN_IF_ERROR(CheckChoice(call, kTfLiteInt32, "index"));
    const auto& params = call.params<TfLiteStablehloCaseParams>();
    if (params.num_branches < 1) return Invalid("there are no branches");
    std::vector<Branches::Branch> branches;
    for (uint32_t i = 0; i < params.num_branches; ++i) {
      branches.push_back({params.branch_subgraph_indices[i], "branch"});
    }
    return branches_.Prepare(call, branches, 1);
  }

  Status Eval(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(CheckData(call.input(0), "index"));
    const int32_t index = *Data<int32_t>(call.input(0));
    const bool inside = index >= 0 && static_cast<size_t>(index) < branches_.count();
    return branches_.Run(call, inside ? static_cast<size_t>(index) : branches_.count() - 1);
  }

 private:
  Branches branches_;
};

}  // namespace

TfLiteRegistration IfRegistration(OpForm form) { return MakeRegistration<If>(form); }
TfLiteRegistration StablehloCaseRegistration(OpForm form) {
  return MakeRegistration<StablehloCase>(form);
}

}  // namespace tern
