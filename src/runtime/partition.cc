// SPDX-License-Identifier: Apache-2.0
//
// Splits an execution plan into delegated and other runs of nodes. The scheduler keeps, for every
// node not yet run, whether its tensors are there; a subset collects ready nodes of one kind.
// Around a tensor that has a value when it is written, nodes keep the order of the plan.
#include <algorithm>
#include <unordered_map>
#include <vector>

#include "tensorflow/lite/graph_info.h"

namespace tflite {
namespace {

constexpr int kNotReady = -2;     // produced by a node that has not been scheduled yet
constexpr int kAlwaysThere = -1;  // constant, graph input or never produced

class Partitioner {
 public:
  Partitioner(const GraphInfo* info, bool greedily, bool one_node_each)
      : info_(info),
        greedily_(greedily),
        one_node_each_(one_node_each),
        taken_(info->num_execution_nodes(), false),
        predecessors_(info->num_execution_nodes(), 0),
        successors_(info->num_execution_nodes()),
        subset_of_(info->num_execution_nodes(), -1),
        position_of_(info->num_total_nodes(), -1),
        producer_(info->num_tensors(), kAlwaysThere),
        overwritten_(info->num_tensors(), false) {
    FindOverwritten();
    for (size_t i = 0; i < info_->num_execution_nodes(); ++i) {
      const size_t id = info_->node_index(i);
      if (id < position_of_.size()) position_of_[id] = static_cast<int>(i);
      ForEach(info_->node(i).outputs, [&](int tensor) {
        if (!overwritten_[tensor]) producer_[tensor] = kNotReady;
      });
    }
    KeepOrderAroundWrites();
  }

  TfLiteStatus MarkTaken(const TfLiteIntArray& node_ids) {
    for (int i = 0; i < node_ids.size; ++i) {
      const int id = node_ids.data[i];
      if (id < 0 || id >= static_cast<int>(position_of_.size())) return kTfLiteError;
      if (position_of_[id] >= 0) taken_[position_of_[id]] = true;
    }
    return kTfLiteOk;
  }

  // Error for an edge of a node to itself, or of one that does not exist.
  TfLiteStatus AddEdge(int before_id, int after_id) {
    const int total = static_cast<int>(position_of_.size());
    if (before_id < 0 || after_id < 0 || before_id >= total || after_id >= total ||
        before_id == after_id) {
      return kTfLiteError;
    }
    KeepOrder(position_of_[before_id], position_of_[after_id]);
    return kTfLiteOk;
  }

  void ChainSideEffects() {
    int last = -1;
    for (int i = 0; i < static_cast<int>(info_->num_execution_nodes()); ++i) {
      if (!info_->node(i).might_have_side_effect) continue;
      KeepOrder(last, i);
      last = i;
    }
  }

  TfLiteStatus Run(std::vector<NodeSubset>* subsets) {
    std::vector<int> waiting(info_->num_execution_nodes());
    for (size_t i = 0; i < waiting.size(); ++i) waiting[i] = static_cast<int>(i);
    std::vector<int> members;  // plan positions of the current subset
    std::vector<std::vector<int>> all_members;
    while (!waiting.empty()) {
      NodeSubset subset;
      members.clear();
      CollectSubset(&waiting, &subset, &members);
      if (members.empty()) return kTfLiteError;  // a cycle
      all_members.push_back(members);
      subsets->push_back(std::move(subset));
    }
    FillBoundaries(all_members, subsets);
    FillOverwritten(subsets);
    for (NodeSubset& subset : *subsets) {
      SortUnique(&subset.input_tensors);
      SortUnique(&subset.output_tensors);
    }
    return kTfLiteOk;
  }

 private:
  // Of one overwritten tensor, at a place in the plan.
  struct Accesses {
    int writer = -1;           // the last before this place
    std::vector<int> readers;  // since then
  };

  void KeepOrder(int before, int after) {
    if (before < 0 || after < 0 || before == after) return;
    successors_[before].push_back(after);
    ++predecessors_[after];
  }

  void FindOverwritten() {
    std::vector<bool> has_value(overwritten_.size(), false);
    for (int tensor : info_->inputs()) {
      if (tensor >= 0 && tensor < static_cast<int>(has_value.size())) has_value[tensor] = true;
    }
    for (size_t i = 0; i < info_->num_execution_nodes(); ++i) {
      ForEach(info_->node(i).outputs, [&](int tensor) {
        // GraphInfo has no tensors for readers.
        const TfLiteTensor* written = const_cast<GraphInfo*>(info_)->tensor(tensor);
        if (has_value[tensor] || written->is_variable) overwritten_[tensor] = true;
        has_value[tensor] = true;
      });
    }
  }

  // visit_read(position, tensor, accesses) and visit_write(...) in the order of the plan, before
  // the access counts.
  template <typename Read, typename Write>
  void WalkOverwritten(Read visit_read, Write visit_write) const {
    std::unordered_map<int, Accesses> accesses;
    for (size_t i = 0; i < info_->num_execution_nodes(); ++i) {
      const int position = static_cast<int>(i);
      ForEach(info_->node(i).inputs, [&](int tensor) {
        if (!overwritten_[tensor]) return;
        visit_read(position, tensor, accesses[tensor]);
        accesses[tensor].readers.push_back(position);
      });
      ForEach(info_->node(i).outputs, [&](int tensor) {
        if (!overwritten_[tensor]) return;
        visit_write(position, tensor, accesses[tensor]);
        accesses[tensor] = {position, {}};
      });
    }
  }

