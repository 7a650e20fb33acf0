// SPDX-License-Identifier: Apache-2.0
//
// Interpreter: delegates over all subgraphs, and buffer handles.
#include <functional>
#include <numeric>
#include <set>

#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/minimal_logging.h"
#include "tensorflow/lite/util.h"

namespace tflite {

TfLiteStatus Interpreter::ModifyGraphWithDelegate(TfLiteDelegate* delegate) {
  std::vector<int> all(subgraphs_.size());
  std::iota(all.begin(), all.end(), 0);
  return ApplyToSubgraphs(delegate, all);
}

TfLiteStatus Interpreter::ModifyGraphWithDelegate(TfLiteOpaqueDelegateStruct* delegate) {
  return ModifyGraphWithDelegate(reinterpret_cast<TfLiteDelegate*>(delegate));
}

TfLiteStatus Interpreter::ModifyGraphWithDelegate(TfLiteDelegate* delegate,
                                                  const std::vector<int>& active_subgraph_indices) {
  if (active_subgraph_indices.empty()) {
    ReportError("Active subgraph indices must not be empty.");
    return kTfLiteApplicationError;
  }
  for (int index : active_subgraph_indices) {
    if (subgraph(index) != nullptr) continue;
    ReportError("Active subgraph index %d is out of range.", index);
    return kTfLiteApplicationError;
  }
  // In index order, each once.
  const std::set<int> active(active_subgraph_indices.begin(), active_subgraph_indices.end());
  return ApplyToSubgraphs(delegate, std::vector<int>(active.begin(), active.end()));
}

TfLiteStatus Interpreter::ModifyGraphWithDelegate(TfLiteOpaqueDelegateStruct* delegate,
                                                  const std::vector<int>& active_subgraph_indices) {
  return ModifyGraphWithDelegate(reinterpret_cast<TfLiteDelegate*>(delegate),
                                 active_subgraph_indices);
}

TfLiteStatus Interpreter::ApplyToSubgraphs(TfLiteDelegate* delegate,
                                           const std::vector<int>& indices) {
  TfLiteStatus status = kTfLiteOk;
  for (int index : indices) {
    Subgraph& graph = *subgraphs_[index];
    if (IsValidationSubgraph(graph.GetName().c_str()) || graph.IsDelegationSkippable()) {
      TFLITE_LOG(TFLITE_LOG_INFO, "Skipping calling ModifyGraphWithDelegate on Subgraph %i: %s",
                 index, graph.GetName().c_str());
      continue;
    }
    status = graph.ModifyGraphWithDelegate(delegate);
    if (status != kTfLiteOk) break;
  }
  if (status == kTfLiteDelegateError) TF_LITE_ENSURE_STATUS(RemoveAllDelegates());
  return status;
}

TfLiteStatus Interpreter::RemoveAllDelegates() {
  for (auto& graph : subgraphs_) TF_LITE_ENSURE_STATUS(graph->RemoveAllDelegates());
  return kTfLiteOk;
}

bool Interpreter::HasDelegates() { return primary_subgraph().HasDelegates(); }

bool Interpreter::IsFullyDelegated() const { return primary_subgraph().IsFullyDelegated(); }

TfLiteStatus Interpreter::ApplyLazyDelegateProviders() {
  if (lazy_delegate_providers_.empty() || IsFullyDelegated()) return kTfLiteOk;
  // Tries the providers once, even if they fail.
  TfLiteDelegateCreators providers;
  providers.swap(lazy_delegate_providers_);
  for (size_t i = 0; i < providers.size(); ++i) {
    auto delegate = providers[i](context_);
    if (delegate == nullptr) continue;
    const TfLiteStatus status = ModifyGraphWithDelegate(std::move(delegate));
    if (status == kTfLiteError || status == kTfLiteDelegateError) {
      ReportError("Failed to apply the default TensorFlow Lite delegate indexed at %zu.", i);
      return status;
    }
    if (status != kTfLiteOk) {
      TFLITE_LOG(TFLITE_LOG_INFO, "Default delegate %zu is not used (status %d).", i,
                 static_cast<int>(status));
    }
  }
  return kTfLiteOk;
}

// ---- Buffer handles.

TfLiteStatus Interpreter::EnsureTensorDataIsReadable(int tensor_index) {
  return primary_subgraph().EnsureTensorDataIsReadable(tensor_index);
}

TfLiteStatus Interpreter::SetBufferHandle(int tensor_index, TfLiteBufferHandle buffer_handle,
                                          TfLiteDelegate* delegate) {
  return primary_subgraph().SetBufferHandle(tensor_index, buffer_handle, delegate);
}

TfLiteStatus Interpreter::SetBufferHandle(TfLiteTensor* tensor, TfLiteBufferHandle buffer_handle,
                                          TfLiteDelegate* delegate) {
  // The graph that holds the tensor frees the handle in the end.
  for (auto& graph : subgraphs_) {
    const TfLiteTensor* first = graph->tensors();
    if (std::less_equal<>()(first, tensor) &&
        std::less<>()(tensor, first + graph->tensors_size())) {
      return graph->SetBufferHandle(tensor, buffer_handle, delegate);
    }
  }
  ReportError("The tensor is not one of this interpreter's.");
  return kTfLiteError;
}

TfLiteStatus Interpreter::GetBufferHandle(int tensor_index, TfLiteBufferHandle* buffer_handle,
                                          TfLiteDelegate** delegate) {
  return primary_subgraph().GetBufferHandle(tensor_index, buffer_handle, delegate);
}

}  // namespace tflite
