// SPDX-License-Identifier: Apache-2.0
// Another graph of the model, as an operator runs it: arguments in, results out. Its inputs read
// the memory of the arguments; where that cannot be, arguments are copied.
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

  // Gives the graph's inputs the types and shapes of the arguments and prepares it, which only
  // happens where they are not what they were.
  Status Prepare(const Arguments& arguments);
  // Prepares where that is needed, hands the arguments over and runs the graph. Results can then
  // be read; those that are inputs, too, as long as the arguments keep their memory.
  Status Run(const OpCall& call, const Arguments& arguments);

  int results() const { return static_cast<int>(graph_->outputs().size()); }
  const TfLiteTensor* result(int i) const { return graph_->tensor(graph_->outputs()[i]); }
  // The input that result i is, unwritten; else -1.
  int InputOfResult(int i) const;
  // Whether the shape of a result follows from the run only.
  bool HasUnknownResults() const;

  // Leaves the event of an allocation, which programs expect of a run, where there is nothing to
  // allocate.
  void ProfileAllocation();

  // Of what the graph holds between runs.
  void ReleaseMemory() { graph_->ReleaseMemory(); }

 private:
  std::string Text() const;
  TfLiteTensor* input(int i) const { return graph_->tensor(graph_->inputs()[i]); }
  void ReadUses();
  Status PrepareInput(int i, const TfLiteTensor& argument);

  tflite::Subgraph* graph_ = nullptr;
  const char* name_ = "";
  std::vector<bool> used_;     // by input: something reads it
  std::vector<bool> written_;  // by input: a node writes it, so that it needs memory of its own
};

// Of an operator whose outputs are the results of one of these graphs: outputs get the types and
// shapes of the results or, where shapes are not known or differ between the graphs, become
// dynamic.
Status SetOutputsTo(const OpCall& call, const std::vector<const GraphCall*>& graphs);
// The operator's outputs become the results of a run, or other values.
Status CopyToOutputs(const OpCall& call, const Arguments& values);

}  // namespace tern

#endif  // TERN_OPS_CONTROL_GRAPH_CALL_H_
