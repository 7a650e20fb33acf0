// SPDX-License-Identifier: Apache-2.0
//
// A subgraph as the memory planner and the partitioner see it.
#ifndef TERN_RUNTIME_SUBGRAPH_INFO_H_
#define TERN_RUNTIME_SUBGRAPH_INFO_H_

#include <vector>

#include "runtime/graph_state.h"
#include "tensorflow/lite/graph_info.h"

namespace tern {

class SubgraphInfo : public tflite::GraphInfo {
 public:
  // `graph` is not owned.
  explicit SubgraphInfo(GraphState* graph) : graph_(graph) {}

  size_t num_tensors() const override { return graph_->tensors.size(); }
  TfLiteTensor* tensor(size_t index) override { return &tensors()[index]; }
  TfLiteTensor* tensors() override { return graph_->tensors.data(); }
  size_t num_execution_nodes() const override { return graph_->execution_plan.size(); }
  size_t num_total_nodes() const override { return graph_->nodes.size(); }
  const TfLiteNode& node(size_t index) const override { return Pair(index).first; }
  const TfLiteRegistration& registration(size_t index) const override { return Pair(index).second; }
  size_t node_index(size_t index) const override { return graph_->execution_plan[index]; }
  const std::vector<int>& inputs() const override { return graph_->inputs; }
  const std::vector<int>& outputs() const override { return graph_->outputs; }
  const std::vector<int>& variables() const override { return graph_->variables; }

 private:
  const GraphState::Node& Pair(size_t index) const { return graph_->nodes[node_index(index)]; }

  GraphState* graph_;
};

}  // namespace tern

#endif  // TERN_RUNTIME_SUBGRAPH_INFO_H_
