// SPDX-License-Identifier: Apache-2.0
// Products are counted by how an operation's weights lie; everything else by its elements.
#include "gpu/partition/node_cost.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "abi/op_table.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tern::gpu {
namespace {

constexpr int64_t kMost = int64_t{1} << 62;

int64_t Times(int64_t a, int64_t b) {
  if (a <= 0 || b <= 0) return 0;
  return a > kMost / b ? kMost : a * b;
}

int64_t Plus(int64_t a, int64_t b) { return a > kMost - b ? kMost : a + b; }

int64_t ElementsOf(const GraphTensor& tensor) {
  int64_t count = 1;
  for (const int d : tensor.dims) count = Times(count, d);
  return count;
}

// The operands of one node.
class Operands {
 public:
  Operands(const Graph& graph, const Node& node) : graph_(graph), node_(node) {}

  const GraphTensor* Input(size_t i) const { return At(node_.inputs, i); }
  int64_t InputElements(size_t i) const { return Elements(Input(i)); }
  int64_t OutputElements() const {
    int64_t sum = 0;
    for (size_t i = 0; i < node_.outputs.size(); ++i) {
      sum = Plus(sum, Elements(At(node_.outputs, i)));
    }
    return sum;
  }
  int64_t Bytes() const {
    int64_t sum = 0;
    for (const auto* ids : {&node_.inputs, &node_.outputs}) {
      for (size_t i = 0; i < ids->size(); ++i) {
        if (const GraphTensor* tensor = At(*ids, i)) sum = Plus(sum, TensorBytes(*tensor));
      }
    }
    return sum;
  }
  // Elements of an input for each of its places along an axis, counted from the end when negative.
  int64_t ElementsPer(size_t i, int axis) const {
    const GraphTensor* const tensor = Input(i);
    if (tensor == nullptr) return 0;
    const int rank = static_cast<int>(tensor->dims.size());
    const int place = axis < 0 ? axis + rank : axis;
    if (place < 0 || place >= rank || tensor->dims[place] <= 0) return 0;
    return ElementsOf(*tensor) / tensor->dims[place];
  }

 private:
  const GraphTensor* At(const std::vector<TensorId>& ids, size_t i) const {
    if (i >= ids.size() || ids[i] < 0) return nullptr;
    const auto id = static_cast<size_t>(ids[i]);
    return id < graph_.tensors.size() ? &graph_.tensors[id] : nullptr;
  }
  static int64_t Elements(const GraphTensor* tensor) {
    return tensor == nullptr ? 0 : ElementsOf(*tensor);
  }

  const Graph& graph_;
  const Node& node_;
};

// Reductions read more than they write.
int64_t Elements(const Operands& of, const Node&) {
  return std::max(of.InputElements(0), of.OutputElements());
}

// Each element of an output is a sum over the filter [out, ...] of its channel.
int64_t FilterFirst(const Operands& of, const Node&) {
  return Times(of.OutputElements(), of.ElementsPer(1, 0));
}

// Multiply-adds over a filter [..., out].
int64_t FilterLast(const Operands& of, const Node&) {
  return Times(of.OutputElements(), of.ElementsPer(1, -1));
}

// Each element of the input goes into the sums that the filter [..., in] of its channel reaches.
int64_t Transposed(const Operands& of, const Node&) {
  return Times(of.InputElements(2), of.ElementsPer(1, -1));
}

// Each element of an output is a sum over the left operand's inner axis.
int64_t MatrixProduct(const Operands& of, const Node& node) {
  const bool swapped = node.params != nullptr && node.Get<TfLiteBatchMatMulParams>().adj_x;
  const GraphTensor* const left = of.Input(0);
  if (left == nullptr || left->dims.size() < 2) return of.OutputElements();
  const size_t inner = left->dims.size() - (swapped ? 2 : 1);
  return Times(of.OutputElements(), left->dims[inner]);
}

// Each row of the input meets each matrix of weights once.
int64_t Recurrent(const Operands& of, const Node& node) {
  int64_t weights = 0;
  for (size_t i = 1; i < node.inputs.size(); ++i) {
    const GraphTensor* const tensor = of.Input(i);
    if (tensor == nullptr || !tensor->is_constant() || tensor->dims.size() < 2) continue;
    weights = Plus(weights, ElementsOf(*tensor));
  }
  return Times(of.ElementsPer(0, -1), weights);
}

int64_t Pool(const Operands& of, const Node& node) {
  if (node.params == nullptr) return of.OutputElements();
  const auto& params = node.Get<TfLitePoolParams>();
  return Times(of.OutputElements(), Times(params.filter_width, params.filter_height));
}

// The rule of each code.
struct Rules {
  constexpr Rules() {
#define OP(NAME, Name, first, last, folder, Options, Params, cost, effect) \
  of[kTfLiteBuiltin##Name] = cost;
#include "abi/op_table.inc"
  }
  using Rule = int64_t (*)(const Operands& of, const Node& node);
  Rule of[kBuiltinCodes] = {};
};

int64_t MultiplyAdds(const Operands& of, const Node& node) {
  static constexpr Rules rules;
  const auto code = static_cast<size_t>(node.builtin_code);
  const Rules::Rule rule = code < std::size(rules.of) ? rules.of[code] : nullptr;
  return rule == nullptr ? Elements(of, node) : rule(of, node);
}

}  // namespace

int64_t TensorBytes(const GraphTensor& tensor) {
  TfLiteType type = tensor.data_type();
  if (!tensor.is_constant() && tensor.quantized) type = tensor.quantized->type;
  const int bits = tflite::TfLiteTypeGetSizeBits(type);
  if (bits <= 0) return 0;  // strings and resources
  const int64_t elements = ElementsOf(tensor);
  const int per_byte = std::max(1, 8 / bits);
  return Times(elements / per_byte + (elements % per_byte != 0 ? 1 : 0), std::max(1, bits / 8));
}

NodeCost EstimateCost(const Graph& graph, const Node& node) {
  const Operands of(graph, node);
  return {MultiplyAdds(of, node), of.Bytes()};
}

}  // namespace tern::gpu
