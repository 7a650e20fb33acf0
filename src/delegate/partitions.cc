// SPDX-License-Identifier: Apache-2.0
// Preview, compile, repeat until the runtime's cut and the compiled parts agree.
#include "delegate/partitions.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/status.h"
#include "delegate/called_graph.h"
#include "gpu/partition/cut.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::delegate {
namespace {

// How often a graph is cut again around nodes whose programs the driver does not build. Programs
// that were built are kept, so a cut costs little; a driver that fails at many of them is of no
// use.
constexpr int kMaxCuts = 8;

// Partitions for these nodes, those first that save most; among equals those with more nodes.
absl::StatusOr<std::vector<gpu::Partition>> Preview(const Snapshot& snapshot,
                                                    const std::vector<int>& nodes) {
  TfLiteContext* const context = snapshot.context();
  const tflite::IntArrayUniquePtr list = ListOf(nodes);
  if (list == nullptr) return TooLarge("no memory for a list of ", nodes.size(), " nodes");
  TfLiteDelegateParams* params = nullptr;
  int count = 0;
  if (context->PreviewDelegatePartitioning(context, list.get(), &params, &count) != kTfLiteOk) {
    return absl::InternalError("Unable to preview delegate partition.");
  }
  struct Candidate {
    gpu::Partition partition;
    int64_t gain;
  };
  std::vector<Candidate> candidates;
  candidates.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) candidates.push_back({PartitionOf(params[i]), 0});
  if (count > 1) {
    for (Candidate& c : candidates) c.gain = gpu::GainOf(snapshot.graph(), c.partition);
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) {
                     if (a.gain != b.gain) return a.gain > b.gain;
                     return a.partition.nodes.size() > b.partition.nodes.size();
                   });
  std::vector<gpu::Partition> partitions;
  partitions.reserve(candidates.size());
  for (Candidate& c : candidates) partitions.push_back(std::move(c.partition));
  return partitions;
}

// Why a node has to leave a partition, so that the others can stay on the GPU.
struct Leave {
  std::string reason;
  RefusalReason refusal_reason;
  bool failed = false;     // Refusal::failed
  bool by_device = false;  // another device might take the node
};
using LeavingNodes = std::map<int, Leave>;

// The nodes whose programs the driver does not build; none when it builds none at all, which is no
// single node's fault.
LeavingNodes WithoutPrograms(const std::vector<gpu::RejectedDispatch>& rejected,
                             size_t dispatches) {
  LeavingNodes nodes;
  if (rejected.size() == dispatches) return nodes;
  for (const gpu::RejectedDispatch& r : rejected) {
    if (r.node < 0) return {};
    nodes.emplace(r.node, Leave{r.reason, {Reason::kProgram}, /*failed=*/true, /*by_device=*/true});
  }
  return nodes;
}

// The nodes that do not lower or are beyond a limit; none where no single nodes are to blame.
LeavingNodes NodesOf(const std::vector<gpu::Misfit>& misfits, const Snapshot& snapshot) {
  LeavingNodes nodes;
  for (const gpu::Misfit& misfit : misfits) {
    if (misfit.nodes.empty()) return {};
    for (const int index : misfit.nodes) {
      const gpu::Node* node = snapshot.Find(index);
      if (node == nullptr) return {};
      nodes.emplace(index, Leave{.reason = std::string(Message(misfit.status)),
                                 .refusal_reason = ReasonOfRefusal(misfit.status, snapshot, *node),
                                 .by_device = absl::IsResourceExhausted(misfit.status)});
    }
  }
  return nodes;
}

// The graph as it was read, without conversions at its edges.
Rebind RebindOf(gpu::Graph graph, const gpu::BuildTarget& target, gpu::CompileOptions options,
                const std::vector<int>& inputs, const std::vector<int>& outputs) {
  return [graph = std::move(graph), target = gpu::Lasting(target), options = std::move(options),
          inputs, outputs](const BoundBuffers& bound) {
    gpu::Graph with = graph;
    AddFloatEdges(bound, &with);
    return gpu::BuildAgain(with, target, options, MemoryOf(bound, inputs, outputs));
  };
}

// A part as the device would run it, or why it has no plan.
struct PartPlan {
  gpu::Partition partition;
  absl::StatusOr<gpu::Compiled> compiled;
};

PartPlan PlanPart(const Snapshot& snapshot, const Target& target, const gpu::Partition& partition,
                  LeavingNodes* leaving) {
  gpu::Graph graph = gpu::GraphOf(snapshot.graph(), partition);
  AddFloatEdges(target.bound, &graph);
  std::vector<gpu::Misfit> misfits;
  PartPlan part = {partition, gpu::Compile(graph, target.opened.device->info(), *target.table,
                                           target.options, {target.phases, &misfits})};
  *leaving = NodesOf(misfits, snapshot);
  return part;
}

