// SPDX-License-Identifier: Apache-2.0
// Small GPU graphs for tests, without a model file.
#ifndef TERN_GPU_TESTING_GRAPH_BUILDER_H_
#define TERN_GPU_TESTING_GRAPH_BUILDER_H_

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/graph/graph.h"

namespace tern::gpu {

class GraphBuilder {
 public:
  // A float tensor that some node writes.
  TensorId Tensor(std::vector<int> dims) {
    GraphTensor tensor;
    tensor.name = "t" + std::to_string(graph_.tensors.size());
    tensor.dims = std::move(dims);
    graph_.tensors.push_back(std::move(tensor));
    return static_cast<TensorId>(graph_.tensors.size()) - 1;
  }

  TensorId Input(std::vector<int> dims) {
    const TensorId id = Tensor(std::move(dims));
    graph_.inputs.push_back(id);
    return id;
  }

  TensorId Constant(std::vector<int> dims, std::vector<float> values) {
    const TensorId id = Tensor(std::move(dims));
    floats_.push_back(std::move(values));
    graph_.tensors[id].data = Borrowed(floats_.back().data());
    return id;
  }

  TensorId Ints(std::vector<int> dims, std::vector<int32_t> values) {
    const TensorId id = Tensor(std::move(dims));
    ints_.push_back(std::move(values));
    graph_.tensors[id].type = kTfLiteInt32;
    graph_.tensors[id].data = Borrowed(ints_.back().data());
    return id;
  }

  // The tensor, of numbers that such elements stand for.
  TensorId Quantize(TensorId id, const QuantizedType& how) {
    graph_.tensors[id].quantized = how;
    return id;
  }

  // A node with parameters (kept alive by the builder) and one output of the given shape, which is
  // returned.
  template <typename Params>
  TensorId Op(int builtin, std::string name, std::vector<TensorId> inputs, std::vector<int> out,
              Params params) {
    Node node;
    node.index = static_cast<int>(graph_.nodes.size());
    node.builtin_code = builtin;
    node.op = std::move(name);
    auto kept = std::make_shared<Params>(params);
    node.params = kept.get();
    params_.push_back(std::move(kept));
    node.inputs = std::move(inputs);
    node.outputs = {Tensor(std::move(out))};
    graph_.nodes.push_back(std::move(node));
    return graph_.nodes.back().outputs[0];
  }

  GraphBuilder& Output(TensorId id) {
    graph_.outputs.push_back(id);
    return *this;
  }

  Graph& graph() { return graph_; }

 private:
  Graph graph_;
  std::deque<std::vector<float>> floats_;
  std::deque<std::vector<int32_t>> ints_;
  std::vector<std::shared_ptr<void>> params_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_TESTING_GRAPH_BUILDER_H_
