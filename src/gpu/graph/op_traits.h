// SPDX-License-Identifier: Apache-2.0
// The properties by which passes treat an operation without knowing it.
#ifndef TERN_GPU_GRAPH_OP_TRAITS_H_
#define TERN_GPU_GRAPH_OP_TRAITS_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/desc/constant_part.h"
#include "gpu/graph/graph.h"

namespace tern::gpu {

// Of a node that sums products of elements less their zero points on the CPU and multiplies the
// sums, in fixed point or by a factor in double precision.
struct FixedPointTraits {
  int input = 0, filter = 1, bias = 2;  // operands; the bias may be missing
  int filter_axis = 0;                  // of output channels, of a filter that is constant
  int64_t products = 0;  // of a sum, where the filter may be any matrix; else those of its own
  bool wide = false;     // sums of 64 bits, multipliers of 16 instead of 31
  bool real = false;     // by the factor
  bool float_product = false;             // of the scales
  Decoding decoding = Decoding::kStored;  // of a filter that is constant
  bool sums = false;                      // are the results, as INT32
  TfLiteFusedActivation activation = kTfLiteActNone;
};

struct OpTraits {
  // Of the tensors that the operation reads and writes at run time.
  unsigned types = kFloats;
  // INT32 and INT64 tensors that the node takes beside quantized ones, whatever `types` say.
  bool (*takes_ints)(const Graph& graph, const Node& node,
                     TensorId id) = [](const Graph&, const Node&, TensorId) { return false; };
  // Runtime tensors may have scales along an axis (GraphTensor::HasScalesAlongAxis).
  bool takes_axis_scales = false;
  // Stored values of 8 and 16 bits are moved or compared: all quantized tensors of a node must be
  // quantized alike, or be made so (AlignElements).
  bool keeps_quantization = false;
  // With keeps_quantization: the operand and the output that hold indices.
  int index_input = -1, index_output = -1;
  // With keeps_quantization: the stored value of another quantization of the same type for each
  // stored value; nothing where they stay.
  std::optional<std::vector<float>> (*realigned)(const QuantizedType& from,
                                                 const QuantizedType& to) = nullptr;
  // Whether a node's quantized results are numbers that elements of its outputs stand for, without
  // another step behind it.
  bool (*makes_elements)(const Graph& graph, const Node& node) = [](const Graph&, const Node&) {
    return false;
  };
  // Of a node from one quantized operand to a quantized output: the numbers of its results for all
  // elements, from the lowest one on, as on the CPU (Node::results). Nothing for other nodes.
  std::optional<std::vector<float>> (*results)(const Graph& graph, const Node& node) = nullptr;
  // How the CPU computes a quantized node, where that is by sums of products.
  std::optional<FixedPointTraits> (*fixed_point)(const Graph& graph, const Node& node) = nullptr;
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
