// SPDX-License-Identifier: Apache-2.0
//
// A subgraph as the memory planner and the partitioner see it.
#ifndef TERN_RUNTIME_SUBGRAPH_INFO_H_
#define TERN_RUNTIME_SUBGRAPH_INFO_H_

#include <vector>

#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/graph_info.h"

namespace tern {

class SubgraphInfo : public tflite::GraphInfo {
 public:
  // Not owned.
  explicit SubgraphInfo(tflite::Subgraph* subgraph) : subgraph_(subgraph) {}

  size_t num_tensors() const override { return subgraph_->tensors_size(); }
  TfLiteTensor* tensor(size_t index) override { return &tensors()[index]; }
  TfLiteTensor* tensors() override { return subgraph_->tensors(); }
  size_t num_execution_nodes() const override { return subgraph_->execution_plan().size(); }
  size_t num_total_nodes() const override { return subgraph_->nodes_size(); }
  const TfLiteNode& node(size_t index) const override { return Pair(index).first; }
  const TfLiteRegistration& registration(size_t index) const override { return Pair(index).second; }
  size_t node_index(size_t index) const override { return subgraph_->execution_plan()[index]; }
  const std::vector<int>& inputs() const override { return subgraph_->inputs(); }
  const std::vector<int>& outputs() const override { return subgraph_->outputs(); }
  const std::vector<int>& variables() const override { return subgraph_->variables(); }

 private:
  const tflite::Subgraph::NodeAndRegistration& Pair(size_t index) const {
    return subgraph_->nodes_and_registration()[node_index(index)];
  }

  tflite::Subgraph* subgraph_;
};

}  // namespace tern

#endif  // TERN_RUNTIME_SUBGRAPH_INFO_H_
