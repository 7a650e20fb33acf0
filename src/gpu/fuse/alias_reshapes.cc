// SPDX-License-Identifier: Apache-2.0
// A reshape costs nothing when both shapes describe the same memory. Inputs and outputs of the
// graph lie row-major, where that is always so; tensors inside lie in slices, where it depends on
// the shapes.
#include <algorithm>

#include "gpu/fuse/fuse.h"

namespace tern::gpu {
namespace {

// Slices of both boxes lie at the same places.
bool SameSlices(const Box& a, const Box& b, int slice_width) {
  if (a == b) return true;
  if (a.c != b.c) return false;
  if (a.b == b.b && int64_t{a.h} * a.w == int64_t{b.h} * b.w) return true;
  return a.slices(slice_width) <= 1 && a.elements() == b.elements();
}

// Another node reads the memory of a tensor, which it may take for elements.
bool IsReadByOthers(const Graph& graph, const Node& node, TensorId root) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& other) {
    return &other != &node &&
           std::any_of(other.inputs.begin(), other.inputs.end(),
                       [&](TensorId id) { return id >= 0 && graph.Root(id) == root; });
  });
}

bool TryAlias(Graph& graph, const Node& node, int slice_width) {
  const TensorId in = graph.Int64HalfOf(node, 0, node.int64_half), out = node.outputs[0];
  if (graph.tensors[in].is_constant() || !node.epilogue.empty()) return false;
  if (graph.tensors[in].type != graph.tensors[out].type) return false;
  if (graph.tensors[in].HasScalesAlongAxis()) return false;  // DEQUANTIZE multiplies by them
  const bool in_rows = graph.LiesInRows(in);
  if (!graph.IsOutput(out)) {
    if (!in_rows &&
        !SameSlices(graph.tensors[graph.Root(in)].box(), graph.tensors[out].box(), slice_width)) {
      return false;
    }
    graph.tensors[out].alias_of = in;
    return true;
  }
  // The output is the user's memory: the value can be written there in the first place, once.
  if (in_rows || graph.Root(in) != in) return false;
  // Which holds the numbers of quantized tensors, not their elements.
  if (graph.tensors[in].quantized && IsReadByOthers(graph, node, in)) return false;
  graph.tensors[in].alias_of = out;
  return true;
}

}  // namespace

absl::Status AliasReshapes(Graph& graph, const PassContext& context) {
  for (size_t n = 0; n < graph.nodes.size();) {
    const OpTraits* traits = context.table.Find(graph.nodes[n]);
    if (traits != nullptr && traits->keeps_elements &&
        TryAlias(graph, graph.nodes[n], context.tuning.slice_width)) {
      if (graph.nodes[n].int64_half == 0) graph.views.push_back(Label(graph.nodes[n]));
      graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(n));
    } else {
      ++n;
    }
  }
  return absl::OkStatus();
}

}  // namespace tern::gpu