  void KeepOrderAroundWrites() {
    WalkOverwritten(
        [this](int position, int, const Accesses& before) { KeepOrder(before.writer, position); },
        [this](int position, int, const Accesses& before) {
          KeepOrder(before.writer, position);
          for (int reader : before.readers) KeepOrder(reader, position);
        });
  }

  template <typename Visit>
  void ForEach(const TfLiteIntArray* tensors, Visit visit) const {
    if (tensors == nullptr) return;
    const int count = static_cast<int>(info_->num_tensors());
    for (int i = 0; i < tensors->size; ++i) {
      const int tensor = tensors->data[i];
      if (tensor >= 0 && tensor < count) visit(tensor);
    }
  }

  bool IsReady(int position) const {
    if (predecessors_[position] > 0) return false;
    bool ready = true;
    ForEach(info_->node(position).inputs,
            [&](int tensor) { ready = ready && producer_[tensor] != kNotReady; });
    return ready;
  }

  void Schedule(int position, int subset_index) {
    subset_of_[position] = subset_index;
    ForEach(info_->node(position).outputs, [&](int tensor) {
      if (!overwritten_[tensor]) producer_[tensor] = subset_index;
    });
    for (int next : successors_[position]) --predecessors_[next];
  }

  // Moves nodes from `waiting` into `subset` until none can join any more.
  void CollectSubset(std::vector<int>* waiting, NodeSubset* subset, std::vector<int>* members) {
    const int subset_index = subset_count_++;
    bool added = true;
    bool closed = false;
    while (added && !closed) {
      added = false;
      size_t kept = 0;
      for (size_t i = 0; i < waiting->size(); ++i) {
        const int position = (*waiting)[i];
        if (!closed && Joins(position, *subset)) {
          subset->type = taken_[position] ? NodeSubset::kTfPartition : NodeSubset::kTfNonPartition;
          subset->nodes.push_back(static_cast<int>(info_->node_index(position)));
          members->push_back(position);
          Schedule(position, subset_index);
          added = true;
          closed = one_node_each_;
          continue;
        }
        // Keeping the order of the plan means that nothing may overtake this node, unless the
        // subset has not started yet and the node is just not ready.
        if (!greedily_ && !members->empty()) closed = true;
        (*waiting)[kept++] = position;
      }
      waiting->resize(kept);
    }
  }

  bool Joins(int position, const NodeSubset& subset) const {
    if (!IsReady(position)) return false;
    if (subset.type == NodeSubset::kTfUnexplored) return true;
    return taken_[position] == (subset.type == NodeSubset::kTfPartition);
  }

  void FillBoundaries(const std::vector<std::vector<int>>& members,
                      std::vector<NodeSubset>* subsets) const {
    for (size_t s = 0; s < subsets->size(); ++s) {
      for (int position : members[s]) {
        ForEach(info_->node(position).inputs, [&](int tensor) {
          if (overwritten_[tensor]) return;
          const int producer = producer_[tensor];
          if (producer == static_cast<int>(s)) return;
          (*subsets)[s].input_tensors.push_back(tensor);
          if (producer >= 0) (*subsets)[producer].output_tensors.push_back(tensor);
        });
      }
    }
    for (int tensor : info_->outputs()) {
      if (tensor < 0 || tensor >= static_cast<int>(producer_.size())) continue;
      if (producer_[tensor] >= 0) (*subsets)[producer_[tensor]].output_tensors.push_back(tensor);
    }
  }

  // A subset reads what another wrote last; what it writes is there for whoever reads it later, in
  // this run or the next.
  void FillOverwritten(std::vector<NodeSubset>* subsets) const {
    WalkOverwritten(
        [&](int position, int tensor, const Accesses& before) {
          const int subset = subset_of_[position];
          if (before.writer >= 0 && subset_of_[before.writer] == subset) return;
          (*subsets)[subset].input_tensors.push_back(tensor);
        },
        [&](int position, int tensor, const Accesses&) {
          (*subsets)[subset_of_[position]].output_tensors.push_back(tensor);
        });
  }

  static void SortUnique(std::vector<int>* values) {
    std::sort(values->begin(), values->end());
    values->erase(std::unique(values->begin(), values->end()), values->end());
  }

  const GraphInfo* info_;
  const bool greedily_;
  const bool one_node_each_;
  int subset_count_ = 0;
  // By position in the execution plan.
  std::vector<bool> taken_;
  std::vector<int> predecessors_;  // control edges only, not yet run
  std::vector<std::vector<int>> successors_;
  std::vector<int> subset_of_;
  std::vector<int> position_of_;   // by node id
  std::vector<int> producer_;      // by tensor: index of the producing subset, or one of the marks
  std::vector<bool> overwritten_;  // by tensor: written when it has a value already
};

}  // namespace

TfLiteStatus PartitionGraphIntoIndependentNodeSubsets(const GraphInfo* info,
                                                      const TfLiteIntArray* nodes_to_partition,
                                                      std::vector<NodeSubset>* node_subsets,
                                                      bool greedily,
                                                      const ControlEdges* control_edges,
                                                      bool disable_node_fusion) {
  if (info == nullptr || nodes_to_partition == nullptr || node_subsets == nullptr) {
    return kTfLiteError;
  }
  node_subsets->clear();
  Partitioner partitioner(info, greedily, disable_node_fusion);
  const TfLiteStatus status = partitioner.MarkTaken(*nodes_to_partition);
  if (status != kTfLiteOk) return status;
  if (control_edges != nullptr) {
    for (const ControlEdge& edge : *control_edges) {
      if (partitioner.AddEdge(edge.first, edge.second) != kTfLiteOk) return kTfLiteError;
    }
  } else if (greedily) {
    partitioner.ChainSideEffects();
  }
  return partitioner.Run(node_subsets);
}

}  // namespace tflite
