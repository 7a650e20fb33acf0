// SPDX-License-Identifier: Apache-2.0
// Another graph of the model, as an operator runs it: arguments in, results out.
#ifndef TERN_OPS_CONTROL_GRAPH_CALL_H_
#define TERN_OPS_CONTROL_GRAPH_CALL_H_

#include <functional>
#include <string>
#include <vector>

#include "ops/cpu_kit/op_kit.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tern {

// Values of `from` in `to`, which has the same type and, where it is not dynamic, the same shape.
Status CopyTensor(const OpCall& call, const TfLiteTensor* from, TfLiteTensor* to);

// Inputs or outputs of an operator from `first` on as the arguments of a graph.
using Arguments = std::function<const TfLiteTensor*(int)>;
inline Arguments InputsFrom(const OpCall& call, int first) {
  return [&call, first](int i) { return call.input(first + i); };
}

class GraphCall {
 public:
  // Finds graph `index` of the interpreter, which must have so many inputs and outputs. `name` is
  // how texts call it, e.g. "body".
  Status Find(const OpCall& call, int index, const char* name, int inputs, int outputs);

  // Gives the graph's inputs the shapes of the arguments and prepares it, which only happens where
  // they are not what they were. Types must be equal.
  Status Prepare(const Arguments& arguments);
  // Prepares where that is needed, copies the arguments and runs the graph. Results can then be
  // read.
  Status Run(const OpCall& call, const Arguments& arguments);

  int results() const { return static_cast<int>(graph_->outputs().size()); }
  const TfLiteTensor* result(int i) const { return graph_->tensor(graph_->outputs()[i]); }
  // Whether the shape of a result follows from the run only.
  bool HasUnknownResults() const;

  // Of what the graph holds between runs.
  void ReleaseMemory() { graph_->ReleaseMemory(); }

 private:
  std::string Text() const;

  tflite::Subgraph* graph_ = nullptr;
  const char* name_ = "";
  std::vector<bool> used_;  // by input: something reads it
};

// Of an operator whose outputs are the results of one of these graphs: outputs get the shapes of
// the results or, where these are not known or differ between the graphs, become dynamic.
Status SetOutputsTo(const OpCall& call, const std::vector<const GraphCall*>& graphs);
// The operator's outputs become the results of a run, or other values.
Status CopyToOutputs(const OpCall& call, const Arguments& values);

}  // namespace tern

#endif  // TERN_OPS_CONTROL_GRAPH_CALL_H_
