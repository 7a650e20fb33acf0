// SPDX-License-Identifier: Apache-2.0
// Reads the subgraphs of the interpreter that runs the op.
#include "ops/stablehlo/body.h"

#include <optional>
#include <utility>
#include <vector>

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tern {
namespace {

TfLiteFusedActivation ActivationOf(const TfLiteNode& node, int code) {
  if (node.builtin_data == nullptr) return kTfLiteActNone;
  if (code == kTfLiteBuiltinAdd) {
    return static_cast<const TfLiteAddParams*>(node.builtin_data)->activation;
  }
  if (code == kTfLiteBuiltinMul) {
    return static_cast<const TfLiteMulParams*>(node.builtin_data)->activation;
  }
  return kTfLiteActNone;
}

}  // namespace

StatusOr<Combine> CombineOfSubgraph(const OpCall& call, int index, bool second_allowed) {
  auto* self = static_cast<tflite::Subgraph*>(call.context()->impl_);
  const auto* subgraphs = self->GetSubgraphs();
  if (subgraphs == nullptr || index < 0 || static_cast<size_t>(index) >= subgraphs->size()) {
    return Invalid("the body's subgraph does not exist (", index, ")");
  }
  const tflite::Subgraph& body = *(*subgraphs)[static_cast<size_t>(index)];
  if (body.inputs().size() != 2 || body.outputs().size() != 1) {
    return Invalid("the body must have two inputs and one output (", body.inputs().size(), ", ",
                   body.outputs().size(), ")");
  }
  // A delegate that has taken the op stands behind it.
  std::vector<const std::pair<TfLiteNode, TfLiteRegistration>*> nodes;
  for (const auto& node : body.nodes_and_registration()) {
    if (node.second.builtin_code != kTfLiteBuiltinDelegate) nodes.push_back(&node);
  }
  if (nodes.empty() && second_allowed && body.outputs()[0] == body.inputs()[1]) {
    return Combine::kSecond;
  }
  if (nodes.size() != 1) return Unsupported("the body must have one op (", nodes.size(), ")");
  const TfLiteNode& node = nodes[0]->first;
  const bool direct =
      node.inputs->size == 2 && node.outputs->size == 1 &&
      node.outputs->data[0] == body.outputs()[0] &&
      ((node.inputs->data[0] == body.inputs()[0] && node.inputs->data[1] == body.inputs()[1]) ||
       (node.inputs->data[0] == body.inputs()[1] && node.inputs->data[1] == body.inputs()[0]));
  if (!direct) return Unsupported("the body's op must join the body's inputs");
  const int code = nodes[0]->second.builtin_code;
  const TfLiteFusedActivation activation = ActivationOf(node, code);
  if (activation != kTfLiteActNone) {
    return Unsupported("the body's op must have no fused activation (",
                       static_cast<int>(activation), ", ", static_cast<int>(kTfLiteActNone), ")");
  }
  const std::optional<Combine> combine = CombineOfOp(code);
  if (!combine) return Unsupported("the body's op is not supported yet (code ", code, ")");
  return *combine;
}

Status CheckCombine(Combine how, TfLiteType type) {
  const bool floats = type == kTfLiteFloat32 || type == kTfLiteFloat64;
  if (floats && (how == Combine::kAnd || how == Combine::kOr)) {
    return Invalid("logical functions take no numbers of type ", TypeText(type));
  }
  return WithType(type, [](auto) { return OkStatus(); });
}

}  // namespace tern
