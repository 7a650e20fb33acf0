// SPDX-License-Identifier: Apache-2.0
//
// Tensors whose current data lies in a buffer of a delegate. Delegates are called through
// the copies in DelegateRecords only, since they may be deleted before the interpreter.
#include "runtime/graph_state.h"

namespace tern {

TfLiteStatus GraphState::EnsureTensorDataIsReadable(int tensor_index) {
  TfLiteTensor* target = tensor(tensor_index);
  if (target == nullptr) {
    ReportError("Tensor index %d is out of range.", tensor_index);
    return kTfLiteError;
  }
  if (!target->data_is_stale) return kTfLiteOk;
  const DelegateRecord* record = FindDelegateRecord(target->delegate);
  if (record == nullptr || target->buffer_handle == kTfLiteNullBufferHandle) {
    ReportError("Tensor %d is stale, but no delegate holds its data.", tensor_index);
    return kTfLiteError;
  }
  const TfLiteStatus status = record->CopyFromBufferHandle(&context, target);
  target->data_is_stale = false;
  return status;
}

const DelegateRecord* GraphState::FindDelegateRecord(const TfLiteDelegate* delegate) const {
  if (delegate == nullptr) return nullptr;
  const DelegateRecord* record = delegate_records.Find(delegate);
  if (record != nullptr || subgraphs == nullptr) return record;
  // A tensor copied from another subgraph carries that one's handle.
  for (const auto& other : *subgraphs) {
    if (other == nullptr) continue;
    record = GraphState::Of(*other).delegate_records.Find(delegate);
    if (record != nullptr) return record;
  }
  return nullptr;
}

void GraphState::FreeBufferHandle(TfLiteTensor* tensor) {
  if (tensor->buffer_handle == kTfLiteNullBufferHandle) return;
  const DelegateRecord* record = delegate_records.Find(tensor->delegate);
  if (record != nullptr) record->FreeBufferHandle(&context, &tensor->buffer_handle);
  tensor->buffer_handle = kTfLiteNullBufferHandle;
}

}  // namespace tern
