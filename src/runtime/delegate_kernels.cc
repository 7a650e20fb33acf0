// SPDX-License-Identifier: Apache-2.0
//
// How the nodes that a delegate claims are cut into parts, and how each part becomes one
// node that runs the delegate's kernel.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include "runtime/delegation.h"
#include "runtime/subgraph_info.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/minimal_logging.h"
#include "tensorflow/lite/util.h"

namespace tern {
namespace {

// Writes an index array at *cursor and moves the cursor after it.
TfLiteIntArray* PlaceArray(const std::vector<int>& values, char** cursor) {
  auto* array = reinterpret_cast<TfLiteIntArray*>(*cursor);
  array->size = static_cast<int>(values.size());
  if (!values.empty()) std::memcpy(array->data, values.data(), values.size() * sizeof(int));
  *cursor += TfLiteIntArrayGetSizeInBytes(array->size);
  return array;
}

// The params struct and its arrays in one malloc block.
template <typename Params>
Params* MakeParams(TfLiteDelegate* delegate, const tflite::NodeSubset& subset) {
  size_t bytes = sizeof(Params);
  for (const auto* values : {&subset.nodes, &subset.input_tensors, &subset.output_tensors}) {
    bytes += TfLiteIntArrayGetSizeInBytes(static_cast<int>(values->size()));
  }
  auto* params = static_cast<Params*>(std::calloc(1, bytes));
  if (params == nullptr) return nullptr;
  char* cursor = reinterpret_cast<char*>(params) + sizeof(Params);
  params->delegate = reinterpret_cast<decltype(params->delegate)>(delegate);
  params->nodes_to_replace = PlaceArray(subset.nodes, &cursor);
  params->input_tensors = PlaceArray(subset.input_tensors, &cursor);
  params->output_tensors = PlaceArray(subset.output_tensors, &cursor);
  return params;
}

}  // namespace

// The model's edges name original nodes; those that an earlier delegate replaced are now inside its
// kernels.
tflite::ControlEdges Delegation::CurrentControlEdges() const {
  std::unordered_map<int, int> replaced_by;
  for (size_t i = graph_.pre_delegation_node_count; graph_.plan_saved && i < graph_.nodes.size();
       ++i) {
    const auto& [node, registration] = graph_.nodes[i];
    if (node.delegate == nullptr || node.builtin_data == nullptr) continue;
    const TfLiteIntArray* replaced =
        registration.registration_external != nullptr
            ? static_cast<TfLiteOpaqueDelegateParams*>(node.builtin_data)->nodes_to_replace
            : static_cast<TfLiteDelegateParams*>(node.builtin_data)->nodes_to_replace;
    for (int r = 0; r < replaced->size; ++r) replaced_by[replaced->data[r]] = static_cast<int>(i);
  }
  const auto current = [&replaced_by](int node) {
    for (auto it = replaced_by.find(node); it != replaced_by.end(); it = replaced_by.find(node)) {
      node = it->second;
    }
    return node;
  };
  tflite::ControlEdges edges;
  for (const auto& [before, after] : *graph_.control_edges) {
    const std::pair<int, int> edge(current(before), current(after));
    const bool in_one_kernel = edge.first == edge.second && before != after;
    if (!in_one_kernel) edges.push_back(edge);
  }
  return edges;
}

TfLiteStatus Delegation::Partition(const TfLiteIntArray* nodes_to_replace,
                                   std::vector<tflite::NodeSubset>* subsets) {
  const SubgraphInfo info(&graph_);
  tflite::ControlEdges edges;
  if (graph_.control_edges != nullptr) edges = CurrentControlEdges();
  const TfLiteStatus status = tflite::PartitionGraphIntoIndependentNodeSubsets(
      &info, nodes_to_replace, subsets,
      /*greedily=*/!graph_.options->GetDisableDelegateClustering(),
      graph_.control_edges != nullptr ? &edges : nullptr,
      graph_.options->GetPreserveAllTensors() || graph_.options->GetDisableDelegateNodeFusion());
  if (status != kTfLiteOk) {
    graph_.ReportError(
        "Subgraph %d cannot be partitioned: bad node index, bad control edge or cycle.",
        graph_.subgraph_index);
  }
  return status;
}

TfLiteStatus Delegation::PreviewPartitioning(const TfLiteIntArray* nodes_to_replace,
                                             TfLiteDelegateParams** partitions,
                                             int* num_partitions) {
  FreePreview();
  if (nodes_to_replace == nullptr || partitions == nullptr || num_partitions == nullptr) {
    return kTfLiteError;
  }
  *partitions = nullptr;
  *num_partitions = 0;
  if (nodes_to_replace->size == 0) return kTfLiteOk;
  std::vector<tflite::NodeSubset> subsets;
  TF_LITE_ENSURE_STATUS(Partition(nodes_to_replace, &subsets));
  for (const tflite::NodeSubset& subset : subsets) {
    if (subset.type != tflite::NodeSubset::kTfPartition) continue;
    TfLiteDelegateParams params = {};
    params.nodes_to_replace = tflite::ConvertVectorToTfLiteIntArray(subset.nodes);
    params.input_tensors = tflite::ConvertVectorToTfLiteIntArray(subset.input_tensors);
    params.output_tensors = tflite::ConvertVectorToTfLiteIntArray(subset.output_tensors);
    preview_.push_back(params);
  }
  if (preview_.empty()) return kTfLiteOk;
  *partitions = preview_.data();
  *num_partitions = static_cast<int>(preview_.size());
  return kTfLiteOk;
}

TfLiteStatus Delegation::GetExecutionPlan(TfLiteIntArray** plan) {
  if (plan == nullptr) return kTfLiteError;
  TfLiteIntArrayFree(plan_array_);
  *plan = plan_array_ = tflite::ConvertVectorToTfLiteIntArray(graph_.execution_plan);
  return kTfLiteOk;
}

TfLiteStatus Delegation::GetNodeAndRegistration(int node_index, TfLiteNode** node,
                                                TfLiteRegistration** registration) {
  if (node_index < 0 || static_cast<size_t>(node_index) >= graph_.nodes.size() || node == nullptr ||
      registration == nullptr) {
    graph_.ReportError("Node index %d is out of range.", node_index);
    return kTfLiteError;
  }
  *node = &graph_.nodes[node_index].first;
  *registration = &graph_.nodes[node_index].second;
  return kTfLiteOk;
}

void Delegation::FreePreview() {
  for (TfLiteDelegateParams& params : preview_) {
    TfLiteIntArrayFree(params.nodes_to_replace);
    TfLiteIntArrayFree(params.input_tensors);
    TfLiteIntArrayFree(params.output_tensors);
  }
  preview_.clear();
}

TfLiteStatus Delegation::ReplaceNodeSubsets(TfLiteRegistration registration,
                                            const TfLiteIntArray* nodes_to_replace,
                                            TfLiteDelegate* delegate) {
  registration.builtin_code = kTfLiteBuiltinDelegate;
  if (registration.registration_external != nullptr &&
      std::find(kernel_operators_.begin(), kernel_operators_.end(),
                registration.registration_external) == kernel_operators_.end()) {
    kernel_operators_.push_back(registration.registration_external);
  }
  const DelegateRecord* record = graph_.delegate_records.Find(delegate);
  if (record == nullptr || nodes_to_replace == nullptr) {
    graph_.ReportError("Nodes can be replaced only by the delegate that is being applied.");
    return kTfLiteDelegateError;
  }
  if (record->is_opaque() && registration.registration_external == nullptr) {
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING,
                    "An opaque delegate must describe its kernel by a TfLiteOperator.");
    return kTfLiteDelegateError;
  }
  if (nodes_to_replace->size == 0) return kTfLiteOk;
  std::vector<tflite::NodeSubset> subsets;
  TF_LITE_ENSURE_STATUS(Partition(nodes_to_replace, &subsets));
  TFLITE_LOG_PROD(tflite::TFLITE_LOG_VERBOSE,
                  "Replacing %d out of %d node(s) with delegate (%s) node, yielding %zu partitions "
                  "for subgraph %d (%s).",
                  nodes_to_replace->size, static_cast<int>(graph_.execution_plan.size()),
                  registration.custom_name != nullptr ? registration.custom_name : "unknown",
                  subsets.size(), graph_.subgraph_index, graph_.name.c_str());

