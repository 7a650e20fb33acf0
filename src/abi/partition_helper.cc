// SPDX-License-Identifier: Apache-2.0
// Choosing nodes for a delegate over the C ABI alone, so that it works in any runtime.
#include <algorithm>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/delegates/utils.h"
#include "tensorflow/lite/kernels/kernel_util.h"

namespace tflite {
namespace delegates {

TfLiteStatus CreateNewTensorWithDifferentType(TfLiteContext* context,
                                              const int original_tensor_index, TfLiteType new_type,
                                              TfLiteTensor** new_tensor, int* new_tensor_index) {
  TF_LITE_ENSURE(context, original_tensor_index >= 0 &&
                              static_cast<size_t>(original_tensor_index) < context->tensors_size);
  TF_LITE_ENSURE_STATUS(context->AddTensors(context, 1, new_tensor_index));
  const TfLiteTensor& original = context->tensors[original_tensor_index];
  *new_tensor = &context->tensors[*new_tensor_index];
  (*new_tensor)->type = new_type;
  (*new_tensor)->allocation_type = kTfLiteArenaRw;
  (*new_tensor)->name = original.name;
  TfLiteIntArray* shape = TfLiteIntArrayCopy(original.dims);
  TF_LITE_ENSURE(context, shape != nullptr);
  if (context->ResizeTensor(context, *new_tensor, shape) != kTfLiteOk) {
    TF_LITE_KERNEL_LOG(context, "Could not resize the new tensor %d.", *new_tensor_index);
    return kTfLiteError;
  }
  return kTfLiteOk;
}

TfLiteStatus AcquireSubgraphContext(const TfLiteContext* context, int subgraph_index,
                                    TfLiteContext** acquired_context) {
  return context->AcquireSubgraphContext(const_cast<TfLiteContext*>(context), subgraph_index,
                                         acquired_context);
}

TfLiteStatus ReleaseSubgraphContext(const TfLiteContext* context, int subgraph_index) {
  return context->ReleaseSubgraphContext(const_cast<TfLiteContext*>(context), subgraph_index);
}

TfLiteStatus GraphPartitionHelper::Partition(std::set<std::string>* unsupported_nodes_info,
                                             int start_node_index, int end_node_index) {
  if (is_node_supported_fn_ != nullptr) {
    TF_LITE_ENSURE_STATUS(
        CollectSupportedNodes(unsupported_nodes_info, start_node_index, end_node_index));
  }
  partitions_.clear();
  IntArrayUniquePtr nodes = BuildTfLiteArray(supported_nodes_);
  TF_LITE_ENSURE(context_, nodes != nullptr);
  TfLiteDelegateParams* params = nullptr;
  int count = 0;
  if (context_->PreviewDelegatePartitioning(context_, nodes.get(), &params, &count) != kTfLiteOk) {
    TF_LITE_KERNEL_LOG(context_, "Unable to preview delegate partition.\n");
    return kTfLiteError;
  }
  for (int i = 0; i < count; ++i) {
    partitions_.push_back(&params[i]);
  }
  return kTfLiteOk;
}

TfLiteStatus GraphPartitionHelper::CollectSupportedNodes(
    std::set<std::string>* unsupported_nodes_info, int start, int end) {
  TfLiteIntArray* plan = nullptr;
  if (context_->GetExecutionPlan(context_, &plan) != kTfLiteOk || plan == nullptr) {
    TF_LITE_KERNEL_LOG(context_, "Unable to get graph execution plan.\n");
    return kTfLiteError;
  }
  // The runtime may reuse its array while nodes are asked about.
  execution_plan_.reset(TfLiteIntArrayCopy(plan));
  TF_LITE_ENSURE(context_, execution_plan_ != nullptr);
  num_total_nodes_ = execution_plan_->size;
  supported_nodes_.clear();
  for (int i = 0; i < execution_plan_->size; ++i) {
    const int node_id = execution_plan_->data[i];
    if (node_id < start || node_id > end) {
      continue;
    }
    TfLiteNode* node = nullptr;
    TfLiteRegistration* registration = nullptr;
    if (context_->GetNodeAndRegistration(context_, node_id, &node, &registration) != kTfLiteOk) {
      TF_LITE_KERNEL_LOG(context_, "Couldn't get node and registration info for op: %d\n", node_id);
      return kTfLiteError;
    }
    std::string details;
    if (IsNodeSupported(context_, node, registration, node_id, &details)) {
      supported_nodes_.push_back(node_id);
    } else if (unsupported_nodes_info != nullptr) {
      unsupported_nodes_info->insert(GetOpNameByRegistration(*registration) + ": " + details);
    }
  }
  num_supported_nodes_ = static_cast<int>(supported_nodes_.size());
  return kTfLiteOk;
}

std::vector<TfLiteDelegateParams*> GraphPartitionHelper::GetFirstNLargestPartitions(
    int n, int min_nodes_per_partition) const {
  std::vector<TfLiteDelegateParams*> sorted = partitions_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const TfLiteDelegateParams* a, const TfLiteDelegateParams* b) {
                     return a->nodes_to_replace->size > b->nodes_to_replace->size;
                   });
  std::vector<TfLiteDelegateParams*> result;
  for (TfLiteDelegateParams* partition : sorted) {
    if (static_cast<int>(result.size()) >= n ||
        partition->nodes_to_replace->size < min_nodes_per_partition) {
      break;
    }
    result.push_back(partition);
  }
  return result;
}

