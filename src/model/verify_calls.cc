// SPDX-License-Identifier: Apache-2.0
// Checks of control flow: the subgraphs form a graph of calls without circles and of bounded depth.

#include <algorithm>

#include "model/vectors.h"
#include "model/verify_context.h"
#include "model/verify_model.h"

namespace tern {
namespace {

using tflite::Operator;

// The subgraphs that an op calls, as the file has them (not yet range-checked).
std::vector<int64_t> CalledSubgraphs(const Operator& op, tflite::BuiltinOperator code) {
  switch (code) {
    case tflite::BuiltinOperator_IF:
      if (const auto* o = op.builtin_options_as_IfOptions()) {
        return {o->then_subgraph_index(), o->else_subgraph_index()};
      }
      break;
    case tflite::BuiltinOperator_WHILE:
      if (const auto* o = op.builtin_options_as_WhileOptions()) {
        return {o->cond_subgraph_index(), o->body_subgraph_index()};
      }
      break;
    case tflite::BuiltinOperator_CALL_ONCE:
      if (const auto* o = op.builtin_options_as_CallOnceOptions()) {
        return {o->init_subgraph_index()};
      }
      break;
    case tflite::BuiltinOperator_STABLEHLO_COMPOSITE:
      if (const auto* o = op.builtin_options_2_as_StableHLOCompositeOptions()) {
        return {o->decomposition_subgraph_index()};
      }
      break;
    case tflite::BuiltinOperator_STABLEHLO_CASE:
      if (const auto* o = op.builtin_options_2_as_StablehloCaseOptions()) {
        std::vector<int64_t> calls;
        for (uint32_t i = 0; i < SizeOf(o->branch_subgraph_indices()); ++i) {
          calls.push_back(o->branch_subgraph_indices()->Get(i));
        }
        return calls;
      }
      break;
    case tflite::BuiltinOperator_STABLEHLO_REDUCE_WINDOW:
      if (const auto* o = op.builtin_options_2_as_StablehloReduceWindowOptions()) {
        return {o->body_subgraph_index()};
      }
      break;
    case tflite::BuiltinOperator_STABLEHLO_SCATTER:
      if (const auto* o = op.builtin_options_2_as_StablehloScatterOptions()) {
        return {o->update_computation_subgraph_index()};
      }
      break;
    default:
      break;
  }
  return {};
}

Status CheckCounts(const tflite::SubGraph& callee, int64_t index, uint32_t inputs,
                   uint32_t outputs) {
  if (SizeOf(callee.inputs()) != inputs || SizeOf(callee.outputs()) != outputs) {
    return Invalid("subgraph ", index, " has ", SizeOf(callee.inputs()), " inputs and ",
                   SizeOf(callee.outputs()), " outputs (", inputs, " and ", outputs, " needed)");
  }
  return OkStatus();
}

class CallGraph {
 public:
  explicit CallGraph(VerifyContext& context)
      : context_(context), count_(SizeOf(context.model().subgraphs())), calls_(count_) {}

  Status Check() {
    for (uint32_t i = 0; i < count_; ++i) TERN_RETURN_IF_ERROR(Collect(i));
    return CheckDepth();
  }

 private:
  const tflite::SubGraph& subgraph(uint32_t index) const {
    return *context_.model().subgraphs()->Get(index);
  }

  Status CollectOp(uint32_t caller, const Operator& op) {
    const tflite::BuiltinOperator code = context_.CodeOf(op);
    const std::vector<int64_t> called = CalledSubgraphs(op, code);
    TERN_RETURN_IF_ERROR(context_.Spend(called.size()));
    for (const int64_t index : called) {
      if (index < 0 || index >= count_) {
        return Invalid("subgraph is out of range (", index, ", ", count_, ")");
      }
      calls_[caller].push_back(static_cast<uint32_t>(index));
    }
    const uint32_t inputs = SizeOf(op.inputs());
    const uint32_t outputs = SizeOf(op.outputs());
    if (code == tflite::BuiltinOperator_WHILE && called.size() == 2) {
      if (called[0] == called[1]) return Invalid("condition and body are the same subgraph");
      TERN_RETURN_IF_ERROR(CheckCounts(subgraph(called[0]), called[0], inputs, 1));
      return CheckCounts(subgraph(called[1]), called[1], inputs, inputs);
    }
    if (code == tflite::BuiltinOperator_IF) {
      for (const int64_t index : called) {
        TERN_RETURN_IF_ERROR(CheckCounts(subgraph(index), index, inputs - 1, outputs));
      }
    }
    return OkStatus();
  }

  Status Collect(uint32_t caller) {
    const auto* ops = subgraph(caller).operators();
    for (uint32_t i = 0; i < SizeOf(ops); ++i) {
      const Status status = CollectOp(caller, *ops->Get(i));
      if (!status.ok()) return WithPrefix(status, OpLabel(context_, caller, i));
    }
    std::vector<uint32_t>& calls = calls_[caller];
    std::sort(calls.begin(), calls.end());
    calls.erase(std::unique(calls.begin(), calls.end()), calls.end());
    return OkStatus();
  }

  // Removes subgraphs that call nothing, again and again; what remains calls in a circle. The depth
  // of a subgraph is one more than that of the deepest it calls.
  Status CheckDepth() {
    std::vector<std::vector<uint32_t>> callers(count_);
    std::vector<uint32_t> open(count_);
    std::vector<uint32_t> ready;
    for (uint32_t i = 0; i < count_; ++i) {
      open[i] = static_cast<uint32_t>(calls_[i].size());
      for (const uint32_t callee : calls_[i]) callers[callee].push_back(i);
      if (open[i] == 0) ready.push_back(i);
    }
    std::vector<int> depth(count_, 0);
    size_t done = 0;
    for (; done < ready.size(); ++done) {
      const uint32_t callee = ready[done];
      if (depth[callee] > kMaxCallDepth) {
        return TooLarge("subgraph ", callee, " calls too deeply (", depth[callee], ", ",
                        kMaxCallDepth, ")");
      }
      for (const uint32_t caller : callers[callee]) {
        depth[caller] = std::max(depth[caller], depth[callee] + 1);
        if (--open[caller] == 0) ready.push_back(caller);
      }
    }
    if (done == count_) return OkStatus();
    for (uint32_t i = 0; i < count_; ++i) {
      if (open[i] != 0) return Invalid("subgraph ", i, " calls itself, directly or through others");
    }
    return OkStatus();
  }

  VerifyContext& context_;
  const uint32_t count_;
  std::vector<std::vector<uint32_t>> calls_;
};

}  // namespace

Status VerifyCalls(VerifyContext& context) { return CallGraph(context).Check(); }

}  // namespace tern