  const std::vector<int> old_plan = std::move(graph_.execution_plan);
  const size_t old_node_count = graph_.nodes.size();
  graph_.execution_plan.clear();
  for (const tflite::NodeSubset& subset : subsets) {
    if (subset.type == tflite::NodeSubset::kTfNonPartition) {
      graph_.execution_plan.insert(graph_.execution_plan.end(), subset.nodes.begin(),
                                   subset.nodes.end());
      continue;
    }
    const TfLiteStatus status = AddNode(subset, registration, delegate);
    if (status == kTfLiteOk) continue;
    ForgetNodes(old_node_count);
    graph_.execution_plan = old_plan;
    return status;
  }
  return kTfLiteOk;
}

TfLiteStatus Delegation::AddNode(const tflite::NodeSubset& subset,
                                 const TfLiteRegistration& registration, TfLiteDelegate* delegate) {
  for (int index : subset.output_tensors) {
    const TfLiteTensor& output = graph_.tensors[index];
    if (output.delegate == nullptr || output.delegate == delegate) continue;
    graph_.ReportError("Tensor %d already belongs to another delegate.", index);
    return kTfLiteError;
  }
  void* params = nullptr;
  if (registration.registration_external != nullptr) {
    auto* opaque = MakeParams<TfLiteOpaqueDelegateParams>(delegate, subset);
    if (opaque != nullptr)
      opaque->delegate_data = graph_.delegate_records.Find(delegate)->opaque_data();
    params = opaque;
  } else {
    params = MakeParams<TfLiteDelegateParams>(delegate, subset);
  }
  if (params == nullptr) return kTfLiteError;
  int node_index = 0;
  const bool was_consistent = graph_.consistent;
  const TfLiteStatus status =
      graph_.AddNode(subset.input_tensors, subset.output_tensors, {}, /*init_data=*/nullptr,
                     /*init_data_size=*/0, params, registration, &node_index);
  if (status != kTfLiteOk) {
    graph_.consistent = was_consistent;  // the graph itself is as good as before
    return status;
  }
  for (int index : subset.output_tensors) graph_.tensors[index].delegate = delegate;
  graph_.nodes[node_index].first.delegate = delegate;
  return kTfLiteOk;
}

}  // namespace tern