absl::StatusOr<CompiledPartition> BuildPart(const Snapshot& snapshot, const Target& target,
                                            const PartPlan& part, gpu::Listing* listing,
                                            LeavingNodes* leaving) {
  TERN_RETURN_IF_ERROR(part.compiled.status());
  CompiledPartition result;
  result.partition = part.partition;
  gpu::Graph graph = gpu::GraphOf(snapshot.graph(), part.partition);
  result.inputs = graph.inputs;
  std::optional<gpu::Graph> plain;
  if (target.rebinds) plain = graph;
  AddFloatEdges(target.bound, &graph);
  gpu::CompileOptions options = target.options;
  std::optional<gpu::Compiled> tuned;
  if (target.tuner != nullptr)
    tuned = gpu::CompileTuned(graph, *part.compiled, target, &options, &result.tuning.emplace());
  const gpu::Compiled& compiled = tuned ? *tuned : *part.compiled;
  if (!compiled.plan.watches.empty()) {
    std::vector<gpu::Misfit> misfits;
    const absl::Status fits = gpu::CheckInFloats(graph, target, options, &misfits);
    *leaving = NodesOf(misfits, snapshot);
    TERN_RETURN_IF_ERROR(fits);
  }
  result.storage = compiled.plan.storage;
  result.outputs = part.partition.outputs;
  result.outputs.insert(result.outputs.end(), compiled.variables.begin(), compiled.variables.end());
  if (target.list) TERN_RETURN_IF_ERROR(gpu::List(compiled.plan, *target.opened.device, listing));
  for (const gpu::Dispatch& dispatch : compiled.plan.dispatches)
    result.launched.insert(dispatch.node);
  result.views.insert(compiled.plan.views.begin(), compiled.plan.views.end());
  if (target.plan_only) return result;
  const gpu::IoMemory given = MemoryOf(target.bound, result.inputs, result.outputs);
  if (!compiled.plan.watches.empty())
    result.rebuild = gpu::RebuildOf(std::move(graph), target, options, given);
  if (plain) {
    result.rebind = RebindOf(*std::move(plain), target, options, result.inputs, result.outputs);
    result.shared = gpu::TensorsOfOthers(snapshot.graph(), part.partition);
  }
  const size_t dispatches = compiled.plan.dispatches.size();
  std::vector<gpu::RejectedDispatch> failed;
  absl::StatusOr<std::unique_ptr<gpu::Executor>> executor = gpu::MakeExecutor(
      compiled, target,
      {.given = given, .rejected = &failed, .store = target.store, .phases = target.phases});
  if (target.tuner != nullptr) target.opened.programs->DropUnused();  // those that were only tried
  *leaving = WithoutPrograms(failed, dispatches);
  if (!executor.ok()) {
    return Annotate(executor.status(), {failed.empty() ? Reason::kMemory : Reason::kProgram});
  }
  result.executor = std::move(executor).value();
  return result;
}

void Refuse(const Snapshot& snapshot, const std::vector<int>& nodes, const std::string& reason,
            const RefusalReason& refusal_reason, NodeSupport* support, bool failed = true) {
  for (const int index : nodes) {
    std::erase(support->supported, index);
    const gpu::Node* node = snapshot.Find(index);
    if (node == nullptr) continue;
    support->refused.push_back(
        {index, node->builtin_code, node->op, WithoutLabel(reason, *node), failed, refusal_reason});
  }
  std::sort(support->refused.begin(), support->refused.end(),
            [](const Refusal& a, const Refusal& b) { return a.node < b.node; });
}

void RefusePart(const Snapshot& snapshot, const gpu::Partition& partition,
                const std::string& reason, const RefusalReason& refusal_reason,
                CompiledGraph* graph) {
  graph->warnings.push_back(
      StrCat("GPU: ", partition.nodes.size(), " nodes stay on the CPU: ", reason));
  Refuse(snapshot, partition.nodes, reason, refusal_reason, &graph->support);
}

void Append(const gpu::Listing& from, gpu::Listing* to) {
  to->plans.insert(to->plans.end(), from.plans.begin(), from.plans.end());
  for (const std::string& text : from.kernels) {
    if (std::find(to->kernels.begin(), to->kernels.end(), text) == to->kernels.end()) {
      to->kernels.push_back(text);
    }
  }
}

// Takes the compiled form of a partition out of `done`, if it is there.
bool Take(std::vector<CompiledPartition>* done, const gpu::Partition& partition,
          std::vector<CompiledPartition>* to) {
  const auto found = std::find_if(done->begin(), done->end(), [&](const CompiledPartition& p) {
    return p.partition == partition;
  });
  if (found == done->end()) return false;
  to->push_back(std::move(*found));
  done->erase(found);
  return true;
}

