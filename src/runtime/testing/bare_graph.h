// SPDX-License-Identifier: Apache-2.0
//
// A graph for tests of what only looks at graphs: nodes with their tensors, without operations.
#ifndef TERN_RUNTIME_TESTING_BARE_GRAPH_H_
#define TERN_RUNTIME_TESTING_BARE_GRAPH_H_

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/graph_info.h"

namespace tern::testing {

struct BareNode {
  std::vector<int> inputs;
  std::vector<int> outputs;
  bool side_effect = false;
  bool in_place = false;  // the output may take over the first input
};

class BareGraph : public tflite::GraphInfo {
 public:
  BareGraph(size_t tensors, const std::vector<BareNode>& nodes, std::vector<int> inputs = {},
            std::vector<int> outputs = {})
      : tensors_(tensors), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {
    for (const BareNode& source : nodes) {
      TfLiteNode node = {};
      node.inputs = Array(source.inputs);
      node.outputs = Array(source.outputs);
      node.might_have_side_effect = source.side_effect;
      nodes_.push_back(node);
      registrations_.push_back({});
      if (source.in_place) registrations_.back().inplace_operator = kTfLiteInplaceOpInput0Shared;
    }
  }
  ~BareGraph() override {
    for (TfLiteNode& node : nodes_) {
      TfLiteIntArrayFree(node.inputs);
      TfLiteIntArrayFree(node.outputs);
    }
  }
  BareGraph(const BareGraph&) = delete;
  BareGraph& operator=(const BareGraph&) = delete;

  // To be freed by the caller.
  static TfLiteIntArray* Array(const std::vector<int>& values) {
    TfLiteIntArray* array = TfLiteIntArrayCreate(static_cast<int>(values.size()));
    std::copy(values.begin(), values.end(), array->data);
    return array;
  }

  size_t num_tensors() const override { return tensors_.size(); }
  TfLiteTensor* tensor(size_t index) override { return &tensors_[index]; }
  TfLiteTensor* tensors() override { return tensors_.data(); }
  size_t num_execution_nodes() const override { return nodes_.size(); }
  size_t num_total_nodes() const override { return nodes_.size(); }
  const TfLiteNode& node(size_t index) const override { return nodes_[index]; }
  const TfLiteRegistration& registration(size_t i) const override { return registrations_[i]; }
  size_t node_index(size_t index) const override { return index; }
  const std::vector<int>& inputs() const override { return inputs_; }
  const std::vector<int>& outputs() const override { return outputs_; }
  const std::vector<int>& variables() const override { return none_; }

 private:
  std::vector<TfLiteTensor> tensors_;
  std::vector<TfLiteNode> nodes_;
  const std::vector<int> inputs_, outputs_, none_;
  std::vector<TfLiteRegistration> registrations_;
};

}  // namespace tern::testing

#endif  // TERN_RUNTIME_TESTING_BARE_GRAPH_H_
