// SPDX-License-Identifier: Apache-2.0
// The part of a model that goes to the GPU: tensors, nodes with the same parameter structs as on
// the CPU, and constants by pointer. Passes rewrite it; lowering turns each node into dispatches.
#ifndef TERN_GPU_GRAPH_GRAPH_H_
#define TERN_GPU_GRAPH_GRAPH_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/desc/constant_part.h"
#include "gpu/desc/dispatch.h"
#include "gpu/desc/tensor_desc.h"
#include "gpu/graph/quantized.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern::gpu {

// Elements that a model owns, or whoever made the graph.
inline std::shared_ptr<const void> Borrowed(const void* elements) {
  return {std::shared_ptr<const void>(), elements};
}

// Elements that live as long as a tensor has them.
template <typename T>
std::shared_ptr<const void> Owned(std::vector<T> elements) {
  const auto kept = std::make_shared<const std::vector<T>>(std::move(elements));
  return {kept, kept->data()};
}

struct GraphTensor {
  std::string name;
  std::vector<int> dims;             // any rank
  TfLiteType type = kTfLiteFloat32;  // that the nodes see
  // The quantized type at the API of a tensor that is FLOAT32 inside the graph and holds only real
  // values of stored values. Tensors of that type at the graph's edges have it, too.
  std::optional<QuantizedType> quantized;
  std::shared_ptr<const void> data;  // constants: row-major elements of `data_type()`
  // Of constants whose elements are of another type than the nodes see: FLOAT32 after DEQUANTIZE,
  // and constants beside quantized tensors, are read as they are stored.
  TfLiteType stored = kTfLiteNoType;
  // The real values that integers stand for; those by block are of constants alone.
  std::variant<std::monostate, std::shared_ptr<const AffineQuantization>, RowBlocks> quantization;
  bool variable = false;  // keeps its elements from run to run, whoever writes them
  int alias_of = -1;      // shares the memory of this tensor (same elements, another shape)
  // Lies inside the memory of this tensor, behind `inside_at` elements of it.
  TensorId inside = -1;
  int64_t inside_at = 0;
  // Of INT64 once it is split (legalize/split_int64.cc): this tensor has the low half and `high` is
  // that of the high half, or it has the high half and `low` is the other.
  TensorId high = -1, low = -1;

  Box box() const { return BoxOf(dims); }
  // Returns the number type that kernels see.
  Number number() const {
    const TypeRow* row = FindType(type);
    return row == nullptr ? Number::kReal : row->number;
  }
  bool is_constant() const { return data != nullptr; }
  bool owns_data() const { return data.use_count() != 0; }
  // Null where there is none of this kind.
  const AffineQuantization* affine() const {
    const auto* q = std::get_if<std::shared_ptr<const AffineQuantization>>(&quantization);
    return q == nullptr ? nullptr : q->get();
  }
  const RowBlocks* blocks() const { return std::get_if<RowBlocks>(&quantization); }
  void SetQuantization(AffineQuantization q) {
    quantization = std::make_shared<const AffineQuantization>(std::move(q));
  }
  // A runtime tensor whose elements have a scale each along an axis: to the graph they are plain
  // numbers, and `quantization` says what those stand for.
  bool HasScalesAlongAxis() const {
    return !is_constant() && quantized && affine() != nullptr && affine()->scales.size() > 1;
  }
  TfLiteType data_type() const { return stored == kTfLiteNoType ? type : stored; }
};

// Zeros on either side of an axis.
struct Padding {
  int before = 0, after = 0;
};

// Operations that no model has: rewrites of the graph add them.
enum class InternalOp {
  kNone,
  // Rounds real values to those of stored values, as the CPU does. Operand 1, if there is one, is a
  // constant [1] or [channels] of rounding thresholds.
  kFakeQuantize,
  kPackElements,    // real values become elements of 8 or 16 bits in memory
  kUnpackElements,  // and back
  kReinterpret,     // elements stay and stand for other real values
  kSignExtend,      // high halves of INT64 from low ones
  kCopy,
};

// Of Node::join: a graph that gives its second input as it is.
inline constexpr int kSecondInput = -2;

