// SPDX-License-Identifier: Apache-2.0
// The asynchronous kernel as a class: functions of the C form that call it.
#include "tensorflow/lite/async/backend_async_kernel_interface.h"

namespace tflite::delegates {
namespace {

BackendAsyncKernelInterface& Object(const TfLiteAsyncKernel* kernel) {
  return *static_cast<BackendAsyncKernelInterface*>(TfLiteAsyncKernelGetKernelData(kernel));
}

void Show(const std::vector<const char*>& names, const char* const** types, size_t* n_types) {
  *types = names.data();
  *n_types = names.size();
}

}  // namespace

BackendAsyncKernelInterface::BackendAsyncKernelInterface()
    : kernel_(TfLiteAsyncKernelCreate(this)) {
  using Kernel = TfLiteAsyncKernel;
  TfLiteAsyncKernelSetRegisterBuffer(kernel_, [](Kernel* kernel, auto... arguments) {
    return Object(kernel).RegisterBuffer(arguments...);
  });
  TfLiteAsyncKernelSetRegisterBufferSlice(kernel_, [](Kernel* kernel, auto... arguments) {
    return Object(kernel).RegisterBufferSlice(arguments...);
  });
  TfLiteAsyncKernelSetUnregisterBuffer(kernel_, [](Kernel* kernel, auto... arguments) {
    return Object(kernel).UnregisterBuffer(arguments...);
  });
  TfLiteAsyncKernelSetSupportedBufferTypes(kernel_, [](const Kernel* kernel, TfLiteIoType io_type,
                                                       const char* const** types, size_t* n_types) {
    Show(Object(kernel).SupportedBufferTypes(io_type), types, n_types);
  });
  TfLiteAsyncKernelSetSupportedSynchronizations(
      kernel_,
      [](const Kernel* kernel, TfLiteIoType io_type, const char* const** types, size_t* n_types) {
        Show(Object(kernel).SupportedSynchronizations(io_type), types, n_types);
      });
  TfLiteAsyncKernelSetReconcileRestrictions(kernel_, [](const Kernel* kernel, auto... arguments) {
    return Object(kernel).ReconcileRestrictions(arguments...);
  });
  TfLiteAsyncKernelSetSetAttributes(kernel_, [](Kernel* kernel, auto... arguments) {
    return Object(kernel).SetAttributes(arguments...);
  });
  TfLiteAsyncKernelSetSetBufferAttributes(kernel_, [](Kernel* kernel, auto... arguments) {
    return Object(kernel).SetBufferAttributes(arguments...);
  });
  TfLiteAsyncKernelSetGetBufferAttributes(kernel_, [](Kernel* kernel, auto... arguments) {
    return Object(kernel).GetBufferAttributes(arguments...);
  });
  TfLiteAsyncKernelSetPrepare(kernel_, [](Kernel* kernel, auto... arguments) {
    return Object(kernel).Prepare(arguments...);
  });
  TfLiteAsyncKernelSetEval(
      kernel_, [](Kernel* kernel, auto... arguments) { return Object(kernel).Eval(arguments...); });
  TfLiteAsyncKernelSetWait(
      kernel_, [](Kernel* kernel, auto... arguments) { return Object(kernel).Wait(arguments...); });
  TfLiteAsyncKernelSetFinish(kernel_, [](Kernel* kernel, auto... arguments) {
    return Object(kernel).Finish(arguments...);
  });
}

BackendAsyncKernelInterface::~BackendAsyncKernelInterface() { TfLiteAsyncKernelDelete(kernel_); }

}  // namespace tflite::delegates
