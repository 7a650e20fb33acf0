// SPDX-License-Identifier: Apache-2.0
//
// Subgraph: how the nodes that a delegate claims are cut into parts, and how each part becomes one
// node that runs the delegate's kernel.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include "runtime/arena_planner.h"
#include "runtime/delegate_records.h"
#include "runtime/owned_constants.h"
#include "runtime/subgraph_info.h"
#include "runtime/subgraph_profiler.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tflite {
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
Params* MakeParams(TfLiteDelegate* delegate, const NodeSubset& subset) {
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

TfLiteIntArray* CopyToArray(const std::vector<int>& values) {
  TfLiteIntArray* array = TfLiteIntArrayCreate(static_cast<int>(values.size()));
  if (!values.empty()) std::memcpy(array->data, values.data(), values.size() * sizeof(int));
  return array;
}

}  // namespace

// The model's edges name original nodes; those that an earlier delegate replaced are now inside its
// kernels.
ControlEdges Subgraph::CurrentControlEdges() const {
  std::unordered_map<int, int> replaced_by;
  for (size_t i = pre_delegation_node_count_; plan_saved_ && i < nodes_and_registration_.size();
       ++i) {
    const auto& [node, registration] = nodes_and_registration_[i];
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
  ControlEdges edges;
  for (const auto& [before, after] : *control_edges_) {
    const std::pair<int, int> edge(current(before), current(after));
    const bool in_one_kernel = edge.first == edge.second && before != after;
    if (!in_one_kernel) edges.push_back(edge);
  }
  return edges;
}

TfLiteStatus Subgraph::Partition(const TfLiteIntArray* nodes_to_replace,
                                 std::vector<NodeSubset>* subsets) {
  const tern::SubgraphInfo info(this);
  ControlEdges edges;
  if (control_edges_ != nullptr) edges = CurrentControlEdges();
  const TfLiteStatus status = PartitionGraphIntoIndependentNodeSubsets(
      &info, nodes_to_replace, subsets, /*greedily=*/!DisableDelegateClustering(),
      control_edges_ != nullptr ? &edges : nullptr, DisableDelegateNodeFusion());
  if (status != kTfLiteOk) {
    ReportError("Subgraph %d cannot be partitioned: bad node index, bad control edge or cycle.",
                subgraph_index_);
  }
  return status;
}

TfLiteStatus Subgraph::PreviewPartitioning(const TfLiteIntArray* nodes_to_replace,
                                           TfLiteDelegateParams** partitions, int* num_partitions) {
  FreePreview();
  if (nodes_to_replace == nullptr || partitions == nullptr || num_partitions == nullptr) {
    return kTfLiteError;
  }
  *partitions = nullptr;
  *num_partitions = 0;
  if (nodes_to_replace->size == 0) return kTfLiteOk;
  std::vector<NodeSubset> subsets;
  TF_LITE_ENSURE_STATUS(Partition(nodes_to_replace, &subsets));
  for (const NodeSubset& subset : subsets) {
    if (subset.type != NodeSubset::kTfPartition) continue;
    TfLiteDelegateParams params = {};
    params.nodes_to_replace = CopyToArray(subset.nodes);
    params.input_tensors = CopyToArray(subset.input_tensors);
    params.output_tensors = CopyToArray(subset.output_tensors);
    preview_.push_back(params);
  }
  if (preview_.empty()) return kTfLiteOk;
  *partitions = preview_.data();
  *num_partitions = static_cast<int>(preview_.size());
  return kTfLiteOk;
}

void Subgraph::FreePreview() {
  for (TfLiteDelegateParams& params : preview_) {
    TfLiteIntArrayFree(params.nodes_to_replace);
    TfLiteIntArrayFree(params.input_tensors);
    TfLiteIntArrayFree(params.output_tensors);
  }
  preview_.clear();
}

TfLiteStatus Subgraph::ReplaceNodeSubsets(TfLiteRegistration registration,
                                          const TfLiteIntArray* nodes_to_replace,
                                          TfLiteDelegate* delegate) {
  registration.builtin_code = kTfLiteBuiltinDelegate;
  if (registration.registration_external != nullptr &&
      std::find(kernel_operators_.begin(), kernel_operators_.end(),
                registration.registration_external) == kernel_operators_.end()) {
    kernel_operators_.push_back(registration.registration_external);
  }
  const tern::DelegateRecord* record = delegate_records_->Find(delegate);
  if (record == nullptr || nodes_to_replace == nullptr) {
    ReportError("Nodes can be replaced only by the delegate that is being applied.");
    return kTfLiteDelegateError;
  }
  if (record->is_opaque() && registration.registration_external == nullptr) {
    TFLITE_LOG_PROD(TFLITE_LOG_WARNING,
                    "An opaque delegate must describe its kernel by a TfLiteOperator.");
    return kTfLiteDelegateError;
  }
  if (nodes_to_replace->size == 0) return kTfLiteOk;
  std::vector<NodeSubset> subsets;
  TF_LITE_ENSURE_STATUS(Partition(nodes_to_replace, &subsets));
  TFLITE_LOG_PROD(TFLITE_LOG_VERBOSE,
                  "Replacing %d out of %d node(s) with delegate (%s) node, yielding %zu partitions "
                  "for subgraph %d (%s).",
                  nodes_to_replace->size, static_cast<int>(execution_plan_.size()),
                  registration.custom_name != nullptr ? registration.custom_name : "unknown",
                  subsets.size(), subgraph_index_, name_.c_str());

  const std::vector<int> old_plan = std::move(execution_plan_);
  const size_t old_node_count = nodes_and_registration_.size();
  execution_plan_.clear();
  for (const NodeSubset& subset : subsets) {
    if (subset.type == NodeSubset::kTfNonPartition) {
      execution_plan_.insert(execution_plan_.end(), subset.nodes.begin(), subset.nodes.end());
      continue;
    }
    const TfLiteStatus status = AddDelegateNode(subset, registration, delegate);
    if (status == kTfLiteOk) continue;
    ForgetDelegateNodes(old_node_count);
    execution_plan_ = old_plan;
    return status;
  }
  return kTfLiteOk;
}

TfLiteStatus Subgraph::AddDelegateNode(const NodeSubset& subset,
                                       const TfLiteRegistration& registration,
                                       TfLiteDelegate* delegate) {
  for (int index : subset.output_tensors) {
    const TfLiteTensor& output = tensors_[index];
    if (output.delegate == nullptr || output.delegate == delegate) continue;
    ReportError("Tensor %d already belongs to another delegate.", index);
    return kTfLiteError;
  }
  void* params = nullptr;
  if (registration.registration_external != nullptr) {
    auto* opaque = MakeParams<TfLiteOpaqueDelegateParams>(delegate, subset);
    if (opaque != nullptr) opaque->delegate_data = delegate_records_->Find(delegate)->opaque_data();
    params = opaque;
  } else {
    params = MakeParams<TfLiteDelegateParams>(delegate, subset);
  }
  if (params == nullptr) return kTfLiteError;
  int node_index = 0;
  const bool was_consistent = consistent_;
  const TfLiteStatus status =
      AddNode(subset.input_tensors, subset.output_tensors, {}, /*init_data=*/nullptr,
              /*init_data_size=*/0, params, registration, &node_index);
  if (status != kTfLiteOk) {
    consistent_ = was_consistent;  // the graph itself is as good as before
    return status;
  }
  for (int index : subset.output_tensors) tensors_[index].delegate = delegate;
  nodes_and_registration_[node_index].first.delegate = delegate;
  return kTfLiteOk;
}

}  // namespace tflite
