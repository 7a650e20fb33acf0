// SPDX-License-Identifier: Apache-2.0
//
// Copies of delegates' callbacks, plain and opaque.
#include "runtime/delegate_records.h"

namespace tern {
namespace {

TfLiteOpaqueContext* Opaque(TfLiteContext* context) {
  return reinterpret_cast<TfLiteOpaqueContext*>(context);
}

TfLiteOpaqueDelegate* Opaque(TfLiteDelegate* delegate) {
  return reinterpret_cast<TfLiteOpaqueDelegate*>(delegate);
}

}  // namespace

DelegateRecord::DelegateRecord(TfLiteDelegate* delegate)
    : delegate_(delegate),
      callbacks_(*delegate),
      is_opaque_(delegate->Prepare == nullptr && delegate->opaque_delegate_builder != nullptr) {
  if (is_opaque_) opaque_ = *delegate->opaque_delegate_builder;
}

TfLiteStatus DelegateRecord::Prepare(TfLiteContext* context) const {
  if (is_opaque_ && opaque_.Prepare != nullptr) {
    return opaque_.Prepare(Opaque(context), Opaque(delegate_), opaque_.data);
  }
  if (callbacks_.Prepare == nullptr) return kTfLiteError;
  return callbacks_.Prepare(context, delegate_);
}

TfLiteStatus DelegateRecord::CopyFromBufferHandle(TfLiteContext* context,
                                                  TfLiteTensor* tensor) const {
  if (is_opaque_ && opaque_.CopyFromBufferHandle != nullptr) {
    return opaque_.CopyFromBufferHandle(Opaque(context), Opaque(delegate_), opaque_.data,
                                        tensor->buffer_handle,
                                        reinterpret_cast<TfLiteOpaqueTensor*>(tensor));
  }
  if (callbacks_.CopyFromBufferHandle == nullptr) return kTfLiteError;
  return callbacks_.CopyFromBufferHandle(context, delegate_, tensor->buffer_handle, tensor);
}

void DelegateRecord::FreeBufferHandle(TfLiteContext* context, TfLiteBufferHandle* handle) const {
  if (is_opaque_ && opaque_.FreeBufferHandle != nullptr) {
    opaque_.FreeBufferHandle(Opaque(context), Opaque(delegate_), opaque_.data, handle);
  } else if (callbacks_.FreeBufferHandle != nullptr) {
    callbacks_.FreeBufferHandle(context, delegate_, handle);
  }
}

const DelegateRecord* DelegateRecords::Add(TfLiteDelegate* delegate) {
  if (delegate == nullptr) return nullptr;
  for (auto& record : records_) {
    if (record->delegate() != delegate) continue;
    *record = DelegateRecord(delegate);
    return record.get();
  }
  records_.push_back(std::make_unique<DelegateRecord>(delegate));
  return records_.back().get();
}

const DelegateRecord* DelegateRecords::Find(const TfLiteDelegate* delegate) const {
  for (const auto& record : records_) {
    if (record->delegate() == delegate) return record.get();
  }
  return nullptr;
}

}  // namespace tern