// Cuts a graph, plans all parts, builds those that save most and refuses what fails, until cut and
// parts agree.
class Partitioning {
 public:
  Partitioning(const Snapshot& snapshot, const Target& target, CompiledGraph* graph)
      : snapshot_(snapshot), target_(target), graph_(*graph) {}

  // Ends without parts where fewer than `min_nodes` nodes are left.
  absl::Status Run(int min_nodes) {
    std::vector<int> nodes = graph_.support.supported;
    while (!nodes.empty() && static_cast<int>(graph_.support.supported.size()) >= min_nodes) {
      TERN_ASSIGN_OR_RETURN(const std::vector<gpu::Partition> partitions,
                            Preview(snapshot_, nodes));
      if (LeaveToOthers(partitions, &nodes)) continue;
      if (!PlanAll(partitions)) {
        nodes = graph_.support.supported;
        continue;
      }
      if (LeaveSmall(partitions, &nodes)) continue;
      graph_.parts_in_all = std::max(graph_.parts_in_all, static_cast<int>(partitions.size()));
      if (!BuildBest(partitions)) {
        nodes = graph_.support.supported;
        continue;
      }
      // Without the nodes that were left out the cut may differ; asking again with only the chosen
      // ones shows what the runtime will really make. Every round has fewer nodes than the last.
      std::vector<int> kept = NodesOf(graph_.parts);
      std::sort(nodes.begin(), nodes.end());
      if (kept == nodes) break;
      nodes = std::move(kept);
    }
    return absl::OkStatus();
  }

 private:
  const PartPlan* PlanOf(const gpu::Partition& partition) const {
    const auto found = std::find_if(plans_.begin(), plans_.end(), [&](const PartPlan& part) {
      return part.partition == partition;
    });
    return found == plans_.end() ? nullptr : &*found;
  }

  // Plans each part once, before parts are compared: all nodes in them must be known to have a GPU
  // form. False when nodes were refused.
  bool PlanAll(const std::vector<gpu::Partition>& partitions) {
    bool all = true;
    for (const gpu::Partition& partition : partitions) {
      if (PlanOf(partition) != nullptr) continue;
      LeavingNodes leaving;
      plans_.push_back(PlanPart(snapshot_, target_, partition, &leaving));
      RefuseNodes(leaving, plans_.back().compiled.status());
      all = all && leaving.empty();
    }
    return all;
  }

  // True when nodes were refused because their part saves less than the user asks for.
  bool LeaveSmall(const std::vector<gpu::Partition>& partitions, std::vector<int>* nodes) {
    if (!target_.least_gain_us) return false;
    bool any = false;
    for (const gpu::Partition& partition : partitions) {
      const int64_t gain = gpu::GainOf(snapshot_.graph(), partition) / 1000;
      if (gain >= *target_.least_gain_us) continue;
      Refuse(snapshot_, partition.nodes,
             StrCat("its part of the graph saves too little on the GPU (", gain,
                    " us by estimate, at least ", *target_.least_gain_us, " asked for)"),
             {Reason::kNotWorthIt, -1, Bound{gain, *target_.least_gain_us}}, &graph_.support,
             false);
      for (const int index : partition.nodes) std::erase(*nodes, index);
      any = true;
    }
    if (nodes->empty()) graph_.parts.clear();
    return any;
  }

  // True when nodes were refused because others than the chosen partitions read what they make.
  bool LeaveToOthers(const std::vector<gpu::Partition>& partitions, std::vector<int>* nodes) {
    bool any = false;
    for (size_t i = 0; i < partitions.size(); ++i) {
      if (static_cast<int>(i) == target_.max_partitions) break;
      const std::vector<int> left =
          gpu::NodesForOthers(snapshot_.graph(), snapshot_.uses(), partitions[i]);
      Refuse(snapshot_, left, "other nodes on the CPU read the result", {Reason::kConstantForCpu},
             &graph_.support, false);
      for (const int index : left) std::erase(*nodes, index);
      any = any || !left.empty();
    }
    if (nodes->empty()) graph_.parts.clear();
    return any;
  }

