// SPDX-License-Identifier: Apache-2.0
// First the end of the graph is cut off, then what leads to each tensor.
#include "ops/testing/shrink.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::testing {
namespace {

// Drops operations and inputs that no output needs. False: nothing is left.
bool Prune(tflite::SubGraphT& graph) {
  std::set<int32_t> needed(graph.outputs.begin(), graph.outputs.end());
  for (size_t i = graph.operators.size(); i-- > 0;) {
    const tflite::OperatorT& op = *graph.operators[i];
    const bool used = std::any_of(op.outputs.begin(), op.outputs.end(),
                                  [&](int32_t t) { return needed.count(t) != 0; });
    if (used) {
      needed.insert(op.inputs.begin(), op.inputs.end());
    } else {
      graph.operators.erase(graph.operators.begin() + static_cast<long>(i));
    }
  }
  std::erase_if(graph.inputs, [&](int32_t t) { return needed.count(t) == 0; });
  return !graph.operators.empty() && !graph.inputs.empty();
}

// The graph that ends with operation `last`.
std::optional<ModelCase> EndAt(const ModelCase& c, size_t last) {
  const auto model = ReadModel(c.bytes);
  tflite::SubGraphT& graph = *model->subgraphs[0];
  graph.outputs = graph.operators[last]->outputs;
  graph.operators.resize(last + 1);
  if (!Prune(graph)) return std::nullopt;
  return MakeModelCase(c.name, *model);
}

// An input has random numbers, and the taps of windows must be none.
bool IsReadAsTaps(const tflite::ModelT& model, int32_t tensor) {
  const auto& ops = model.subgraphs[0]->operators;
  return std::any_of(ops.begin(), ops.end(), [&](const auto& op) {
    return model.operator_codes[op->opcode_index]->custom_code == "MaxUnpooling2D" &&
           op->inputs[1] == tensor;
  });
}

// Whether a case can give numbers to the tensor.
bool TakesNumbers(const tflite::TensorT& tensor) {
  return tensor.type == tflite::TensorType_FLOAT32 || tensor.type == tflite::TensorType_INT8 ||
         tensor.type == tflite::TensorType_UINT8 || tensor.type == tflite::TensorType_INT16;
}

// The graph in which the results of an operation are inputs.
std::optional<ModelCase> StartAfter(const ModelCase& c, size_t op) {
  const auto model = ReadModel(c.bytes);
  tflite::SubGraphT& graph = *model->subgraphs[0];
  for (const int32_t t : graph.operators[op]->outputs) {
    if (!TakesNumbers(*graph.tensors[t])) return std::nullopt;
    if (IsReadAsTaps(*model, t)) return std::nullopt;
    if (std::count(graph.outputs.begin(), graph.outputs.end(), t) != 0) return std::nullopt;
    graph.inputs.push_back(t);
  }
  graph.operators.erase(graph.operators.begin() + static_cast<long>(op));
  if (!Prune(graph)) return std::nullopt;
  return MakeModelCase(c.name, *model);
}

size_t Operations(const ModelCase& c) { return ReadModel(c.bytes)->subgraphs[0]->operators.size(); }

}  // namespace

ModelCase Shrink(const ModelCase& c, const std::function<bool(const ModelCase&)>& fails) {
  ModelCase small = c;
  for (size_t last = 0, count = Operations(c); last < count; ++last) {
    const std::optional<ModelCase> part = EndAt(c, last);
    if (!part || !fails(*part)) continue;
    small = *part;
    break;
  }
  for (size_t op = 0; op < Operations(small);) {
    const std::optional<ModelCase> part = StartAfter(small, op);
    if (part && fails(*part)) {
      small = *part;
      op = 0;
    } else {
      ++op;
    }
  }
  return small;
}

}  // namespace tern::testing
