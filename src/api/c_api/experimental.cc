// SPDX-License-Identifier: Apache-2.0
// The C API's experimental part: variables, more operations, buffers, delegates after the fact.
#include "tensorflow/lite/core/c/c_api_experimental.h"

#include "api/c_api/handles.h"
#include "tensorflow/lite/c/c_api_for_testing.h"
#include "tensorflow/lite/minimal_logging.h"

using tern::c_api::IsNull;

namespace {

int IndexAt(const std::vector<int>& indices, int32_t position) {
  return position < 0 || static_cast<size_t>(position) >= indices.size()
             ? -1
             : indices[static_cast<size_t>(position)];
}

}  // namespace

TfLiteStatus TfLiteInterpreterResetVariableTensors(TfLiteInterpreter* interpreter) {
  if (IsNull(interpreter, __func__)) return kTfLiteError;
  return interpreter->impl->ResetVariableTensors();
}

int32_t TfLiteInterpreterGetVariableTensorCount(const TfLiteInterpreter* interpreter) {
  if (IsNull(interpreter, __func__)) return 0;
  return static_cast<int32_t>(interpreter->impl->variables().size());
}

TfLiteTensor* TfLiteInterpreterGetVariableTensor(const TfLiteInterpreter* interpreter,
                                                 int32_t variable_index) {
  if (IsNull(interpreter, __func__)) return nullptr;
  const int tensor = IndexAt(interpreter->impl->variables(), variable_index);
  return tensor < 0 ? nullptr : interpreter->impl->tensor(tensor);
}

void TfLiteInterpreterOptionsAddBuiltinOp(TfLiteInterpreterOptions* options,
                                          TfLiteBuiltinOperator op,
                                          const TfLiteRegistration* registration,
                                          int32_t min_version, int32_t max_version) {
  if (IsNull(options, __func__)) return;
  options->operations.AddBuiltin(static_cast<tflite::BuiltinOperator>(op), registration,
                                 min_version, max_version);
}

void TfLiteInterpreterOptionsAddCustomOp(TfLiteInterpreterOptions* options, const char* name,
                                         const TfLiteRegistration* registration,
                                         int32_t min_version, int32_t max_version) {
  if (IsNull(options, __func__)) return;
  options->operations.AddCustom(name, registration, min_version, max_version);
}

TfLiteInterpreter* TfLiteInterpreterCreateWithSelectedOps(const TfLiteModel* model,
                                                          const TfLiteInterpreterOptions* options) {
  if (IsNull(model, __func__)) return nullptr;
  return tern::c_api::CreateInterpreter(model, options,
                                        std::make_unique<tflite::MutableOpResolver>());
}

void TfLiteInterpreterOptionsSetUseNNAPI(TfLiteInterpreterOptions* /*options*/, bool enable) {
  if (enable) {
    TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING,
                    "This runtime has no NNAPI; the option is ignored.");
  }
}

void TfLiteInterpreterOptionsSetEnableDelegateFallback(TfLiteInterpreterOptions* options,
                                                       bool enable) {
  if (IsNull(options, __func__)) return;
  options->enable_delegate_fallback = enable;
}

void TfLiteInterpreterOptionsSetTelemetryProfiler(TfLiteInterpreterOptions* options,
                                                  TfLiteTelemetryProfilerStruct* profiler) {
  if (IsNull(options, __func__)) return;
  options->telemetry = profiler;
}

int32_t TfLiteInterpreterOptionsGetNumThreads(TfLiteInterpreterOptions* options) {
  if (IsNull(options, __func__)) return -1;
  return options->num_threads;
}

TfLiteStatus TfLiteInterpreterModifyGraphWithDelegate(const TfLiteInterpreter* interpreter,
                                                      TfLiteDelegate* delegate) {
  if (IsNull(interpreter, __func__)) return kTfLiteError;
  return interpreter->impl->ModifyGraphWithDelegate(delegate);
}

int32_t TfLiteInterpreterGetInputTensorIndex(const TfLiteInterpreter* interpreter,
                                             int32_t input_index) {
  if (IsNull(interpreter, __func__)) return -1;
  return IndexAt(interpreter->impl->inputs(), input_index);
}

int32_t TfLiteInterpreterGetOutputTensorIndex(const TfLiteInterpreter* interpreter,
                                              int32_t output_index) {
  if (IsNull(interpreter, __func__)) return -1;
  return IndexAt(interpreter->impl->outputs(), output_index);
}

TfLiteStatus TfLiteInterpreterSetCustomAllocationForTensor(TfLiteInterpreter* interpreter,
                                                           int tensor_index,
                                                           const TfLiteCustomAllocation* allocation,
                                                           int64_t flags) {
  if (IsNull(interpreter, __func__)) return kTfLiteError;
  if (IsNull(allocation, __func__)) return kTfLiteError;
  return interpreter->impl->SetCustomAllocationForTensor(tensor_index, *allocation, flags);
}

TfLiteStatus TfLiteInterpreterSetBufferHandle(TfLiteInterpreter* interpreter, TfLiteTensor* tensor,
                                              TfLiteBufferHandle buffer_handle,
                                              TfLiteOpaqueDelegate* delegate) {
  if (IsNull(interpreter, __func__)) return kTfLiteError;
  return interpreter->impl->SetBufferHandle(tensor, buffer_handle,
                                            reinterpret_cast<TfLiteDelegate*>(delegate));
}

TfLiteStatus TfLiteInterpreterGetBufferHandle(TfLiteInterpreter* interpreter, int tensor_index,
                                              TfLiteBufferHandle* buffer_handle,
                                              TfLiteOpaqueDelegate** delegate) {
  if (IsNull(interpreter, __func__)) return kTfLiteError;
  if (IsNull(buffer_handle, __func__) || IsNull(delegate, __func__)) return kTfLiteError;
  TfLiteDelegate* owner = nullptr;
  const TfLiteStatus status =
      interpreter->impl->GetBufferHandle(tensor_index, buffer_handle, &owner);
  *delegate = reinterpret_cast<TfLiteOpaqueDelegate*>(owner);
  return status;
}

void TfLiteSetAllowBufferHandleOutput(const TfLiteInterpreter* interpreter,
                                      bool allow_buffer_handle_output) {
  if (IsNull(interpreter, __func__)) return;
  interpreter->impl->SetAllowBufferHandleOutput(allow_buffer_handle_output);
}

TfLiteStatus TfLiteInterpreterEnsureTensorDataIsReadable(TfLiteInterpreter* interpreter,
                                                         int tensor_index) {
  if (IsNull(interpreter, __func__)) return kTfLiteError;
  return interpreter->impl->EnsureTensorDataIsReadable(tensor_index);
}