  // False when single nodes were refused and the graph has to be cut again.
  bool BuildBest(const std::vector<gpu::Partition>& partitions) {
    std::vector<CompiledPartition> done = std::move(graph_.parts);
    graph_.parts.clear();
    for (const gpu::Partition& partition : partitions) {
      if (static_cast<int>(graph_.parts.size()) == target_.max_partitions) break;
      if (Take(&done, partition, &graph_.parts)) continue;
      gpu::Listing listing;
      LeavingNodes leaving;
      absl::StatusOr<CompiledPartition> compiled =
          BuildPart(snapshot_, target_, *PlanOf(partition), &listing, &leaving);
      if (compiled.ok()) {
        Append(listing, &graph_.listing);
        graph_.parts.push_back(std::move(compiled).value());
        continue;
      }
      if (leaving.empty() && graph_.failure.ok()) graph_.failure = compiled.status();
      if (MayCut(leaving)) {
        RefuseNodes(leaving, compiled.status());
        std::move(done.begin(), done.end(), std::back_inserter(graph_.parts));
        return false;
      }
      Append(listing, &graph_.listing);
      const RefusalReason refusal_reason = target_.opened.device->lost()
                                               ? RefusalReason{Reason::kDeviceLost}
                                               : ReasonOfRefusal(compiled.status());
      RefusePart(snapshot_, partition, std::string(Message(compiled.status())), refusal_reason,
                 &graph_);
    }
    return true;
  }

  // Programs take long to build, limits are known at once.
  bool MayCut(const LeavingNodes& leaving) {
    if (leaving.empty()) return false;
    return !leaving.begin()->second.failed || cuts_left_-- > 0;
  }

  void RefuseNodes(const LeavingNodes& leaving, const absl::Status& status) {
    for (const auto& [node, why] : leaving) {
      if (why.by_device && graph_.failure.ok())
        graph_.failure = why.failed ? status : absl::ResourceExhaustedError(why.reason);
      if (why.failed) {
        graph_.warnings.push_back(StrCat("GPU: node #", node, " stays on the CPU: ", why.reason));
      }
      Refuse(snapshot_, {node}, why.reason, why.refusal_reason, &graph_.support, why.failed);
    }
  }

  const Snapshot& snapshot_;
  const Target& target_;
  CompiledGraph& graph_;
  std::deque<PartPlan> plans_;  // of the parts of all cuts
  int cuts_left_ = kMaxCuts;
};

// The graphs of loops and joining graphs of nodes that are replaced, but for those that other nodes
// still run.
std::set<const TfLiteContext*> UnrolledGraphs(const Snapshot& snapshot,
                                              const gpu::TraitsTable& traits,
                                              const CompiledGraph& graph) {
  const auto graphs_of = [&](int index) {
    std::set<const TfLiteContext*> graphs;
    const gpu::Node* node = snapshot.Find(index);
    if (node == nullptr) return graphs;
    for (const int one : GraphsOf(*node)) graphs.insert(ContextOf(snapshot.context(), one));
    const int joining = JoiningGraphOf(traits, *node);
    if (joining >= 0) graphs.insert(ContextOf(snapshot.context(), joining));
    graphs.erase(nullptr);
    return graphs;
  };
  std::set<const TfLiteContext*> unrolled;
  for (const int index : NodesOf(graph.parts)) {
    for (const TfLiteContext* one : graphs_of(index)) unrolled.insert(one);
  }
  for (const Refusal& refusal : graph.support.refused) {
    for (const TfLiteContext* one : graphs_of(refusal.node)) unrolled.erase(one);
  }
  return unrolled;
}

std::vector<const PlannedPart*> PartsOf(const CompiledGraph& graph) {
  std::vector<const PlannedPart*> parts;
  for (const CompiledPartition& part : graph.parts) parts.push_back(&part);
  return parts;
}

}  // namespace

std::vector<int> NodesOf(const std::vector<CompiledPartition>& parts) {
  std::vector<int> nodes;
  for (const CompiledPartition& part : parts) {
    nodes.insert(nodes.end(), part.partition.nodes.begin(), part.partition.nodes.end());
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

tflite::IntArrayUniquePtr ListOf(const std::vector<int>& nodes) {
  tflite::IntArrayUniquePtr list(TfLiteIntArrayCreate(static_cast<int>(nodes.size())));
  if (list != nullptr) std::copy(nodes.begin(), nodes.end(), list->data);
  return list;
}

absl::StatusOr<CompiledGraph> CompileGraph(const Snapshot& snapshot, const Target& target,
                                           int min_nodes) {
  CompiledGraph graph;
  PhaseTimer timer(target.phases, Phase::kCheck);
  graph.support = FindCandidates(snapshot, *target.table, target.lists);
  timer.End();
  TERN_RETURN_IF_ERROR(Partitioning(snapshot, target, &graph).Run(min_nodes));
  gpu::Device& device = *target.opened.device;
  if (device.lost()) {
    // The programs were lost with it.
    const std::string reason(Message(device.Wait()));
    for (const CompiledPartition& part : std::exchange(graph.parts, {}))
      RefusePart(snapshot, part.partition, reason, {Reason::kDeviceLost}, &graph);
  }
  graph.unrolled = UnrolledGraphs(snapshot, *target.table, graph);
  graph.explanation = Explain(snapshot, graph.support.refused, PartsOf(graph),
                              {graph.parts_in_all, target.max_partitions});
  return graph;
}

}  // namespace tern::delegate
