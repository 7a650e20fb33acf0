// SPDX-License-Identifier: Apache-2.0
// The asynchronous C API: runners, which stand for those of the C++ API.
#include "api/c_api/handles.h"
#include "tensorflow/lite/core/async/async_signature_runner.h"
#include "tensorflow/lite/core/async/c/async_signature_runner.h"

using tern::c_api::AnyIsNull;
using tern::c_api::IsNull;

struct TfLiteAsyncSignatureRunner {
  tflite::async::AsyncSignatureRunner* impl;  // owned by the interpreter
};

namespace {

// Names of types as an array; none where no kernel could be asked.
TfLiteStatus Show(const TfLiteAsyncSignatureRunner& runner, TfLiteIoType io_type,
                  const std::vector<const char*>& names, const char* const** types,
                  size_t* num_types) {
  *types = names.data();
  *num_types = names.size();
  const bool known = io_type == kTfLiteIoTypeInput || io_type == kTfLiteIoTypeOutput;
  return known && runner.impl->CanRun() ? kTfLiteOk : kTfLiteError;
}

const char* SignatureName(const std::vector<const char*>& names, int32_t position) {
  return position < 0 || static_cast<size_t>(position) >= names.size()
             ? nullptr
             : names[static_cast<size_t>(position)];
}

}  // namespace

TfLiteAsyncSignatureRunner* TfLiteInterpreterGetAsyncSignatureRunner(
    const TfLiteInterpreter* interpreter, const char* signature_key) {
  if (IsNull(interpreter, __func__)) return nullptr;
  tflite::async::AsyncSignatureRunner* runner =
      interpreter->impl->GetAsyncSignatureRunner(signature_key);
  return runner == nullptr ? nullptr : new TfLiteAsyncSignatureRunner{runner};
}

void TfLiteAsyncSignatureRunnerDelete(TfLiteAsyncSignatureRunner* signature_runner) {
  delete signature_runner;
}

TfLiteStatus TfLiteAsyncSignatureRunnerRegisterBuffer(
    TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type,
    const TfLiteBackendBuffer* buffer, const TfLiteAttributeMap* attrs,
    TfLiteBufferHandle* handle) {
  if (AnyIsNull(__func__, async_signature_runner, buffer, attrs, handle)) return kTfLiteError;
  return async_signature_runner->impl->RegisterBuffer(io_type, buffer, attrs, handle);
}

TfLiteStatus TfLiteAsyncSignatureRunnerRegisterBufferSlice(
    TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteBufferHandle buffer_pool,
    const TfLiteAttributeMap* attrs, TfLiteBufferHandle* handle) {
  if (AnyIsNull(__func__, async_signature_runner, attrs, handle)) return kTfLiteError;
  return async_signature_runner->impl->RegisterBufferSlice(buffer_pool, attrs, handle);
}

TfLiteStatus TfLiteAsyncSignatureRunnerUnregisterBuffer(
    TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteBufferHandle handle) {
  if (IsNull(async_signature_runner, __func__)) return kTfLiteError;
  return async_signature_runner->impl->UnregisterBuffer(handle);
}

TfLiteStatus TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(
    const TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type,
    const char* const** types, size_t* num_types) {
  if (AnyIsNull(__func__, async_signature_runner, types, num_types)) return kTfLiteError;
  return Show(*async_signature_runner, io_type,
              async_signature_runner->impl->SupportedBufferTypes(io_type), types, num_types);
}

TfLiteStatus TfLiteAsyncSignatureRunnerGetSupportedSynchronizationTypes(
    const TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type,
    const char* const** types, size_t* num_types) {
  if (AnyIsNull(__func__, async_signature_runner, types, num_types)) return kTfLiteError;
  return Show(*async_signature_runner, io_type,
              async_signature_runner->impl->SupportedSynchronizations(io_type), types, num_types);
}

bool TfLiteAsyncSignatureRunnerReconcileRestrictions(
    const TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type,
    const char* name, const TfLiteAttributeMap* user_provided_attributes,
    TfLiteAttributeMap* merged, TfLiteAttributeMap* conflict) {
  if (AnyIsNull(__func__, async_signature_runner, name, user_provided_attributes, merged))
    return false;
  return async_signature_runner->impl->ReconcileRestrictions(
      io_type, name, user_provided_attributes, merged, conflict);
}

bool TfLiteAsyncSignatureRunnerReconcileRestrictionsByIndex(
    const TfLiteAsyncSignatureRunner* async_signature_runner, int tensor_index,
    const TfLiteAttributeMap* user_provided_attributes, TfLiteAttributeMap* merged,
    TfLiteAttributeMap* conflict) {
  if (AnyIsNull(__func__, async_signature_runner, user_provided_attributes, merged)) return false;
  return async_signature_runner->impl->ReconcileRestrictions(tensor_index, user_provided_attributes,
                                                             merged, conflict);
}

