// SPDX-License-Identifier: Apache-2.0
// Preview, compile, repeat until the runtime's cut and the compiled parts agree.
#include "delegate/partitions.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/status.h"
#include "gpu/desc/kernel_text.h"
#include "gpu/plan/print_plan.h"
#include "gpu/source/write_source.h"
#include "tensorflow/lite/array.h"

namespace tern::delegate {
namespace {

// Partitions for these nodes, largest first.
absl::StatusOr<std::vector<Partition>> Preview(TfLiteContext* context,
                                               const std::vector<int>& nodes) {
  const tflite::IntArrayUniquePtr list(TfLiteIntArrayCreate(static_cast<int>(nodes.size())));
  if (list == nullptr) return TooLarge("no memory for a list of ", nodes.size(), " nodes");
  std::copy(nodes.begin(), nodes.end(), list->data);
  TfLiteDelegateParams* params = nullptr;
  int count = 0;
  if (context->PreviewDelegatePartitioning(context, list.get(), &params, &count) != kTfLiteOk) {
    return absl::InternalError("Unable to preview delegate partition.");
  }
  std::vector<Partition> partitions;
  for (int i = 0; i < count; ++i) partitions.push_back(PartitionOf(params[i]));
  std::stable_sort(
      partitions.begin(), partitions.end(),
      [](const Partition& a, const Partition& b) { return a.nodes.size() > b.nodes.size(); });
  return partitions;
}

absl::Status List(const gpu::Plan& plan, const gpu::Device& device, Listing* listing) {
  listing->plans.push_back(gpu::PrintPlan(plan));
  for (const gpu::Dispatch& dispatch : plan.dispatches) {
    TERN_ASSIGN_OR_RETURN(gpu::Source source,
                          gpu::WriteSource(plan, dispatch, device.info(), device.language()));
    std::string text = StrCat("// ", gpu::KernelName(dispatch.kernel), "\n", source.text);
    std::vector<std::string>& kernels = listing->kernels;
    if (std::find(kernels.begin(), kernels.end(), text) == kernels.end()) {
      kernels.push_back(std::move(text));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<CompiledPartition> CompilePartition(TfLiteContext* context,
                                                   const std::vector<gpu::GraphTensor>& tensors,
                                                   const Target& target, const Partition& partition,
                                                   Listing* listing) {
  TERN_ASSIGN_OR_RETURN(gpu::Graph graph, ReadPartition(context, tensors, partition));
  CompiledPartition result;
  result.partition = partition;
  result.inputs = graph.inputs;
  gpu::Device& device = *target.opened.device;
  TERN_ASSIGN_OR_RETURN(
      gpu::Plan plan, gpu::Compile(std::move(graph), device.info(), *target.table, target.options));
  if (target.list) TERN_RETURN_IF_ERROR(List(plan, device, listing));
  TERN_ASSIGN_OR_RETURN(
      result.executor,
      gpu::Executor::Create(std::move(plan), target.opened.device, *target.opened.programs));
  return result;
}

void Refuse(TfLiteContext* context, const std::vector<int>& nodes, const std::string& reason,
            NodeSupport* support) {
  for (const int index : nodes) {
    std::erase(support->supported, index);
    const absl::StatusOr<gpu::Node> node = ReadNode(context, index);
    if (node.ok()) support->refused.push_back({index, node->builtin_code, node->op, reason});
  }
  std::sort(support->refused.begin(), support->refused.end(),
            [](const Refusal& a, const Refusal& b) { return a.node < b.node; });
}

std::vector<int> NodesOf(const std::vector<CompiledPartition>& partitions) {
  std::vector<int> nodes;
  for (const CompiledPartition& p : partitions) {
    nodes.insert(nodes.end(), p.partition.nodes.begin(), p.partition.nodes.end());
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

// Takes the compiled form of a partition out of `done`, if it is there.
bool Take(std::vector<CompiledPartition>* done, const Partition& partition,
          std::vector<CompiledPartition>* to) {
  const auto found = std::find_if(done->begin(), done->end(), [&](const CompiledPartition& p) {
    return p.partition == partition;
  });
  if (found == done->end()) return false;
  to->push_back(std::move(*found));
  done->erase(found);
  return true;
}

absl::Status ChoosePartitions(TfLiteContext* context, const std::vector<gpu::GraphTensor>& tensors,
                              const Target& target, CompiledGraph* graph) {
  std::vector<int> nodes = graph->support.supported;
  std::vector<CompiledPartition>& chosen = graph->parts;
  while (!nodes.empty()) {
    TERN_ASSIGN_OR_RETURN(const std::vector<Partition> partitions, Preview(context, nodes));
    std::vector<CompiledPartition> done = std::move(chosen);
    chosen.clear();
    for (const Partition& partition : partitions) {
      if (static_cast<int>(chosen.size()) == target.most_partitions) break;
      if (Take(&done, partition, &chosen)) continue;
      absl::StatusOr<CompiledPartition> compiled =
          CompilePartition(context, tensors, target, partition, &graph->listing);
      if (compiled.ok()) {
        chosen.push_back(std::move(compiled).value());
        continue;
      }
      const std::string reason(Message(compiled.status()));
      if (graph->failure.ok()) graph->failure = compiled.status();
      graph->warnings.push_back(
          StrCat("GPU: ", partition.nodes.size(), " nodes stay on the CPU: ", reason));
      Refuse(context, partition.nodes, reason, &graph->support);
    }
    // Without the nodes that were left out the cut may differ; asking again with only the chosen
    // ones shows what the runtime will really make. Every round has fewer nodes than the last.
    std::vector<int> kept = NodesOf(chosen);
    std::sort(nodes.begin(), nodes.end());
    if (kept == nodes) break;
    nodes = std::move(kept);
  }
  return absl::OkStatus();
}

}  // namespace

int CompiledGraph::delegated() const {
  int count = 0;
  for (const CompiledPartition& part : parts)
    count += static_cast<int>(part.partition.nodes.size());
  return count;
}

absl::StatusOr<CompiledGraph> CompileGraph(TfLiteContext* context,
                                           const std::vector<gpu::GraphTensor>& tensors,
                                           const Target& target, int worth) {
  CompiledGraph graph;
  TERN_ASSIGN_OR_RETURN(graph.support,
                        FindSupportedNodes(context, tensors, target.opened.device->info(),
                                           *target.table, target.options));
  graph.failure = graph.support.limit;
  if (static_cast<int>(graph.support.supported.size()) < worth) return graph;
  TERN_RETURN_IF_ERROR(ChoosePartitions(context, tensors, target, &graph));
  return graph;
}

}  // namespace tern::delegate
