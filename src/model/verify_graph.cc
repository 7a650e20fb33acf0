// SPDX-License-Identifier: Apache-2.0
// Checks of the graph: which op writes and reads which tensor, and in which order.

#include "model/vectors.h"
#include "model/verify_context.h"

namespace tern {
namespace {

using Indices = flatbuffers::Vector<int32_t>;

class GraphChecker {
 public:
  GraphChecker(VerifyContext& context, uint32_t index, const std::vector<bool>& is_constant)
      : context_(context),
        index_(index),
        subgraph_(*context.model().subgraphs()->Get(index)),
        is_constant_(is_constant),
        count_(static_cast<int32_t>(SizeOf(subgraph_.tensors()))),
        flags_(static_cast<size_t>(count_), 0) {}

  Status Check() {
    TERN_RETURN_IF_ERROR(CheckList("input", subgraph_.inputs(), 0));
    TERN_RETURN_IF_ERROR(CheckList("output", subgraph_.outputs(), 0));
    for (uint32_t i = 0; i < SizeOf(subgraph_.inputs()); ++i) {
      flags_[subgraph_.inputs()->Get(i)] |= kInput;
    }
    TERN_RETURN_IF_ERROR(CheckLists());
    for (uint32_t i = 0; i < SizeOf(subgraph_.operators()); ++i) {
      const Status status = CheckOrder(*subgraph_.operators()->Get(i));
      if (!status.ok()) return WithPrefix(status, OpLabel(context_, index_, i));
    }
    for (uint32_t i = 0; i < SizeOf(subgraph_.outputs()); ++i) {
      const int32_t tensor = subgraph_.outputs()->Get(i);
      if (!HasValue(tensor)) return Invalid(Label(tensor), " is an output that nothing writes");
    }
    return OkStatus();
  }

 private:
  enum Flag : uint8_t {
    kInput = 1,
    kHasWriter = 2,
    kWritten = 4,
  };

  std::string Label(int32_t tensor) const {
    return TensorLabel(subgraph_, index_, static_cast<uint32_t>(tensor));
  }

  bool IsVariable(int32_t tensor) const { return subgraph_.tensors()->Get(tensor)->is_variable(); }

  bool HasValue(int32_t tensor) const {
    return (flags_[tensor] & (kInput | kWritten)) != 0 || is_constant_[tensor] ||
           IsVariable(tensor);
  }

  Status CheckList(const char* what, const Indices* list, int32_t lowest) {
    TERN_RETURN_IF_ERROR(context_.Spend(SizeOf(list)));
    for (uint32_t i = 0; i < SizeOf(list); ++i) {
      const int32_t tensor = list->Get(i);
      if (tensor < lowest || tensor >= count_) {
        return Invalid(what, " ", i, " is out of range (", tensor, ", ", count_, ")");
      }
    }
    return OkStatus();
  }

  Status CheckOpLists(const tflite::Operator& op) {
    const uint32_t codes = SizeOf(context_.model().operator_codes());
    if (op.opcode_index() >= codes) {
      return Invalid("operator code is out of range (", op.opcode_index(), ", ", codes, ")");
    }
    TERN_RETURN_IF_ERROR(CheckList("input", op.inputs(), -1));
    TERN_RETURN_IF_ERROR(CheckList("output", op.outputs(), 0));
    TERN_RETURN_IF_ERROR(CheckList("intermediate", op.intermediates(), 0));
    const uint32_t mutating = SizeOf(op.mutating_variable_inputs());
    if (mutating != 0 && mutating != SizeOf(op.inputs())) {
      return Invalid("mutating_variable_inputs has another length than the inputs (", mutating,
                     ", ", SizeOf(op.inputs()), ")");
    }
    return OkStatus();
  }

  // First pass: index ranges, and which tensors have a writer at all.
  Status CheckLists() {
    for (uint32_t i = 0; i < SizeOf(subgraph_.operators()); ++i) {
      const tflite::Operator& op = *subgraph_.operators()->Get(i);
      const Status status = CheckOpLists(op);
      if (!status.ok()) return WithPrefix(status, OpLabel(context_, index_, i));
      for (uint32_t j = 0; j < SizeOf(op.outputs()); ++j) {
        flags_[op.outputs()->Get(j)] |= kHasWriter;
      }
    }
    return OkStatus();
  }

  // Second pass, in execution order. A tensor without any writer may be read: a few real models
  // have such operands, which their ops ignore or refuse.
  Status CheckOrder(const tflite::Operator& op) {
    for (uint32_t i = 0; i < SizeOf(op.inputs()); ++i) {
      const int32_t tensor = op.inputs()->Get(i);
      if (tensor < 0) continue;
      if ((flags_[tensor] & kHasWriter) != 0 && !HasValue(tensor)) {
        return Invalid("reads ", Label(tensor), " before it is produced");
      }
    }
    for (uint32_t i = 0; i < SizeOf(op.outputs()); ++i) {
      const int32_t tensor = op.outputs()->Get(i);
      if ((flags_[tensor] & kInput) != 0) return Invalid("writes graph input ", Label(tensor));
      if ((flags_[tensor] & kWritten) != 0) return Invalid("writes ", Label(tensor), " again");
      if (is_constant_[tensor]) return Invalid("writes constant ", Label(tensor));
      if (IsVariable(tensor)) return Invalid("writes variable ", Label(tensor));
      flags_[tensor] |= kWritten;
    }
    return OkStatus();
  }

  VerifyContext& context_;
  const uint32_t index_;
  const tflite::SubGraph& subgraph_;
  const std::vector<bool>& is_constant_;
  const int32_t count_;
  std::vector<uint8_t> flags_;
};

}  // namespace

Status VerifyGraph(VerifyContext& context, uint32_t subgraph,
                   const std::vector<bool>& is_constant) {
  const Status status = GraphChecker(context, subgraph, is_constant).Check();
  return subgraph == 0 || status.ok() || Message(status).starts_with("subgraph")
             ? status
             : WithPrefix(status, StrCat("subgraph ", subgraph));
}

}  // namespace tern
