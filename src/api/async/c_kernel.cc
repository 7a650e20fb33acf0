// SPDX-License-Identifier: Apache-2.0
// The asynchronous C API: kernels and tasks.
#include "api/c_api/handles.h"
#include "tensorflow/lite/core/async/async_kernel_internal.h"
#include "tensorflow/lite/core/async/c/async_kernel.h"
#include "tensorflow/lite/core/async/c/task.h"
#include "tensorflow/lite/core/async/task_internal.h"

using tern::c_api::AnyIsNull;
using tern::c_api::IsNull;

TfLiteAsyncKernel* TfLiteAsyncKernelCreate(void* kernel_data) {
  auto* kernel = new TfLiteAsyncKernel;
  kernel->kernel_data = kernel_data;
  return kernel;
}

void TfLiteAsyncKernelDelete(TfLiteAsyncKernel* async_kernel) { delete async_kernel; }

void* TfLiteAsyncKernelGetKernelData(const TfLiteAsyncKernel* async_kernel) {
  return async_kernel == nullptr ? nullptr : async_kernel->kernel_data;
}

void TfLiteAsyncKernelSetRegisterBuffer(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*register_buffer)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                                    TfLiteIoType io_type, const TfLiteBackendBuffer* buffer,
                                    const TfLiteAttributeMap* attrs, TfLiteBufferHandle handle)) {
  if (IsNull(async_kernel, __func__)) return;
  async_kernel->register_buffer = register_buffer;
}

void TfLiteAsyncKernelSetRegisterBufferSlice(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*register_buffer_slice)(TfLiteAsyncKernel* async_kernel,
                                          TfLiteOpaqueContext* context,
                                          TfLiteBufferHandle buffer_pool,
                                          const TfLiteAttributeMap* attrs,
                                          TfLiteBufferHandle handle)) {
  if (IsNull(async_kernel, __func__)) return;
  async_kernel->register_buffer_slice = register_buffer_slice;
}

void TfLiteAsyncKernelSetUnregisterBuffer(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*unregister_buffer)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                                      TfLiteBufferHandle handle)) {
  if (IsNull(async_kernel, __func__)) return;
  async_kernel->unregister_buffer = unregister_buffer;
}

void TfLiteAsyncKernelSetSupportedBufferTypes(
    TfLiteAsyncKernel* async_kernel,
    void (*supported_buffer_types)(const TfLiteAsyncKernel* async_kernel, TfLiteIoType io_type,
                                   const char* const** types, size_t* n_types)) {
  if (IsNull(async_kernel, __func__)) return;
  async_kernel->supported_buffer_types = supported_buffer_types;
}

void TfLiteAsyncKernelSetSupportedSynchronizations(
    TfLiteAsyncKernel* async_kernel,
    void (*supported_synchronizations)(const TfLiteAsyncKernel* async_kernel, TfLiteIoType io_type,
                                       const char* const** types, size_t* n_types)) {
  if (IsNull(async_kernel, __func__)) return;
  async_kernel->supported_synchronizations = supported_synchronizations;
}

void TfLiteAsyncKernelSetReconcileRestrictions(
    TfLiteAsyncKernel* async_kernel,
    bool (*reconcile_restrictions)(const TfLiteAsyncKernel* async_kernel,
                                   const TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                   int tensor_index,
                                   const TfLiteAttributeMap* user_provided_attributes,
                                   TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict)) {
  if (IsNull(async_kernel, __func__)) return;
  async_kernel->reconcile_restrictions = reconcile_restrictions;
}

void TfLiteAsyncKernelSetSetAttributes(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*set_attributes)(TfLiteAsyncKernel* async_kernel, TfLiteOpaqueContext* context,
                                   TfLiteOpaqueNode* node, int tensor_index,
                                   const TfLiteAttributeMap* attrs)) {
  if (IsNull(async_kernel, __func__)) return;
  async_kernel->set_attributes = set_attributes;
}

void TfLiteAsyncKernelSetSetBufferAttributes(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*set_buffer_attributes)(TfLiteAsyncKernel* async_kernel,
                                          const TfLiteBackendBuffer* buffer,
                                          const TfLiteAttributeMap* attrs)) {
  if (IsNull(async_kernel, __func__)) return;
  async_kernel->set_buffer_attributes = set_buffer_attributes;
}

void TfLiteAsyncKernelSetGetBufferAttributes(
    TfLiteAsyncKernel* async_kernel,
    TfLiteStatus (*get_buffer_attributes)(TfLiteAsyncKernel* async_kernel,
                                          const TfLiteBackendBuffer* buffer,
                                          TfLiteAttributeMap* attrs)) {
  if (IsNull(async_kernel, __func__)) return;
  async_kernel->get_buffer_attributes = get_buffer_attributes;
}

void TfLiteAsyncKernelSetPrepare(TfLiteAsyncKernel* async_kernel,
                                 TfLiteStatus (*prepare)(TfLiteAsyncKernel* async_kernel,
                                                         TfLiteOpaqueContext* context,
                                                         TfLiteOpaqueNode* node)) {
  if (IsNull(async_kernel, __func__)) return;
  async_kernel->prepare = prepare;
}

