// SPDX-License-Identifier: Apache-2.0
//
// A read view of one graph, and the split of its execution plan into runs of nodes that a delegate
// takes and runs that it does not.
#ifndef TERN_TENSORFLOW_LITE_GRAPH_INFO_H_
#define TERN_TENSORFLOW_LITE_GRAPH_INFO_H_

#include <stddef.h>
#include <stdint.h>

#include <utility>
#include <vector>

#include "tensorflow/lite/core/c/common.h"

namespace tflite {

// The graph as partitioning and memory planning see it. "Execution nodes" are the entries of the
// execution plan, in run order; `node(i)` is the i-th of them.
class GraphInfo {
 public:
  virtual ~GraphInfo() = default;

  virtual size_t num_tensors() const = 0;
  virtual TfLiteTensor* tensor(size_t index) = 0;
  virtual TfLiteTensor* tensors() = 0;

  virtual size_t num_execution_nodes() const = 0;
  virtual size_t num_total_nodes() const = 0;
  virtual const TfLiteNode& node(size_t index) const = 0;
  virtual const TfLiteRegistration& registration(size_t index) const = 0;
  // Node id (index into the node array) of the i-th execution node.
  virtual size_t node_index(size_t index) const = 0;

  virtual const std::vector<int>& inputs() const = 0;
  virtual const std::vector<int>& outputs() const = 0;
  virtual const std::vector<int>& variables() const = 0;
};

// Nodes that run together, either all inside one delegate kernel or all outside.
struct NodeSubset {
  enum Type {
    kTfUnexplored = 0,
    kTfPartition,     // the delegate takes these
    kTfNonPartition,  // these stay as they are
  };
  Type type = kTfUnexplored;
  std::vector<int> nodes;           // node ids, in an order that may be executed
  std::vector<int> input_tensors;   // consumed but not produced inside; sorted, constants included
  std::vector<int> output_tensors;  // needed outside; sorted
};

// `first` must run before `second`; both are node ids.
using ControlEdge = std::pair<int32_t, int32_t>;
using ControlEdges = std::vector<ControlEdge>;

// Splits the execution plan of `info` into subsets, such that running one subset after the other is
// a valid order. `nodes_to_partition` are the ids of the nodes that a delegate takes. With
// `greedily`, ready nodes that come later in the plan are pulled forward, which makes fewer and
// larger subsets; otherwise the order of the plan is kept. `control_edges` adds orders beyond those
// that tensors give; when null and `greedily`, nodes with side effects keep their order.
// `disable_node_fusion` makes every subset one node.
// Returns kTfLiteError if an id is out of range or a node can never run.
TfLiteStatus PartitionGraphIntoIndependentNodeSubsets(const GraphInfo* info,
                                                      const TfLiteIntArray* nodes_to_partition,
                                                      std::vector<NodeSubset>* node_subsets,
                                                      bool greedily,
                                                      const ControlEdges* control_edges = nullptr,
                                                      bool disable_node_fusion = false);

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_GRAPH_INFO_H_
