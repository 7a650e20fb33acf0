// SPDX-License-Identifier: Apache-2.0
// The loop over nodes.
#include "gpu/lower/lower_graph.h"

#include <algorithm>

#include "base/status.h"

namespace tern::gpu {
namespace {

// Its readers see constants, so that nothing is left to do unless the application wants them, too.
absl::Status LowerKnown(const Node& node, const LoweringTable& table, Lowering& lower) {
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!lower.graph().IsOutput(node.outputs[i])) continue;
    TERN_RETURN_IF_ERROR(table.WriteKnown(node, static_cast<int>(i), lower));
  }
  return absl::OkStatus();
}

absl::Status LowerNode(const Node& node, const LoweringTable& table, Lowering& lower) {
  lower.Begin(node);
  if (lower.graph().IsKnown(node)) return LowerKnown(node, table, lower);
  const LowerFunction function = table.FindLowering(node);
  if (function == nullptr)
    return lower.Unsupported(node, "this operation has no GPU form", {Reason::kNoGpuForm});
  return function(node, lower);
}

// Whether tensors are quantized alike; a constant may be, too.
bool SameQuantization(const Quantized& q, const GraphTensor& tensor) {
  if (tensor.quantized) return *tensor.quantized == q;
  const TfLiteAffineQuantization* stored = tensor.quantization;
  if (tensor.stored == kTfLiteNoType || stored == nullptr) return true;
  if (stored->scale == nullptr || stored->zero_point == nullptr) return false;
  return tensor.stored == q.type && stored->scale->size == 1 && stored->scale->data[0] == q.scale &&
         stored->zero_point->size > 0 && stored->zero_point->data[0] == q.zero_point;
}

absl::Status CheckQuantization(const Graph& graph, const Node& node, const OpTraits& traits,
                               const Lowering& lower) {
  const GraphTensor* first = nullptr;
  for (const std::vector<TensorId>* ids : {&node.inputs, &node.outputs}) {
    const int index = ids == &node.inputs ? traits.index_input : traits.index_output;
    for (size_t i = 0; i < ids->size(); ++i) {
      const TensorId id = (*ids)[i];
      if (id < 0 || static_cast<int>(i) == index) continue;
      const GraphTensor& tensor = graph.tensors[id];
      if (first != nullptr && !SameQuantization(*first->quantized, tensor)) {
        return lower.Unsupported(
            node, StrCat("'", first->name, "' and '", tensor.name, "' are quantized differently"),
            {Reason::kQuantization, id});
      }
      if (first == nullptr && tensor.quantized) first = &tensor;
    }
  }
  return absl::OkStatus();
}

// Only before passes: a fused node writes what its last step makes.
absl::Status CheckTypes(const Graph& graph, const Node& node, const LoweringTable& table,
                        const Lowering& lower) {
  const OpTraits* traits = table.Find(node);
  for (const std::vector<TensorId>* ids : {&node.inputs, &node.outputs}) {
    for (const TensorId id : *ids) {
      if (id < 0 || graph.tensors[id].is_constant()) continue;
      const GraphTensor& tensor = graph.tensors[id];
      if (traits == nullptr) continue;
      if (tensor.HasScalesAlongAxis() && !traits->takes_axis_scales) {
        return lower.Unsupported(node,
                                 StrCat("tensor '", tensor.name, "' has type ",
                                        TfLiteTypeGetName(tensor.quantized->type), " and ",
                                        tensor.quantization->scale->size, " scales"),
                                 {Reason::kQuantization, id});
      }
      const bool whole = tensor.type == kTfLiteInt32 || tensor.type == kTfLiteInt64;
      if (whole && traits->takes_ints(graph, node, id)) continue;
      if ((TypeSetOf(tensor.type) & traits->types) == 0) {
        return lower.Unsupported(
            node, StrCat("tensor '", tensor.name, "' has type ", TfLiteTypeGetName(tensor.type)),
            {Reason::kTensorType, id});
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Lowered> LowerGraph(const Graph& graph, const LoweringTable& table,
                                   const DeviceInfo& device, const Tuning& tuning,
                                   const Storage& storage, std::vector<RefusedNode>* refused) {
  Lowering lower(graph, device, tuning, storage);
  absl::Status first;
  for (const Node& node : graph.nodes) {
    const absl::Status status = LowerNode(node, table, lower);
    if (status.ok()) continue;
    if (refused != nullptr) refused->push_back({node.index, status});
    first.Update(status);
  }
  TERN_RETURN_IF_ERROR(first);
  return lower.TakeWithEdges();
}

absl::StatusOr<Lowered> LowerNodeDry(const Graph& graph, const Node& node,
                                     std::span<const Node> words, const LoweringTable& table,
                                     const DeviceInfo& device, const Tuning& tuning,
                                     const Storage& storage) {
  Lowering lower(graph, device, tuning, storage);
  TERN_RETURN_IF_ERROR(CheckTypes(graph, node, table, lower));
  const OpTraits* traits = table.Find(node);
  if (traits != nullptr && traits->keeps_quantization) {
    TERN_RETURN_IF_ERROR(CheckQuantization(graph, node, *traits, lower));
  }
  for (const Node& word : words) TERN_RETURN_IF_ERROR(LowerNode(word, table, lower));
  return lower.Take();
}

std::optional<std::set<TensorId>> BoundTensors(const Graph& graph, const Node& node,
                                               const LoweringTable& table, const DeviceInfo& device,
                                               const Tuning& tuning) {
  Lowering lower(graph, device, tuning, {});  // all storages bind the same
  if (!LowerNode(node, table, lower).ok()) return std::nullopt;
  return lower.Bound();
}

bool FitsBuffers(const Graph& graph, const Node& node, const LoweringTable& table,
                 const DeviceInfo& device, const Tuning& tuning) {
  Lowering lower(graph, device, tuning, {});
  if (!LowerNode(node, table, lower).ok()) return false;
  const Lowered lowered = lower.Take();
  return std::all_of(
      lowered.dispatches.begin(), lowered.dispatches.end(),
      [&](const Dispatch& dispatch) { return BufferCount(dispatch) <= device.max_buffers; });
}

}  // namespace tern::gpu