void TfLiteAsyncKernelSetEval(TfLiteAsyncKernel* async_kernel,
                              TfLiteStatus (*eval)(TfLiteAsyncKernel* async_kernel,
                                                   TfLiteOpaqueContext* context,
                                                   TfLiteOpaqueNode* node,
                                                   TfLiteExecutionTask* task)) {
  if (IsNull(async_kernel, __func__)) return;
  async_kernel->eval = eval;
}

void TfLiteAsyncKernelSetWait(TfLiteAsyncKernel* async_kernel,
                              TfLiteStatus (*wait)(TfLiteAsyncKernel* async_kernel,
                                                   TfLiteOpaqueContext* context,
                                                   TfLiteExecutionTask* task)) {
  if (IsNull(async_kernel, __func__)) return;
  async_kernel->wait = wait;
}

void TfLiteAsyncKernelSetFinish(TfLiteAsyncKernel* async_kernel,
                                TfLiteStatus (*finish)(TfLiteAsyncKernel* async_kernel,
                                                       TfLiteOpaqueContext* context,
                                                       TfLiteExecutionTask* task)) {
  if (IsNull(async_kernel, __func__)) return;
  async_kernel->finish = finish;
}

TfLiteStatus TfLiteExecutionTaskSetBuffer(TfLiteExecutionTask* task, TfLiteIoType io_type,
                                          const char* tensor_signature_name,
                                          TfLiteBufferHandle handle) {
  if (AnyIsNull(__func__, task, tensor_signature_name)) return kTfLiteError;
  return task->task->SetBufferHandle(io_type, tensor_signature_name, handle);
}

TfLiteStatus TfLiteExecutionTaskSetBufferByIndex(TfLiteExecutionTask* task, int tensor_index,
                                                 TfLiteBufferHandle handle) {
  if (IsNull(task, __func__)) return kTfLiteError;
  return task->task->SetBufferHandle(tensor_index, handle);
}

TfLiteBufferHandle TfLiteExecutionTaskGetBufferByName(const TfLiteExecutionTask* task,
                                                      TfLiteIoType io_type,
                                                      const char* tensor_signature_name) {
  if (AnyIsNull(__func__, task, tensor_signature_name)) return kTfLiteNullBufferHandle;
  return task->task->GetBufferHandle(io_type, tensor_signature_name);
}

TfLiteBufferHandle TfLiteExecutionTaskGetBufferByIndex(const TfLiteExecutionTask* task,
                                                       int tensor_index) {
  if (IsNull(task, __func__)) return kTfLiteNullBufferHandle;
  return task->task->GetBufferHandle(tensor_index);
}

TfLiteStatus TfLiteExecutionTaskSetSync(TfLiteExecutionTask* task, TfLiteIoType io_type,
                                        const char* tensor_signature_name,
                                        TfLiteSynchronization* sync) {
  if (AnyIsNull(__func__, task, tensor_signature_name)) return kTfLiteError;
  return task->task->SetSynchronization(io_type, tensor_signature_name, sync);
}

TfLiteStatus TfLiteExecutionTaskSetSyncByIndex(TfLiteExecutionTask* task, int tensor_index,
                                               TfLiteSynchronization* sync) {
  if (IsNull(task, __func__)) return kTfLiteError;
  return task->task->SetSynchronization(tensor_index, sync);
}

TfLiteSynchronization* TfLiteExecutionTaskGetSyncByName(const TfLiteExecutionTask* task,
                                                        TfLiteIoType io_type,
                                                        const char* tensor_signature_name) {
  if (AnyIsNull(__func__, task, tensor_signature_name)) return nullptr;
  return task->task->GetSynchronization(io_type, tensor_signature_name);
}

TfLiteSynchronization* TfLiteExecutionTaskGetSyncByIndex(const TfLiteExecutionTask* task,
                                                         int tensor_index) {
  if (IsNull(task, __func__)) return nullptr;
  return task->task->GetSynchronization(tensor_index);
}

void* TfLiteExecutionTaskGetDelegateExecutionData(const TfLiteExecutionTask* task,
                                                  TfLiteAsyncKernel* kernel) {
  return IsNull(task, __func__) ? nullptr : task->task->GetDelegateExecutionData(kernel);
}

void TfLiteExecutionTaskSetDelegateExecutionData(TfLiteExecutionTask* task,
                                                 TfLiteAsyncKernel* kernel, void* data) {
  if (IsNull(task, __func__)) return;
  task->task->SetDelegateExecutionData(kernel, data);
}

TfLiteStatus TfLiteExecutionTaskGetStatus(const TfLiteExecutionTask* task) {
  return IsNull(task, __func__) ? kTfLiteError : task->task->Status();
}

void TfLiteExecutionTaskSetStatus(TfLiteExecutionTask* task, TfLiteStatus status) {
  if (IsNull(task, __func__)) return;
  task->task->SetStatus(status);
}
