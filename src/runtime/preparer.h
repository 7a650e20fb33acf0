// SPDX-License-Identifier: Apache-2.0
//
// Lets the nodes of a subgraph compute the shapes of their outputs, and gives the tensors memory.
#ifndef TERN_RUNTIME_PREPARER_H_
#define TERN_RUNTIME_PREPARER_H_

#include <memory>
#include <vector>

#include "runtime/arena_planner.h"
#include "runtime/graph_state.h"
#include "runtime/outside_memory.h"

namespace tern {

class Preparer {
 public:
  Preparer(GraphState& graph, OutsideMemory& outside) : graph_(graph), outside_(outside) {}

  // Lets all nodes prepare, without memory, up to one whose output shape depends on data.
  TfLiteStatus TryPrepare();
  // An output that made TryPrepare stop.
  int dynamic_tensor() const { return dynamic_tensor_; }
  TfLiteStatus PlanAndAllocate();
  // Does what is left to do before a run.
  TfLiteStatus Allocate();
  bool IsReady() const;

  // ---- While the graph runs. Work goes on at a node that has not been prepared.
  TfLiteStatus ContinueAt(int position) {
    return position == progress_.to_prepare ? Continue(position) : kTfLiteOk;
  }
  // Lets the nodes behind this one prepare again if shapes have changed.
  void NoteResizedOutputs(int position, const TfLiteNode& node);

  // Null before the first plan.
  ArenaPlanner* planner() const { return planner_.get(); }
  void ReleaseArena();
  TfLiteStatus ResetVariableTensors();

 private:
  // Positions in the execution plan at which work goes on.
  struct Progress {
    int to_prepare = 0;
    int to_prepare_original = 0;
  };

  TfLiteStatus PrepareFrom(int first, const std::vector<int>& plan, int* end);
  void FindFirstUses(const std::vector<int>& plan);
  TfLiteStatus PrepareNode(int position, int node_index);
  TfLiteStatus PrepareOpsAndTensors();
  TfLiteStatus Continue(int position);
  TfLiteStatus PlanAndPrepare();
  bool HasDynamicTensor(const int* indices, size_t count, int* dynamic_tensor) const;
  bool IsLargeDynamic(int tensor_index) const;
  void ChooseLargeTensors(int first, int end);
  void ReturnLargeTensors();
  void ReleaseTemporariesOfReplacedNodes();
  void ReleaseModelPages();

  GraphState& graph_;
  OutsideMemory& outside_;
  std::unique_ptr<ArenaPlanner> planner_;
  Progress progress_;
  int dynamic_tensor_ = -1;
  // By tensor: the position in this plan of the first node that writes or reads it, -1 for a value
  // from outside.
  std::vector<int> first_use_;
  const std::vector<int>* first_use_plan_ = nullptr;
  std::vector<bool> shape_unknown_;  // by node id: prepare left the output shape open
  std::vector<bool> large_tensors_;  // by tensor: taken out of the arena for its size
  bool model_pages_released_ = false;
};

}  // namespace tern

#endif  // TERN_RUNTIME_PREPARER_H_