std::vector<int> GraphPartitionHelper::GetNodesOfFirstNLargestPartitionsImpl(
    int n, int min_nodes_per_partition) {
  std::vector<int> nodes;
  for (const TfLiteDelegateParams* partition :
       GetFirstNLargestPartitions(n, min_nodes_per_partition)) {
    const TfLiteIntArray& group = *partition->nodes_to_replace;
    nodes.insert(nodes.end(), group.data, group.data + group.size);
  }
  return nodes;
}

bool FP16GraphPartitionHelper::IsConstantFp16Dequantize(
    const TfLiteNode* node, const TfLiteRegistration* registration) const {
  if (registration->builtin_code != kTfLiteBuiltinDequantize || NumOutputs(node) != 1) {
    return false;
  }
  const TfLiteTensor* input = GetInput(context_, node, 0);
  return input != nullptr && input->type == kTfLiteFloat16 && IsConstantTensor(input);
}

bool FP16GraphPartitionHelper::IsNodeSupported(TfLiteContext* context, TfLiteNode* node,
                                               TfLiteRegistration* registration, int node_id,
                                               std::string* unsupported_details) {
  if (IsConstantFp16Dequantize(node, registration)) {
    const int output = node->outputs->data[0];
    constant_dequant_map_[output] = node->inputs->data[0];
    constant_dequant_nodes_[node_id] = output;
    return false;
  }
  if (node->inputs == nullptr) {
    return GraphPartitionHelper::IsNodeSupported(context, node, registration, node_id,
                                                 unsupported_details);
  }
  const IntArrayUniquePtr original(TfLiteIntArrayCopy(node->inputs));
  RemapFp16InputTensors({node_id});
  const bool is_supported = GraphPartitionHelper::IsNodeSupported(context, node, registration,
                                                                  node_id, unsupported_details);
  if (original != nullptr) {
    std::copy_n(original->data, original->size, node->inputs->data);
  }
  return is_supported;
}

std::vector<int> FP16GraphPartitionHelper::GetNodesOfFirstNLargestPartitionsImpl(
    int n, int min_nodes_per_partition) {
  std::vector<int> nodes;
  const int dequantizes = static_cast<int>(constant_dequant_nodes_.size());
  if (execution_plan_ != nullptr && num_supported_nodes_ + dequantizes == num_total_nodes_) {
    nodes.assign(execution_plan_->data, execution_plan_->data + execution_plan_->size);
  } else {
    nodes = GraphPartitionHelper::GetNodesOfFirstNLargestPartitionsImpl(n, min_nodes_per_partition);
  }
  RemapFp16InputTensors(nodes);
  return nodes;
}

void FP16GraphPartitionHelper::RemapFp16InputTensors(const std::vector<int>& nodes) const {
  for (const int node_id : nodes) {
    TfLiteNode* node = nullptr;
    TfLiteRegistration* registration = nullptr;
    if (constant_dequant_nodes_.count(node_id) != 0 ||
        context_->GetNodeAndRegistration(context_, node_id, &node, &registration) != kTfLiteOk ||
        node->inputs == nullptr) {
      continue;
    }
    for (int i = 0; i < node->inputs->size; ++i) {
      const auto found = constant_dequant_map_.find(node->inputs->data[i]);
      if (found != constant_dequant_map_.end()) {
        node->inputs->data[i] = found->second;
      }
    }
  }
}

}  // namespace delegates
}  // namespace tflite
