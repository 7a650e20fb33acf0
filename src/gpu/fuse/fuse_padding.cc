// SPDX-License-Identifier: Apache-2.0
// Zeros around a tensor are read, not written: a convolution sees them outside its input anyway.
#include <algorithm>

#include "gpu/fuse/fuse.h"

namespace tern::gpu {
namespace {

bool IsNone(const Padding& padding) { return padding.before == 0 && padding.after == 0; }

bool Fits(const std::vector<int>& in, const std::vector<Padding>& padding,
          const std::vector<int>& out) {
  if (in.size() != padding.size() || out.size() != padding.size()) return false;
  for (size_t i = 0; i < in.size(); ++i)
    if (int64_t{in[i]} + padding[i].before + padding[i].after != out[i]) return false;
  return true;
}

// The node reads a tensor as its input 0 and nowhere else, and takes zeros around that.
bool CanRead(const Graph& graph, const Node& node, TensorId padded, const TraitsTable& table) {
  const OpTraits* traits = table.Find(node);
  if (traits == nullptr || traits->takes_padding == nullptr) return false;
  return traits->takes_padding(graph, node) && node.inputs[0] == padded && node.epilogue.empty() &&
         std::count(node.inputs.begin(), node.inputs.end(), padded) == 1;
}

// Moves the zeros of node n into all who read them, and erases it.
void TryFuse(Graph& graph, int n, const TraitsTable& table) {
  const Node& node = graph.nodes[n];
  const OpTraits* traits = table.Find(node);
  if (traits == nullptr || traits->padding == nullptr || !node.epilogue.empty()) return;
  const std::vector<Padding> padding = traits->padding(graph, node);
  if (padding.empty() || !IsNone(padding.front()) || !IsNone(padding.back())) return;
  const TensorId in = node.inputs[0], padded = node.outputs[0];
  if (!Fits(graph.tensors[in].dims, padding, graph.tensors[padded].dims)) return;
  if (graph.IsOutput(padded) || graph.tensors[in].is_constant()) return;
  // A tensor without elements has no memory to read around.
  if (graph.tensors[in].box().elements() == 0) return;
  const std::vector<int> readers = graph.Consumers(padded);
  if (readers.empty() || !std::all_of(readers.begin(), readers.end(), [&](int reader) {
        return CanRead(graph, graph.nodes[reader], padded, table);
      })) {
    return;
  }
  for (const int r : readers) {
    Node& reader = graph.nodes[r];
    reader.inputs[0] = in;
    reader.padding.resize(padding.size());
    for (size_t axis = 0; axis < padding.size(); ++axis) {
      reader.padding[axis].before += padding[axis].before;
      reader.padding[axis].after += padding[axis].after;
    }
    reader.fused.push_back(Label(node));
  }
  graph.nodes.erase(graph.nodes.begin() + n);
}

}  // namespace

absl::Status FusePadding(Graph& graph, const PassContext& context) {
  // From the end, so that one padding after another meets a reader that has taken the latter.
  for (int n = static_cast<int>(graph.nodes.size()) - 1; n >= 0; --n)
    TryFuse(graph, n, context.table);
  return absl::OkStatus();
}

}  // namespace tern::gpu
