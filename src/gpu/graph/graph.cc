// SPDX-License-Identifier: Apache-2.0
// Questions about a graph. Graphs hold at most some thousand nodes, so linear scans do.
#include "gpu/graph/graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tern::gpu {

float QuantizedType::lowest() const {
  return scale * static_cast<float>(TypeRange(type).min - zero_point);
}

float QuantizedType::highest() const {
  return scale * static_cast<float>(TypeRange(type).max - zero_point);
}

bool QuantizedType::can_hold_elements() const {
  return std::isnormal(scale) && std::isnormal(1 / scale);
}

int CalledGraph::InputNumber(TensorId tensor) const {
  const auto found = std::find(inputs.begin(), inputs.end(), tensor);
  return found == inputs.end() ? -1 : static_cast<int>(found - inputs.begin());
}

TensorId Graph::LowHalf(TensorId id) const { return tensors[id].low >= 0 ? tensors[id].low : id; }

bool Graph::IsInput(TensorId id) const {
  return std::find(inputs.begin(), inputs.end(), LowHalf(id)) != inputs.end();
}

bool Graph::IsOutput(TensorId id) const {
  return std::find(outputs.begin(), outputs.end(), LowHalf(id)) != outputs.end();
}

bool Graph::IsConstant(const Node& node) const {
  return !node.outputs.empty() &&
         std::all_of(node.outputs.begin(), node.outputs.end(),
                     [&](TensorId id) { return id >= 0 && tensors[id].is_constant(); });
}

int Graph::Producer(TensorId id) const {
  for (size_t n = 0; n < nodes.size(); ++n) {
    const std::vector<TensorId>& out = nodes[n].outputs;
    if (std::find(out.begin(), out.end(), id) != out.end()) return static_cast<int>(n);
  }
  return -1;
}

std::vector<int> Graph::Consumers(TensorId id) const {
  std::vector<int> result;
  for (size_t n = 0; n < nodes.size(); ++n) {
    const Node& node = nodes[n];
    bool reads =
        std::find(node.inputs.begin(), node.inputs.end(), LowHalf(id)) != node.inputs.end();
    for (const EpilogueOp& step : node.epilogue) reads = reads || step.operand == id;
    if (reads) result.push_back(static_cast<int>(n));
  }
  return result;
}

TensorId Graph::Root(TensorId id) const {
  while (tensors[id].alias_of >= 0) id = tensors[id].alias_of;
  return id;
}

TensorId Graph::Whole(TensorId id) const {
  id = Root(id);
  while (tensors[id].inside >= 0) id = Root(tensors[id].inside);
  return id;
}

bool Graph::LiesInRows(TensorId id) const {
  const TensorId whole = Whole(id);
  return IsInput(whole) || IsOutput(whole);
}

std::string Label(const Node& node) { return absl::StrCat(node.op, " #", node.index); }

}  // namespace tern::gpu
