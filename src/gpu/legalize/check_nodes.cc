// SPDX-License-Identifier: Apache-2.0
// Refusals that follow from the traits of an operation.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "gpu/desc/reason.h"
#include "gpu/legalize/legalize.h"

namespace tern::gpu {
namespace {

absl::Status Refusal(const Node& node, std::string_view why, const RefusalReason& refusal_reason) {
  return Annotate(absl::UnimplementedError(StrCat(Label(node), ": ", why)), refusal_reason);
}

absl::Status CheckType(const Graph& graph, const Node& node, const OpTraits& traits, TensorId id) {
  const GraphTensor& tensor = graph.tensors[id];
  if (tensor.HasScalesAlongAxis() && !traits.takes_axis_scales) {
    return Refusal(
        node,
        StrCat("tensor '", tensor.name, "' has type ", TfLiteTypeGetName(tensor.quantized->type),
               " and ", tensor.affine()->scales.size(), " scales"),
        {Reason::kQuantization, id});
  }
  const bool whole = tensor.type == kTfLiteInt32 || tensor.type == kTfLiteInt64;
  if (whole && traits.takes_ints(graph, node, id)) return absl::OkStatus();
  if ((TypeSetOf(tensor.type) & traits.types) != 0) return absl::OkStatus();
  return Refusal(node,
                 StrCat("tensor '", tensor.name, "' has type ", TfLiteTypeGetName(tensor.type)),
                 {Reason::kTensorType, id});
}

// The first operand and the first output, which traits may ask for.
absl::Status CheckOperands(const Node& node) {
  const bool has_input = !node.inputs.empty() && node.inputs[0] >= 0;
  if (has_input && !node.outputs.empty() && node.outputs[0] >= 0) return absl::OkStatus();
  return Refusal(node, has_input ? "output 0 is missing" : "operand 0 is missing",
                 {Reason::kOperands});
}

absl::Status CheckTypesOf(const Graph& graph, const Node& node, const OpTraits& traits) {
  TERN_RETURN_IF_ERROR(CheckOperands(node));
  if (graph.IsConstant(node)) return absl::OkStatus();
  for (const std::vector<TensorId>* ids : {&node.inputs, &node.outputs}) {
    for (const TensorId id : *ids) {
      if (id < 0 || graph.tensors[id].is_constant()) continue;
      TERN_RETURN_IF_ERROR(CheckType(graph, node, traits, id));
    }
  }
  return absl::OkStatus();
}

// Whether tensors are quantized alike; a constant may be, too.
bool SameQuantization(const QuantizedType& q, const GraphTensor& tensor) {
  if (tensor.quantized) return *tensor.quantized == q;
  const AffineQuantization* stored = tensor.affine();
  if (tensor.stored == kTfLiteNoType || stored == nullptr) return true;
  return tensor.stored == q.type && stored->is_single() && stored->scales[0] == q.scale &&
         stored->zero_points[0] == q.zero_point;
}

absl::Status CheckAlike(const Graph& graph, const Node& node, const OpTraits& /*traits*/) {
  const Moved* const rule = node.RuleOf<Moved>();
  if (rule == nullptr || graph.IsConstant(node)) return absl::OkStatus();
  const GraphTensor* first = nullptr;
  for (const std::vector<TensorId>* ids : {&node.inputs, &node.outputs}) {
    const int index = ids == &node.inputs ? rule->index_input : rule->index_output;
    for (size_t i = 0; i < ids->size(); ++i) {
      const TensorId id = (*ids)[i];
      if (id < 0 || static_cast<int>(i) == index) continue;
      const GraphTensor& tensor = graph.tensors[id];
      if (first != nullptr && !SameQuantization(*first->quantized, tensor)) {
        return Refusal(
            node, StrCat("'", first->name, "' and '", tensor.name, "' are quantized differently"),
            {Reason::kQuantization, id});
      }
      if (first == nullptr && tensor.quantized) first = &tensor;
    }
  }
  return absl::OkStatus();
}

// The first refusal; the context gets all.
absl::Status CheckAll(const Graph& graph, const PassContext& context,
                      absl::Status (*check)(const Graph&, const Node&, const OpTraits&)) {
  absl::Status first;
  for (const Node& node : graph.nodes) {
    const OpTraits* traits = context.table.Find(node);
    if (traits == nullptr) continue;
    absl::Status status = check(graph, node, *traits);
    if (status.ok()) continue;
    first.Update(status);
    if (context.refused != nullptr) context.refused->push_back({node.index, std::move(status)});
  }
  return first;
}

}  // namespace

absl::Status CheckTypes(const Graph& graph, const PassContext& context) {
  return CheckAll(graph, context, CheckTypesOf);
}

absl::Status CheckAligned(const Graph& graph, const PassContext& context) {
  return CheckAll(graph, context, CheckAlike);
}

}  // namespace tern::gpu
