// SPDX-License-Identifier: Apache-2.0
// Checks of control flow: the subgraphs form a graph of calls without circles and of bounded depth.

#include <algorithm>
#include <compare>

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

struct Call {
  uint32_t callee;
  uint32_t caller;
  auto operator<=>(const Call&) const = default;
};

class CallGraph {
 public:
  explicit CallGraph(VerifyContext& context)
      : context_(context), subgraphs_(context.model().subgraphs()), count_(SizeOf(subgraphs_)) {}

  Status Check() {
    for (uint32_t i = 0; i < count_; ++i) TERN_RETURN_IF_ERROR(Collect(i));
    return calls_.empty() ? OkStatus() : CheckDepth();
  }

 private:
  Status CheckCallee(int64_t index, uint32_t inputs, uint32_t outputs) const {
    return CheckCounts(*subgraphs_->Get(static_cast<uint32_t>(index)), index, inputs, outputs);
  }

  Status CollectOp(uint32_t caller, const Operator& op) {
    const tflite::BuiltinOperator code = context_.CodeOf(op);
    const std::vector<int64_t> called = CalledSubgraphs(op, code);
    TERN_RETURN_IF_ERROR(context_.Spend(called.size()));
    for (const int64_t index : called) {
      if (index < 0 || index >= count_) {
        return Invalid("subgraph is out of range (", index, ", ", count_, ")");
      }
      calls_.push_back({static_cast<uint32_t>(index), caller});
    }
    if (code == tflite::BuiltinOperator_WHILE && called.size() == 2) {
      const uint32_t inputs = SizeOf(op.inputs());
      if (called[0] == called[1]) return Invalid("condition and body are the same subgraph");
      TERN_RETURN_IF_ERROR(CheckCallee(called[0], inputs, 1));
      return CheckCallee(called[1], inputs, inputs);
    }
    if (code == tflite::BuiltinOperator_IF) {
      for (const int64_t index : called) {
        TERN_RETURN_IF_ERROR(CheckCallee(index, SizeOf(op.inputs()) - 1, SizeOf(op.outputs())));
      }
    }
    return OkStatus();
  }

  Status Collect(uint32_t caller) {
    const auto* ops = subgraphs_->Get(caller)->operators();
    for (uint32_t i = 0; i < SizeOf(ops); ++i) {
      const Status status = CollectOp(caller, *ops->Get(i));
      if (!status.ok()) return WithPrefix(status, OpLabel(context_, caller, i));
    }
    return OkStatus();
  }

  // Removes subgraphs that call nothing, again and again; what remains calls in a circle. The depth
  // of a subgraph is one more than that of the deepest it calls.
  Status CheckDepth() {
    std::sort(calls_.begin(), calls_.end());
    calls_.erase(std::unique(calls_.begin(), calls_.end()), calls_.end());
    std::vector<uint32_t> open(count_);
    for (const Call& call : calls_) ++open[call.caller];
    std::vector<uint32_t> ready;
    for (uint32_t i = 0; i < count_; ++i) {
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
      auto call = std::lower_bound(calls_.begin(), calls_.end(), Call{callee, 0});
      for (; call != calls_.end() && call->callee == callee; ++call) {
        depth[call->caller] = std::max(depth[call->caller], depth[callee] + 1);
        if (--open[call->caller] == 0) ready.push_back(call->caller);
      }
    }
    if (done == count_) return OkStatus();
    for (uint32_t i = 0; i < count_; ++i) {
      if (open[i] != 0) return Invalid("subgraph ", i, " calls itself, directly or through others");
    }
    return OkStatus();
  }

  VerifyContext& context_;
  const flatbuffers::Vector<flatbuffers::Offset<tflite::SubGraph>>* const subgraphs_;
  const uint32_t count_;
  std::vector<Call> calls_;
};

}  // namespace

Status VerifyCalls(VerifyContext& context) { return CallGraph(context).Check(); }

}  // namespace tern