TfLiteStatus TfLiteAsyncSignatureRunnerSetAttributes(
    TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteIoType io_type, const char* name,
    const TfLiteAttributeMap* attrs) {
  if (AnyIsNull(__func__, async_signature_runner, name, attrs)) return kTfLiteError;
  return async_signature_runner->impl->SetAttributes(io_type, name, attrs);
}

TfLiteStatus TfLiteAsyncSignatureRunnerSetAttributesByIndex(
    TfLiteAsyncSignatureRunner* async_signature_runner, int tensor_index,
    const TfLiteAttributeMap* attrs) {
  if (AnyIsNull(__func__, async_signature_runner, attrs)) return kTfLiteError;
  return async_signature_runner->impl->SetAttributes(tensor_index, attrs);
}

TfLiteStatus TfLiteAsyncSignatureRunnerPrepareBackends(
    TfLiteAsyncSignatureRunner* async_signature_runner) {
  if (IsNull(async_signature_runner, __func__)) return kTfLiteError;
  return async_signature_runner->impl->PrepareBackends();
}

TfLiteExecutionTask* TfLiteAsyncSignatureRunnerCreateTask(
    TfLiteAsyncSignatureRunner* async_signature_runner) {
  if (IsNull(async_signature_runner, __func__)) return nullptr;
  return async_signature_runner->impl->CreateTask();
}

TfLiteStatus TfLiteAsyncSignatureRunnerInvokeAsync(
    TfLiteAsyncSignatureRunner* async_signature_runner, TfLiteExecutionTask* task) {
  if (AnyIsNull(__func__, async_signature_runner, task)) return kTfLiteError;
  return async_signature_runner->impl->InvokeAsync(task);
}

TfLiteStatus TfLiteAsyncSignatureRunnerWait(TfLiteAsyncSignatureRunner* async_signature_runner,
                                            TfLiteExecutionTask* task) {
  if (AnyIsNull(__func__, async_signature_runner, task)) return kTfLiteError;
  return async_signature_runner->impl->Wait(task);
}

TfLiteStatus TfLiteAsyncSignatureRunnerFinish(TfLiteAsyncSignatureRunner* async_signature_runner,
                                              TfLiteExecutionTask* task) {
  if (AnyIsNull(__func__, async_signature_runner, task)) return kTfLiteError;
  return async_signature_runner->impl->Finish(task);
}

size_t TfLiteAsyncSignatureRunnerGetInputCount(
    const TfLiteAsyncSignatureRunner* async_signature_runner) {
  if (IsNull(async_signature_runner, __func__)) return 0;
  return async_signature_runner->impl->input_size();
}

const char* TfLiteAsyncSignatureRunnerGetInputName(
    const TfLiteAsyncSignatureRunner* async_signature_runner, int32_t input_index) {
  if (IsNull(async_signature_runner, __func__)) return nullptr;
  return SignatureName(async_signature_runner->impl->input_names(), input_index);
}

size_t TfLiteAsyncSignatureRunnerGetOutputCount(
    const TfLiteAsyncSignatureRunner* async_signature_runner) {
  if (IsNull(async_signature_runner, __func__)) return 0;
  return async_signature_runner->impl->output_size();
}

const char* TfLiteAsyncSignatureRunnerGetOutputName(
    const TfLiteAsyncSignatureRunner* async_signature_runner, int32_t output_index) {
  if (IsNull(async_signature_runner, __func__)) return nullptr;
  return SignatureName(async_signature_runner->impl->output_names(), output_index);
}

const TfLiteOpaqueTensor* TfLiteAsyncSignatureRunnerGetInputTensor(
    TfLiteAsyncSignatureRunner* async_signature_runner, const char* input_name) {
  if (AnyIsNull(__func__, async_signature_runner, input_name)) return nullptr;
  return async_signature_runner->impl->input_tensor(input_name);
}

const TfLiteOpaqueTensor* TfLiteAsyncSignatureRunnerGetOutputTensor(
    const TfLiteAsyncSignatureRunner* async_signature_runner, const char* output_name) {
  if (AnyIsNull(__func__, async_signature_runner, output_name)) return nullptr;
  return async_signature_runner->impl->output_tensor(output_name);
}

const int* TfLiteAsyncSignatureRunnerInputTensorIndices(
    const TfLiteAsyncSignatureRunner* async_signature_runner) {
  if (IsNull(async_signature_runner, __func__)) return nullptr;
  return async_signature_runner->impl->inputs().data();
}

const int* TfLiteAsyncSignatureRunnerOutputTensorIndices(
    const TfLiteAsyncSignatureRunner* async_signature_runner) {
  if (IsNull(async_signature_runner, __func__)) return nullptr;
  return async_signature_runner->impl->outputs().data();
}

const TfLiteOpaqueTensor* TfLiteAsyncSignatureRunnerGetTensor(
    const TfLiteAsyncSignatureRunner* async_signature_runner, int index) {
  if (IsNull(async_signature_runner, __func__)) return nullptr;
  return async_signature_runner->impl->tensor(index);
}
