// SPDX-License-Identifier: Apache-2.0
//
// Subgraph: tensors whose current data lies in a buffer of a delegate. Delegates are called through
// the copies in DelegateRecords only, since they may be deleted before the interpreter.
#include "runtime/arena_planner.h"
#include "runtime/delegate_records.h"
#include "runtime/owned_constants.h"
#include "runtime/subgraph_profiler.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tflite {

TfLiteStatus Subgraph::EnsureTensorDataIsReadable(int tensor_index) {
  TfLiteTensor* target = tensor(tensor_index);
  if (target == nullptr) {
    ReportError("Tensor index %d is out of range.", tensor_index);
    return kTfLiteError;
  }
  if (!target->data_is_stale) return kTfLiteOk;
  const tern::DelegateRecord* record = FindDelegateRecord(target->delegate);
  if (record == nullptr || target->buffer_handle == kTfLiteNullBufferHandle) {
    ReportError("Tensor %d is stale, but no delegate holds its data.", tensor_index);
    return kTfLiteError;
  }
  const TfLiteStatus status = record->CopyFromBufferHandle(&context_, target);
  target->data_is_stale = false;
  return status;
}

const tern::DelegateRecord* Subgraph::FindDelegateRecord(const TfLiteDelegate* delegate) const {
  if (delegate == nullptr) return nullptr;
  const tern::DelegateRecord* record = delegate_records_->Find(delegate);
  if (record != nullptr || subgraphs_ == nullptr) return record;
  // A tensor copied from another subgraph carries that one's handle.
  for (const auto& other : *subgraphs_) {
    if (other == nullptr) continue;
    record = other->delegate_records_->Find(delegate);
    if (record != nullptr) return record;
  }
  return nullptr;
}

TfLiteStatus Subgraph::SetBufferHandle(int tensor_index, TfLiteBufferHandle buffer_handle,
                                       TfLiteDelegate* delegate, bool release_existing) {
  TfLiteTensor* target = tensor(tensor_index);
  if (target == nullptr) {
    ReportError("Tensor index %d is out of range.", tensor_index);
    return kTfLiteError;
  }
  return SetBufferHandle(target, buffer_handle, delegate, release_existing);
}

TfLiteStatus Subgraph::SetBufferHandle(TfLiteTensor* tensor, TfLiteBufferHandle buffer_handle,
                                       TfLiteDelegate* delegate, bool release_existing) {
  if (tensor == nullptr || delegate == nullptr ||
      (tensor->delegate != nullptr && tensor->delegate != delegate)) {
    ReportError("A buffer handle needs the delegate that the tensor belongs to.");
    return kTfLiteError;
  }
  delegate_records_->Add(delegate);
  tensor->delegate = delegate;
  if (release_existing) FreeBufferHandle(tensor);
  tensor->buffer_handle = buffer_handle;
  return kTfLiteOk;
}

TfLiteStatus Subgraph::GetBufferHandle(int tensor_index, TfLiteBufferHandle* buffer_handle,
                                       TfLiteDelegate** delegate) {
  const TfLiteTensor* target = tensor(tensor_index);
  if (target == nullptr || buffer_handle == nullptr || delegate == nullptr) {
    ReportError("Tensor index %d is out of range.", tensor_index);
    return kTfLiteError;
  }
  *buffer_handle = target->buffer_handle;
  *delegate = target->delegate;
  return kTfLiteOk;
}

void Subgraph::FreeBufferHandle(TfLiteTensor* tensor) {
  if (tensor->buffer_handle == kTfLiteNullBufferHandle) return;
  const tern::DelegateRecord* record = delegate_records_->Find(tensor->delegate);
  if (record != nullptr) record->FreeBufferHandle(&context_, &tensor->buffer_handle);
  tensor->buffer_handle = kTfLiteNullBufferHandle;
}

}  // namespace tflite
