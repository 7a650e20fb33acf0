// SPDX-License-Identifier: Apache-2.0
// From refusals and parts to one decision per node.
#include "delegate/explain.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/status.h"
#include "delegate/called_graph.h"
#include "gpu/partition/node_cost.h"

namespace tern::delegate {
namespace {

#define REASON(name, code, where, meaning, suggestion) \
  static_assert(static_cast<int>(Reason::k##name) == kTfLiteGpuReason##name, "one order");
#include "gpu/desc/reason_list.inc"
#undef REASON

int NumberOf(TfLiteContext* context) {
  for (int i = 0;; ++i) {
    const TfLiteContext* const graph = ContextOf(context, i);
    if (graph == nullptr) return -1;
    if (graph == context) return i;
  }
}

class Explainer {
 public:
  explicit Explainer(const Snapshot& snapshot) : snapshot_(snapshot), graph_(snapshot.graph()) {}

  Explanation Run(const std::vector<Refusal>& refused, const std::vector<const PlannedPart*>& parts,
                  const Bound& partitions) {
    std::map<int, const Refusal*> refusals;
    for (const Refusal& refusal : refused) refusals[refusal.node] = &refusal;
    std::map<int, int> part_of;
    for (size_t i = 0; i < parts.size(); ++i) {
      for (const int node : parts[i]->partition.nodes) part_of[node] = static_cast<int>(i);
    }
    Explanation result;
    for (const gpu::Node& node : graph_.nodes) {
      Decision decision = Begin(node);
      if (const auto part = part_of.find(node.index); part != part_of.end()) {
        decision.partition = part->second;
        decision.refusal_reason.reason = WhyOnGpu(node, *parts[static_cast<size_t>(part->second)]);
      } else if (const auto refusal = refusals.find(node.index); refusal != refusals.end()) {
        decision.refusal_reason = refusal->second->refusal_reason;
        decision.text = refusal->second->reason;
      } else if (graph_.IsConstant(node)) {
        decision.refusal_reason.reason = Reason::kConstantForCpu;
      } else {
        decision.refusal_reason = {Reason::kPartitionLimit, -1, partitions};
        decision.text =
            StrCat("the graph has ", partitions.value,
                   " parts for the GPU, and max_delegated_partitions is ", partitions.limit);
      }
      DescribeTensor(&decision);
      result.decisions.push_back(std::move(decision));
    }
    for (const PlannedPart* part : parts) AddCrossings(*part, &result);
    AddCrossingBytes(&result);
    return result;
  }

 private:
  Decision Begin(const gpu::Node& node) const {
    Decision decision;
    decision.index = node.index;
    decision.op = node.op;
    decision.version = node.version;
    const gpu::NodeCost cost = gpu::EstimateCost(graph_, node);
    decision.multiply_adds = cost.multiply_adds;
    decision.bytes = cost.bytes;
    return decision;
  }

  Reason WhyOnGpu(const gpu::Node& node, const PlannedPart& part) const {
    if (part.launched.count(node.index) != 0) return Reason::kOnGpu;
    if (graph_.IsConstant(node)) return Reason::kConstant;
    const bool empty = std::all_of(node.outputs.begin(), node.outputs.end(), [&](int id) {
      return id < 0 || graph_.tensors[id].box().elements() == 0;
    });
    if (empty) return Reason::kEmpty;
    return part.views.count(gpu::Label(node)) != 0 ? Reason::kView : Reason::kFused;
  }

  // As the model has it, whatever the GPU would see.
  void DescribeTensor(Decision* decision) const {
    const int id = decision->refusal_reason.tensor;
    if (id < 0 || static_cast<size_t>(id) >= graph_.tensors.size()) {
      decision->refusal_reason.tensor = -1;
      return;
    }
    const gpu::GraphTensor& tensor = graph_.tensors[id];
    decision->tensor_name = tensor.name;
    decision->tensor_type = snapshot_.context()->tensors[id].type;
    decision->tensor_shape = tensor.dims;
  }

  void AddCrossings(const PlannedPart& part, Explanation* result) const {
    const std::set<int> own(part.partition.nodes.begin(), part.partition.nodes.end());
    for (const bool to_gpu : {true, false}) {
      for (const int id : to_gpu ? part.inputs : part.outputs) {
        Crossing crossing;
        crossing.tensor = id;
        crossing.name = graph_.tensors[id].name;
        crossing.bytes = gpu::TensorBytes(graph_.tensors[id]);
        crossing.to_gpu = to_gpu;
        const int writer = snapshot_.uses().WriterOf(id);
        if (writer >= 0 && (own.count(writer) != 0) != to_gpu) crossing.writer = writer;
        const std::vector<int>& readers = snapshot_.uses().ReadersOf(id);
        std::copy_if(readers.begin(), readers.end(), std::back_inserter(crossing.readers),
                     [&](int node) { return (own.count(node) != 0) == to_gpu; });
        result->crossings.push_back(std::move(crossing));
      }
    }
  }

  static void AddCrossingBytes(Explanation* result) {
    std::map<int, Decision*> by_node;
    for (Decision& decision : result->decisions) by_node[decision.index] = &decision;
    for (const Crossing& crossing : result->crossings) {
      if (!crossing.is_cut()) continue;
      by_node[crossing.writer]->bytes_crossing += crossing.bytes;
      for (const int reader : crossing.readers) {
        by_node[reader]->bytes_crossing += crossing.bytes;
      }
    }
  }

  const Snapshot& snapshot_;
  const gpu::Graph& graph_;
};

}  // namespace

const std::vector<ReasonRow>& ReasonRows() {
  static const auto* const rows = new std::vector<ReasonRow>{
#define REASON(name, code, where, meaning, suggestion) \
  {#name, code, kTfLiteGpuDecision##where, meaning, suggestion},
#include "gpu/desc/reason_list.inc"
#undef REASON
  };
  return *rows;
}

const ReasonRow* FindRow(int reason) {
  const std::vector<ReasonRow>& rows = ReasonRows();
  return reason < 0 || static_cast<size_t>(reason) >= rows.size() ? nullptr : &rows[reason];
}

const ReasonRow& RowOf(Reason reason) { return ReasonRows()[static_cast<size_t>(reason)]; }

Explanation Explain(const Snapshot& snapshot, const std::vector<Refusal>& refused,
                    const std::vector<const PlannedPart*>& parts, const Bound& partitions) {
  Explanation explanation = Explainer(snapshot).Run(refused, parts, partitions);
  explanation.subgraph = NumberOf(snapshot.context());
  return explanation;
}

TfLiteGpuNodeDecision ToC(int subgraph, const Decision& decision) {
  const ReasonRow& row = decision.row();
  const RefusalReason& refusal_reason = decision.refusal_reason;
  TfLiteGpuNodeDecision c{};
  c.subgraph = subgraph;
  c.index = decision.index;
  c.op = decision.op.c_str();
  c.version = decision.version;
  c.decision = row.decision;
  c.reason = static_cast<TfLiteGpuReason>(refusal_reason.reason);
  c.code = row.code;
  c.text = decision.text.c_str();
  c.tensor = refusal_reason.tensor;
  c.tensor_name = decision.tensor_name.c_str();
  c.tensor_type = decision.tensor_type;
  c.tensor_shape = decision.tensor_shape.data();
  c.tensor_rank = static_cast<int>(decision.tensor_shape.size());
  c.has_limit = refusal_reason.bound ? 1 : 0;
  if (refusal_reason.bound) {
    c.value = refusal_reason.bound->value;
    c.limit = refusal_reason.bound->limit;
  }
  c.partition = decision.partition;
  c.bytes_crossing = decision.bytes_crossing;
  c.multiply_adds = decision.multiply_adds;
  c.bytes = decision.bytes;
  c.suggestion = row.suggestion;
  return c;
}

}  // namespace tern::delegate