struct Node {
  int index = -1;         // in the model, for messages
  int builtin_code = -1;  // kTfLiteBuiltin*, kTfLiteBuiltinCustom with op set for custom operations
  InternalOp internal = InternalOp::kNone;  // else there is no builtin code
  std::string op;  // "CONV_2D", or the custom name; of internal ones a name for messages
  int version = 1;
  const void* params = nullptr;  // TfLite*Params of the operation, or custom option bytes
  int params_size = 0;           // of custom option bytes
  std::vector<TensorId> inputs;  // -1: omitted optional operand
  std::vector<TensorId> outputs;
  std::vector<TensorId> intermediates;  // of which only the quantization counts
  // How two numbers become one, of an operation with a graph for that (OpTraits::joining_graph):
  // the builtin code of its only operation, or kSecondInput. -1: it has another form.
  int join = -1;
  int int64_half = 0;            // of INT64 outputs: 0 low, 1 high; inputs are low
  std::vector<Padding> padding;  // zeros that input 0 is read with, by axis; empty: none
  // Other shapes that inputs of as many elements are taken for, by input; empty: their own.
  std::vector<std::vector<int>> viewed_as;
  std::vector<bool> in_place;  // inputs that lie inside output 0, by input; empty: none
  // Of an operation on one quantized operand: the numbers of its results for all elements, from the
  // lowest one on, a constant.
  TensorId results = -1;
  // Of what makes elements itself: how output 0 is quantized before the epilogue.
  std::optional<QuantizedType> made;
  Epilogue epilogue;               // fused ops after this node; operands are graph tensors
  std::vector<std::string> fused;  // labels of the nodes that went into this one
  int merged = -1;                 // Node::index of the last one whose ops the epilogue has
  // Where its quantized results come from (OpTraits::elements); null: it has no traits.
  std::shared_ptr<const ElementRule> rule;
  // Set by a pass: its results are stored values, before the epilogue.
  std::shared_ptr<const Requantization> requantization;

  template <typename Params>
  const Params& Get() const {
    return *static_cast<const Params*>(params);
  }
  // The rule of this kind; null where the node has another one.
  template <typename Rule>
  const Rule* RuleOf() const {
    return rule == nullptr ? nullptr : std::get_if<Rule>(rule.get());
  }
  bool ReadsElements(int input) const {
    return requantization != nullptr &&
           std::count(requantization->elements.begin(), requantization->elements.end(), input) != 0;
  }
  const std::vector<int>* ViewOf(size_t input) const {
    return input < viewed_as.size() && !viewed_as[input].empty() ? &viewed_as[input] : nullptr;
  }
  bool IsInPlace(size_t input) const { return input < in_place.size() && in_place[input]; }
  Padding PaddingOf(size_t axis) const { return axis < padding.size() ? padding[axis] : Padding{}; }
};

// A graph that a node of another one runs. The ids are its own.
struct CalledGraph {
  std::vector<GraphTensor> tensors;
  std::vector<Node> nodes;  // in execution order, but for those that only make constants
  std::vector<TensorId> inputs, outputs;

  // Position among the inputs, or -1.
  int InputNumber(TensorId tensor) const;
};
// By number in the model; an error says why a graph cannot be part of another.
using CalledGraphs = std::map<int, absl::StatusOr<CalledGraph>>;

struct Graph {
  std::vector<GraphTensor> tensors;
  std::vector<Node> nodes;       // in execution order
  std::vector<TensorId> inputs;  // runtime inputs, no constants
  std::vector<TensorId> outputs;
  std::vector<std::string> views;  // labels of the nodes whose output is their inputs' memory
  std::shared_ptr<const CalledGraphs> called;  // by its loops; null where it has none

  // The tensor of the low half of INT64 stands for both.
  bool IsInput(TensorId id) const;
  bool IsOutput(TensorId id) const;
  // Everything that the node makes is known before the run.
  bool IsConstant(const Node& node) const;
  // Node that writes a tensor, as a position in `nodes`; -1 for inputs and constants.
  int Producer(TensorId id) const;
  // The tensor of a half of INT64 operand i, which is there; of other types that operand.
  TensorId Int64HalfOf(const Node& node, size_t i, int half) const {
    const TensorId id = node.inputs[i];
    return half == 1 && tensors[id].high >= 0 ? tensors[id].high : id;
  }
  // How output 0 of the node is quantized before its epilogue.
  const std::optional<QuantizedType>& MadeBy(const Node& node) const {
    return node.made || node.outputs.empty() || node.outputs[0] < 0
               ? node.made
               : tensors[node.outputs[0]].quantized;
  }
  // Positions of the nodes that may read a tensor, epilogue operands included, each once. Of INT64
  // operands any node may read both words.
  std::vector<int> Consumers(TensorId id) const;
  // The tensor whose memory `id` lives in.
  TensorId Root(TensorId id) const;
  // The tensor that lies inside no other and that `id` lies inside of, or its root.
  TensorId Whole(TensorId id) const;
  // Row-major, as inputs and outputs of the graph are and what lies inside of them.
  bool LiesInRows(TensorId id) const;

 private:
  TensorId LowHalf(TensorId id) const;
};

// «CONV_2D #17»
std::string Label(const Node& node);

}  // namespace tern::gpu

#endif  // TERN_GPU_GRAPH_GRAPH_H_
