// SPDX-License-Identifier: Apache-2.0
// Checks of the graph: which op writes and reads which tensor, and in which order. A tensor may be
// written more than once, and a graph input or a variable, too: that is for Prepare to judge, which
// knows the shapes.

#include "model/vectors.h"
#include "model/verify_context.h"

namespace tern {
namespace {

using Indices = flatbuffers::Vector<int32_t>;

class GraphChecker {
 public:
  GraphChecker(VerifyContext& context, uint32_t index, TensorFlags& flags)
      : context_(context),
        index_(index),
        subgraph_(*context.model().subgraphs()->Get(index)),
        ops_(subgraph_.operators()),
        code_count_(SizeOf(context.model().operator_codes())),
        count_(static_cast<int32_t>(flags.size())),
        flags_(flags) {}

  Status Check() {
    const Indices* inputs = subgraph_.inputs();
    const Indices* outputs = subgraph_.outputs();
    TERN_RETURN_IF_ERROR(CheckList("input", inputs, -1));
    TERN_RETURN_IF_ERROR(CheckList("output", outputs, -1));
    for (uint32_t i = 0; i < SizeOf(inputs); ++i) {
      // An absent optional operand may be listed, too.
      if (inputs->Get(i) >= 0) flags_[inputs->Get(i)] |= kInputTensor;
    }
    TERN_RETURN_IF_ERROR(CheckLists());
    for (uint32_t i = 0; i < SizeOf(ops_); ++i) {
      const Status status = CheckOrder(*ops_->Get(i));
      if (!status.ok()) return WithPrefix(status, OpLabel(context_, index_, i));
    }
    return OkStatus();
  }

 private:
  static constexpr uint8_t kHasValue = kConstantTensor | kVariableTensor | kInputTensor | kWritten;

  std::string Label(int32_t tensor) const {
    return TensorLabel(subgraph_, index_, static_cast<uint32_t>(tensor));
  }

  bool HasValue(int32_t tensor) const { return (flags_[tensor] & kHasValue) != 0; }

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
    if (op.opcode_index() >= code_count_) {
      return Invalid("Operator ", op.opcode_index(), " does not exist in model op codes (",
                     code_count_, ")");
    }
    TERN_RETURN_IF_ERROR(CheckList("input", op.inputs(), -1));
    TERN_RETURN_IF_ERROR(CheckList("output", op.outputs(), -1));
    TERN_RETURN_IF_ERROR(CheckList("intermediate", op.intermediates(), -1));
    return CustomOptionBytes(op, context_.file()).status();
  }

  // First pass: index ranges, and which tensors have a writer at all.
  Status CheckLists() {
    for (uint32_t i = 0; i < SizeOf(ops_); ++i) {
      const tflite::Operator& op = *ops_->Get(i);
      const Status status = CheckOpLists(op);
      if (!status.ok()) return WithPrefix(status, OpLabel(context_, index_, i));
      const Indices* outputs = op.outputs();
      for (uint32_t j = 0; j < SizeOf(outputs); ++j) {
        if (outputs->Get(j) >= 0) flags_[outputs->Get(j)] |= kHasWriter;
      }
    }
    return OkStatus();
  }

  // Second pass, in execution order. A tensor without any writer may be read: a few real models
  // have such operands, which their ops ignore or refuse.
  Status CheckOrder(const tflite::Operator& op) {
    const Indices* inputs = op.inputs();
    for (uint32_t i = 0; i < SizeOf(inputs); ++i) {
      const int32_t tensor = inputs->Get(i);
      if (tensor < 0) continue;
      if ((flags_[tensor] & kHasWriter) != 0 && !HasValue(tensor)) {
        return Invalid("reads ", Label(tensor), " before it is produced");
      }
    }
    const Indices* outputs = op.outputs();
    for (uint32_t i = 0; i < SizeOf(outputs); ++i) {
      const int32_t tensor = outputs->Get(i);
      if (tensor < 0) continue;
      if ((flags_[tensor] & kConstantTensor) != 0) {
        return Invalid("writes constant ", Label(tensor));
      }
      flags_[tensor] |= kWritten;
    }
    return OkStatus();
  }

  VerifyContext& context_;
  const uint32_t index_;
  const tflite::SubGraph& subgraph_;
  const flatbuffers::Vector<flatbuffers::Offset<tflite::Operator>>* const ops_;
  const uint32_t code_count_;
  const int32_t count_;
  TensorFlags& flags_;
};

}  // namespace

Status VerifyGraph(VerifyContext& context, uint32_t subgraph, TensorFlags& flags) {
  const Status status = GraphChecker(context, subgraph, flags).Check();
  return subgraph == 0 || status.ok() || Message(status).starts_with("subgraph")
             ? status
             : WithPrefix(status, StrCat("subgraph ", subgraph));
}

}  // namespace tern
