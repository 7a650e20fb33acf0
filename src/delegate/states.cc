// SPDX-License-Identifier: Apache-2.0
// Which nodes have states, and their outputs.
#include "delegate/states.h"

#include <algorithm>

#include "base/status.h"
#include "delegate/read_partition.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::delegate {

std::vector<int> StateInputs(const gpu::Node& node) {
  if (node.builtin_code == kTfLiteBuiltinLstm && node.inputs.size() == 5 &&
      node.Get<TfLiteLSTMParams>().kernel_type == kTfLiteLSTMBasicKernel) {
    return {1, 4};
  }
  const bool full = node.builtin_code == kTfLiteBuiltinLstm ||
                    node.builtin_code == kTfLiteBuiltinUnidirectionalSequenceLstm;
  if (full && node.inputs.size() >= 20) return {18, 19};
  return {};
}

absl::Status AddStates(const TfLiteContext& context, gpu::Graph* graph, gpu::Node* node,
                       std::vector<int>* variables) {
  const std::vector<int> states = StateInputs(*node);
  const auto is_variable = [&](int i) {
    const int id = node->inputs[static_cast<size_t>(i)];
    return id >= 0 && context.tensors[id].is_variable;
  };
  const auto count = std::count_if(states.begin(), states.end(), is_variable);
  if (count == 0) return absl::OkStatus();
  if (count != static_cast<long>(states.size())) {
    return Unsupported(gpu::Label(*node), ": only some of the states are variables");
  }
  for (const int i : states) {
    const int variable = node->inputs[static_cast<size_t>(i)];
    gpu::GraphTensor next = graph->tensors[static_cast<size_t>(variable)];
    next.name += " next";
    graph->tensors.push_back(std::move(next));
    node->outputs.push_back(static_cast<int>(graph->tensors.size()) - 1);
    variables->push_back(variable);
  }
  return absl::OkStatus();
}

absl::Status CheckStatesAreOwn(TfLiteContext* context, const gpu::Node& node) {
  std::vector<int> own;
  for (const int i : StateInputs(node)) {
    const int id = node.inputs[static_cast<size_t>(i)];
    if (id >= 0 && context->tensors[id].is_variable) own.push_back(id);
  }
  if (own.empty()) return absl::OkStatus();
  TfLiteIntArray* plan = nullptr;
  if (context->GetExecutionPlan(context, &plan) != kTfLiteOk || plan == nullptr) {
    return absl::InternalError("Unable to get graph execution plan.");
  }
  const std::vector<int> order(plan->data, plan->data + plan->size);
  for (const int index : order) {
    TERN_ASSIGN_OR_RETURN(const gpu::Node other, ReadNode(context, index));
    for (const int variable : own) {
      const auto uses = std::count(other.inputs.begin(), other.inputs.end(), variable);
      if (uses > (index == node.index ? 1 : 0)) {
        return Unsupported(gpu::Label(node), ": its state is used in a second place");
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace tern::delegate
