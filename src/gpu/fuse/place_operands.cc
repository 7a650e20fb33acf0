// SPDX-License-Identifier: Apache-2.0
// CONCATENATION copies each operand to its place in the output. Where such a place is one range of
// memory, the node that makes the operand writes there instead. That is so for row-major outputs
// joined along their first axis, and for slices joined along their channels: whole slices follow
// each other.
#include <algorithm>
#include <numeric>

#include "gpu/fuse/fuse.h"

namespace tern::gpu {
namespace {

// A node whose operands follow each other in its output.
struct Join {
  size_t node = 0;
  TensorId whole = -1;  // the tensor whose memory the output has
  size_t axis = 0;
  bool rows = false;  // the whole is row-major
};

const std::vector<int>& DimsOf(const Graph& graph, const Node& node, size_t input) {
  const std::vector<int>* seen = node.ViewOf(input);
  return seen != nullptr ? *seen : graph.tensors[node.inputs[input]].dims;
}

// Numbers that lie as they are, in as many bytes inside the whole as alone.
bool IsPlain(const GraphTensor& tensor) {
  return (tensor.type == kTfLiteFloat32 || tensor.type == kTfLiteInt32) && !tensor.quantized;
}

// The operands fill the output. Those that do not are refused when the node is lowered.
bool Fills(const Graph& graph, const Node& node, size_t axis) {
  const std::vector<int>& to = graph.tensors[node.outputs[0]].dims;
  int64_t along = 0;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] < 0) return false;
    std::vector<int> from = DimsOf(graph, node, i);
    if (from.size() != to.size()) return false;
    along += from[axis];
    from[axis] = to[axis];
    if (from != to) return false;
  }
  return along == to[axis];
}

bool HasRanges(const Graph& graph, const Join& join) {
  const GraphTensor& out = graph.tensors[graph.nodes[join.node].outputs[0]];
  if (!join.rows) return join.axis + 1 == out.dims.size() && out.box().b == 1;
  return std::accumulate(out.dims.begin(), out.dims.begin() + static_cast<int>(join.axis),
                         int64_t{1}, std::multiplies<>()) == 1;
}

// Nobody but the join sees the tensor, so that it may lie row-major.
bool IsReadByJoinAlone(const Graph& graph, TensorId id, const Join& join) {
  return graph.Consumers(id) == std::vector<int>{static_cast<int>(join.node)} &&
         std::none_of(graph.tensors.begin(), graph.tensors.end(), [&](const GraphTensor& other) {
           return other.alias_of == id || other.inside == id;
         });
}

// Whether operand `input` may lie behind `before` elements of the whole.
bool CanLieInWhole(const Graph& graph, const PassContext& context, const Join& join, size_t input,
                   int64_t before) {
  const Node& node = graph.nodes[join.node];
  const TensorId id = node.inputs[input], root = graph.Root(id);
  const GraphTensor& tensor = graph.tensors[root];
  if (tensor.is_constant() || tensor.variable || tensor.inside >= 0 || graph.IsInput(root) ||
      graph.IsOutput(root) || !IsPlain(tensor) || tensor.type != graph.tensors[join.whole].type ||
      tensor.box().elements() != graph.tensors[id].box().elements()) {
    return false;
  }
  const auto shares = [&](TensorId other) { return graph.Root(other) == root; };
  if (std::count_if(node.inputs.begin(), node.inputs.end(), shares) != 1) return false;
  // Whatever the storage makes of floats.
  const int64_t min_bytes = join.rows || tensor.type != kTfLiteFloat32 ? 4 : 2;
  if (before * min_bytes % context.device.buffer_alignment != 0) return false;
  if (join.rows) return id == root && IsReadByJoinAlone(graph, id, join);
  if (node.ViewOf(input) != nullptr) return false;
  const Box box = graph.tensors[id].box();
  const int width = context.tuning.slice_width;
  const bool whole_slices = box.c % width == 0 || input + 1 == node.inputs.size();
  return whole_slices && before % (int64_t{box.h} * box.w * width) == 0;
}

// Places the operands of a node that can be; true if none is left to copy.
bool Place(Graph& graph, const PassContext& context, const Join& join) {
  Node& node = graph.nodes[join.node];
  node.in_place.assign(node.inputs.size(), false);
  bool all = true;
  int64_t before = 0;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const int64_t elements = graph.tensors[node.inputs[i]].box().elements();
    if (elements > 0 && CanLieInWhole(graph, context, join, i, before)) {
      GraphTensor& operand = graph.tensors[graph.Root(node.inputs[i])];
      operand.inside = join.whole;
      operand.inside_at = before;
      node.in_place[i] = true;
    } else {
      all = all && elements == 0;
    }
    before += elements;
  }
  return all;
}

}  // namespace

absl::Status PlaceOperands(Graph& graph, const PassContext& context) {
  for (size_t n = 0; n < graph.nodes.size();) {
    const Node& node = graph.nodes[n];
    const OpTraits* traits = context.table.Find(node);
    const int axis = traits == nullptr ? -1 : traits->joined_along(graph, node);
    bool placed = false;
    if (axis >= 0 && node.epilogue.empty() && node.requantization == nullptr) {
      const TensorId whole = graph.Root(node.outputs[0]);
      const Join join{n, whole, static_cast<size_t>(axis), graph.LiesInRows(whole)};
      const GraphTensor &out = graph.tensors[node.outputs[0]], &memory = graph.tensors[whole];
      placed = IsPlain(memory) && memory.type == out.type &&
               memory.box().elements() == out.box().elements() && Fills(graph, node, join.axis) &&
               HasRanges(graph, join) && Place(graph, context, join);
    }
    if (placed) {
      graph.views.push_back(Label(graph.nodes[n]));
      graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(n));
    } else {
      ++n;
    }
  }
  return absl::OkStatus();
}

}  // namespace tern::gpu
