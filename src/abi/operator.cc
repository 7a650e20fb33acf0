// SPDX-License-Identifier: Apache-2.0
// TfLiteOperator: its C functions and the calls that the runtime makes.
#include "abi/operator.h"

TfLiteOperator* TfLiteOperatorCreate(TfLiteBuiltinOperator builtin_code, const char* custom_name,
                                     int version, void* user_data) {
  auto* op = new TfLiteOperator;
  op->builtin_code = builtin_code;
  op->given_name = custom_name;
  if (custom_name != nullptr) op->custom_name = custom_name;
  op->version = version;
  op->user_data = user_data;
  return op;
}

void TfLiteOperatorDelete(TfLiteOperator* registration) { delete registration; }

TfLiteBuiltinOperator TfLiteOperatorGetBuiltInCode(const TfLiteOperator* registration) {
  return registration != nullptr ? registration->builtin_code
                                 : kTfLiteBuiltinPlaceholderForGreaterOpCodes;
}

const char* TfLiteOperatorGetCustomName(const TfLiteOperator* registration) {
  return registration != nullptr ? registration->given_name : nullptr;
}

int TfLiteOperatorGetVersion(const TfLiteOperator* registration) {
  return registration != nullptr ? registration->version : -1;
}

void* TfLiteOperatorGetUserData(const TfLiteOperator* registration) {
  return registration != nullptr ? registration->user_data : nullptr;
}

void TfLiteOperatorSetInit(TfLiteOperator* registration,
                           void* (*init)(TfLiteOpaqueContext* context, const char* buffer,
                                         size_t length)) {
  if (registration != nullptr) registration->init = init;
}

TfLiteStatus TfLiteOperatorSetInitWithData(TfLiteOperator* registration,
                                           void* (*init)(void* user_data,
                                                         TfLiteOpaqueContext* context,
                                                         const char* buffer, size_t length)) {
  if (registration == nullptr) return kTfLiteError;
  registration->init_with_data = init;
  return kTfLiteOk;
}

void TfLiteOperatorSetFree(TfLiteOperator* registration,
                           void (*free)(TfLiteOpaqueContext* context, void* data)) {
  if (registration != nullptr) registration->free = free;
}

TfLiteStatus TfLiteOperatorSetFreeWithData(TfLiteOperator* registration,
                                           void (*free)(void* user_data,
                                                        TfLiteOpaqueContext* context, void* data)) {
  if (registration == nullptr) return kTfLiteError;
  registration->free_with_data = free;
  return kTfLiteOk;
}

void TfLiteOperatorSetPrepare(TfLiteOperator* registration,
                              TfLiteStatus (*prepare)(TfLiteOpaqueContext* context,
                                                      TfLiteOpaqueNode* node)) {
  if (registration != nullptr) registration->prepare = prepare;
}

TfLiteStatus TfLiteOperatorSetPrepareWithData(TfLiteOperator* registration,
                                              TfLiteStatus (*prepare)(void* user_data,
                                                                      TfLiteOpaqueContext* context,
                                                                      TfLiteOpaqueNode* node)) {
  if (registration == nullptr) return kTfLiteError;
  registration->prepare_with_data = prepare;
  return kTfLiteOk;
}

void TfLiteOperatorSetInvoke(TfLiteOperator* registration,
                             TfLiteStatus (*invoke)(TfLiteOpaqueContext* context,
                                                    TfLiteOpaqueNode* node)) {
  if (registration != nullptr) registration->invoke = invoke;
}

TfLiteStatus TfLiteOperatorSetInvokeWithData(TfLiteOperator* registration,
                                             TfLiteStatus (*invoke)(void* user_data,
                                                                    TfLiteOpaqueContext* context,
                                                                    TfLiteOpaqueNode* node)) {
  if (registration == nullptr) return kTfLiteError;
  registration->invoke_with_data = invoke;
  return kTfLiteOk;
}

void TfLiteOperatorSetAsyncKernel(TfLiteOperator* registration,
                                  TfLiteAsyncKernel* (*async_kernel)(TfLiteOpaqueContext* context,
                                                                     TfLiteOpaqueNode* node)) {
  if (registration != nullptr) registration->async_kernel = async_kernel;
}

TfLiteStatus TfLiteOperatorSetAsyncKernelWithData(
    TfLiteOperator* registration,
    TfLiteAsyncKernel* (*async_kernel)(void* user_data, TfLiteOpaqueContext* context,
                                       TfLiteOpaqueNode* node)) {
  if (registration == nullptr) return kTfLiteError;
  registration->async_kernel_with_data = async_kernel;
  return kTfLiteOk;
}

void TfLiteOperatorSetInplaceOperator(TfLiteOperator* registration, uint64_t inplace_operator) {
  if (registration != nullptr) registration->inplace_operator = inplace_operator;
}

namespace tern {
namespace {

TfLiteOpaqueContext* Opaque(TfLiteContext* context) {
  return reinterpret_cast<TfLiteOpaqueContext*>(context);
}

TfLiteOpaqueNode* Opaque(TfLiteNode* node) { return reinterpret_cast<TfLiteOpaqueNode*>(node); }

}  // namespace

TfLiteRegistration RegistrationOf(TfLiteOperator* op) {
  TfLiteRegistration registration = {};
  registration.builtin_code = op->builtin_code;
  if (op->given_name != nullptr) registration.custom_name = op->custom_name.c_str();
  registration.version = op->version;
  registration.registration_external = op;
  registration.inplace_operator = op->inplace_operator;
  return registration;
}

void* OperatorInit(const TfLiteOperator& op, TfLiteContext* context, const char* buffer,
                   size_t length) {
  if (op.init_with_data != nullptr) {
    return op.init_with_data(op.user_data, Opaque(context), buffer, length);
  }
  return op.init != nullptr ? op.init(Opaque(context), buffer, length) : nullptr;
}

void OperatorFree(const TfLiteOperator& op, TfLiteContext* context, void* user_data) {
  if (op.free_with_data != nullptr) {
    op.free_with_data(op.user_data, Opaque(context), user_data);
  } else if (op.free != nullptr) {
    op.free(Opaque(context), user_data);
  }
}

TfLiteStatus OperatorPrepare(const TfLiteOperator& op, TfLiteContext* context, TfLiteNode* node) {
  if (op.prepare_with_data != nullptr) {
    return op.prepare_with_data(op.user_data, Opaque(context), Opaque(node));
  }
  return op.prepare != nullptr ? op.prepare(Opaque(context), Opaque(node)) : kTfLiteOk;
}

TfLiteStatus OperatorInvoke(const TfLiteOperator& op, TfLiteContext* context, TfLiteNode* node) {
  if (op.invoke_with_data != nullptr) {
    return op.invoke_with_data(op.user_data, Opaque(context), Opaque(node));
  }
  return op.invoke != nullptr ? op.invoke(Opaque(context), Opaque(node)) : kTfLiteError;
}

TfLiteAsyncKernel* OperatorAsyncKernel(const TfLiteOperator& op, TfLiteContext* context,
                                       TfLiteNode* node) {
  if (op.async_kernel_with_data != nullptr) {
    return op.async_kernel_with_data(op.user_data, Opaque(context), Opaque(node));
  }
  return op.async_kernel != nullptr ? op.async_kernel(Opaque(context), Opaque(node)) : nullptr;
}

}  // namespace tern
