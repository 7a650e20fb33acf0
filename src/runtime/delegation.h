// SPDX-License-Identifier: Apache-2.0
//
// The delegates of a subgraph: applies them, takes their nodes back, and answers them meanwhile.
#ifndef TERN_RUNTIME_DELEGATION_H_
#define TERN_RUNTIME_DELEGATION_H_

#include <cstdint>
#include <vector>

#include "runtime/composite_inliner.h"
#include "runtime/graph_state.h"
#include "runtime/preparer.h"
#include "tensorflow/lite/graph_info.h"

namespace tern {

class Delegation {
 public:
  Delegation(GraphState& graph, Preparer& preparer, CompositeInliner& inliner)
      : graph_(graph), preparer_(preparer), inliner_(inliner) {}

  TfLiteStatus Add(TfLiteDelegate* delegate);
  // Back to the plan before delegation; delegates stay known and return with the next allocation.
  TfLiteStatus UndoAll();
  TfLiteStatus RedoAll();
  // Undoes for good; memory is planned again and the graph can be invoked.
  TfLiteStatus RemoveAll();
  bool HasDelegates() const { return !graph_.delegates_applied.empty(); }
  bool IsFullyDelegated() const;
  // Frees what delegates gave, after the nodes have gone.
  void FreeAll();

  // ---- The context is open to a delegate between these.
  void OpenContext();
  bool IsOpen() const { return context_depth_ > 0; }
  void CloseContext();
  // The context's functions for delegates.
  TfLiteStatus GetExecutionPlan(TfLiteIntArray** plan);
  TfLiteStatus GetNodeAndRegistration(int node_index, TfLiteNode** node,
                                      TfLiteRegistration** registration);
  TfLiteStatus ReplaceNodeSubsets(TfLiteRegistration registration,
                                  const TfLiteIntArray* nodes_to_replace, TfLiteDelegate* delegate);
  TfLiteStatus PreviewPartitioning(const TfLiteIntArray* nodes_to_replace,
                                   TfLiteDelegateParams** partitions, int* num_partitions);

 private:
  // apply_delegate.cc
  TfLiteStatus Apply(TfLiteDelegate* delegate);
  TfLiteStatus CheckShapesAreStatic();
  TfLiteStatus Finish(int64_t flags, GraphState::Readiness before);
  TfLiteStatus DropPartial();
  TfLiteStatus RestoreAfterFailure();
  void DeleteOperators();
  void ForgetNodes(size_t first_node);
  void RestoreHalfInputs();
  // delegate_kernels.cc
  TfLiteStatus AddNode(const tflite::NodeSubset& subset, const TfLiteRegistration& registration,
                       TfLiteDelegate* delegate);
  TfLiteStatus Partition(const TfLiteIntArray* nodes_to_replace,
                         std::vector<tflite::NodeSubset>* subsets);
  tflite::ControlEdges CurrentControlEdges() const;
  void FreePreview();

  GraphState& graph_;
  Preparer& preparer_;
  CompositeInliner& inliner_;
  bool delegates_undone_ = false;
  int context_depth_ = 0;
  std::vector<TfLiteOperator*> kernel_operators_;  // of delegate kernels; owned
  std::vector<TfLiteDelegateParams> preview_;
  TfLiteIntArray* plan_array_ = nullptr;
};

}  // namespace tern

#endif  // TERN_RUNTIME_DELEGATION_H_
