// SPDX-License-Identifier: Apache-2.0
// A reshape that is a copy goes into the copy behind it, as in the heads of detectors.
#include <algorithm>

#include "gpu/fuse/fuse.h"

namespace tern::gpu {
namespace {

// Moves node n into its reader and erases it.
bool TryFuse(Graph& graph, size_t n, const TraitsTable& table) {
  const Node& node = graph.nodes[n];
  const OpTraits* traits = table.Find(node);
  if (traits == nullptr || !traits->keeps_elements || node.outputs.size() != 1) return false;
  const TensorId in = node.inputs[0], out = node.outputs[0];
  if (in < 0 || graph.IsOutput(out) || !node.epilogue.empty() || node.int64_half != 0) return false;
  const GraphTensor &from = graph.tensors[in], &to = graph.tensors[out];
  if (from.is_constant() || from.type != to.type || from.type == kTfLiteInt64 ||
      from.quantized != to.quantized || from.HasScalesAlongAxis() || from.box().elements() == 0 ||
      from.box().elements() != to.box().elements()) {
    return false;
  }
  const std::vector<int> readers = graph.Consumers(out);
  if (readers.size() != 1) return false;
  Node& reader = graph.nodes[readers[0]];
  const OpTraits* reads = table.Find(reader);
  if (reads == nullptr || !reads->takes_reshapes ||
      std::count(reader.inputs.begin(), reader.inputs.end(), out) != 1) {
    return false;
  }
  // A tensor that shares the memory of this one would be left without memory.
  if (std::any_of(graph.tensors.begin(), graph.tensors.end(),
                  [&](const GraphTensor& other) { return other.alias_of == out; })) {
    return false;
  }
  const auto place = std::find(reader.inputs.begin(), reader.inputs.end(), out);
  reader.viewed_as.resize(reader.inputs.size());
  reader.viewed_as[place - reader.inputs.begin()] = to.dims;
  *place = in;
  reader.fused.push_back(Label(node));
  graph.nodes.erase(graph.nodes.begin() + static_cast<std::ptrdiff_t>(n));
  return true;
}

}  // namespace

absl::Status FuseReshapes(Graph& graph, const PassContext& context) {
  for (size_t n = 0; n < graph.nodes.size();) {
    if (!TryFuse(graph, n, context.table)) ++n;
  }
  return absl::OkStatus();
}

}  // namespace tern::gpu
