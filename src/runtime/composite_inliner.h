// SPDX-License-Identifier: Apache-2.0
//
// Puts nodes of decompositions in the place of composites, where options ask for that.
#ifndef TERN_RUNTIME_COMPOSITE_INLINER_H_
#define TERN_RUNTIME_COMPOSITE_INLINER_H_

#include <vector>

#include "runtime/graph_state.h"

namespace tern {

class CompositeInliner {
 public:
  explicit CompositeInliner(GraphState& graph) : graph_(graph) {}

  TfLiteStatus Inline();
  // The nodes that were inlined since the plan was saved have gone; others may take their tensors.
  void ReleaseTensors();

 private:
  TfLiteStatus Append(const std::vector<int>& nodes, std::vector<const GraphState*>* callers,
                      std::vector<int>* plan);
  // The graph whose nodes may take the place of this node, or null.
  GraphState* DecompositionOf(int node_index);
  TfLiteStatus CopyNodes(int composite, const GraphState& decomposition, std::vector<int>* copies);
  TfLiteStatus AddCopyOf(const TfLiteTensor& from, int* index);
  void ReplaceInControlEdges(int composite, const GraphState& decomposition,
                             const std::vector<int>& copies);

  GraphState& graph_;
  // Tensors that go when delegates are undone, and those that have gone.
  std::vector<int> inlined_tensors_, spare_tensors_;
};

}  // namespace tern

#endif  // TERN_RUNTIME_COMPOSITE_INLINER_H_
