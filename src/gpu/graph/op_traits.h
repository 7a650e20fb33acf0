// SPDX-License-Identifier: Apache-2.0
// The properties by which passes treat an operation without knowing it.
#ifndef TERN_GPU_GRAPH_OP_TRAITS_H_
#define TERN_GPU_GRAPH_OP_TRAITS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "gpu/graph/graph.h"

namespace tern::gpu {

// OpTraits::elements of operations with one rule for all nodes.
template <auto kRule>
ElementRule Always(const Graph& /*graph*/, const Node& /*node*/) {
  return kRule;
}

// OpTraits::elements of operations that compute elements at some nodes and round at the others.
template <bool (*kComputes)(const Graph& graph, const Node& node)>
ElementRule ComputedWhere(const Graph& graph, const Node& node) {
  if (kComputes(graph, node)) return Computed{};
  return Rounded{};
}

// OpTraits::joins_halves of operations that do at all nodes.
inline bool JoinsHalves(const Graph& /*graph*/, const Node& /*node*/) { return true; }

struct OpTraits {
  // Of the tensors that the operation reads and writes at run time.
  unsigned types = kFloats;
  // INT32 and INT64 tensors that the node takes beside quantized ones, whatever `types` say.
  bool (*takes_ints)(const Graph& graph, const Node& node,
                     TensorId id) = [](const Graph&, const Node&, TensorId) { return false; };
  // The node computes from both halves of INT64 operands, as it does from those of `takes_ints`.
  // Others read the half that they make.
  bool (*joins_halves)(const Graph& graph, const Node& node) = [](const Graph&, const Node&) {
    return false;
  };
  int indices = -1;  // the operand that holds indices, whose low halves are read; -1: none
  // Runtime tensors may have scales along an axis (GraphTensor::HasScalesAlongAxis).
  bool takes_axis_scales = false;
  // Where the stored values of a node's quantized results come from, as on the CPU.
  ElementRule (*elements)(const Graph& graph, const Node& node) = Always<Rounded{}>;
  // The dispatch that writes output 0 takes an epilogue.
  bool takes_epilogue = false;
  // Operations that put zeros around input 0: how many, by axis. Empty where this node does more.
  std::vector<Padding> (*padding)(const Graph& graph, const Node& node) = nullptr;
  // Input 0 may be read as if zeros lay around it (Node::padding), along its inner axes: all but
  // the first and the last. Not every node need do so.
  bool (*takes_padding)(const Graph& graph, const Node& node) = nullptr;
  // Output 0 holds the elements of input 0 in the same row-major order.
  bool keeps_elements = false;
  // Reads inputs element by element under other shapes (Node::viewed_as).
  bool takes_reshapes = false;
  // The axis along which output 0 is the inputs, one after the other; -1: it is not. The lowering
  // leaves out those of Node::in_place.
  int (*joined_along)(const Graph& graph, const Node& node) = [](const Graph&, const Node&) {
    return -1;
  };
  // Inputs that a run replaces where they are variables. The node then gets a further output for
  // each of them, in this order.
  std::vector<int> (*states)(const Node& node) = [](const Node&) { return std::vector<int>(); };
  // The number of the graph that makes one number of two, for which Node::join stands; -1: none.
  int (*joining_graph)(const Node& node) = [](const Node&) { return -1; };
  // Elementwise operations only: the epilogue that turns input 0 (v) into the output, fused
  // activation included. Operands are graph tensors. An error says why this node cannot be one.
  absl::StatusOr<Epilogue> (*elementwise)(const Graph& graph, const Node& node) = nullptr;
};

// Traits by operation; nullptr when the operation is unknown on the GPU.
class TraitsTable {
 public:
  virtual ~TraitsTable() = default;
  virtual const OpTraits* Find(const Node& node) const = 0;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_GRAPH_OP_TRAITS_H_
