// SPDX-License-Identifier: Apache-2.0
// Parts of a model as models of their own.
#ifndef TERN_TOOLS_CLI_MODEL_CUT_H_
#define TERN_TOOLS_CLI_MODEL_CUT_H_

#include <functional>
#include <string>
#include <vector>

#include "cli/inputs/tensor_bytes.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::cli {

// A model with some nodes of another one's primary subgraph.
struct Cut {
  Bytes model;
  // The tensors of the other one that are its inputs and outputs, in its order.
  std::vector<int> inputs, outputs;
};

// The treatment of constants.
enum class Constants {
  kStored,  // they stay as they are
  kFloats,  // integer weights of an operation on floats become floats, which the CPU computes with
  kHalves,  // and all floats become such that half precision holds
};

// Cuts one model, whose bytes it does not own and which must be sound.
class Cutter {
 public:
  explicit Cutter(const Bytes& file);

  int node_count() const { return static_cast<int>(graph().operators()->size()); }
  // The name of a node's operation.
  std::string OpName(int node) const;
  std::vector<int> NodeInputs(int node) const;  // without absent ones
  std::vector<int> NodeOutputs(int node) const;
  std::vector<int> Readers(int node) const;  // of its outputs
  std::vector<int> Outputs() const;          // of the model
  const tflite::Tensor& tensor(int index) const;
  // With elements in the file.
  bool IsConstant(int tensor) const;
  // Whether the node computes from constants alone, as one does that makes floats of stored halves.
  bool IsOfConstants(int node) const { return of_constants_[static_cast<size_t>(node)]; }

  // Whether the node has floats as its first input and integer weights: the CPU makes integers of
  // the floats in each run, the GPU floats of the weights.
  bool IsDynamicRange(int node) const;

  // Cuts out the given nodes, in order, and the nodes of constants that they read. Other tensors
  // that they read and do not write become inputs, in the order of first use; variables begin at
  // zero. `shape` tells the sizes of each tensor that is neither a constant nor a variable.
  Cut Take(const std::vector<int>& nodes, const std::vector<int>& outputs,
           const std::function<std::vector<int>(int)>& shape,
           Constants constants = Constants::kStored) const;

 private:
  const tflite::SubGraph& graph() const { return *model_.subgraphs()->Get(0); }
  const tflite::Operator& op(int node) const;
  bool IsGraphInput(int tensor) const;

  const Bytes& file_;
  const tflite::Model& model_;
  std::vector<bool> of_constants_;  // by node
  std::vector<int> writer_;         // by tensor; -1: none
};

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_MODEL_CUT_H_
