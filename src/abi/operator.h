// SPDX-License-Identifier: Apache-2.0
// The fields of a TfLiteOperator, and calls that pick the right one of its functions.
#ifndef TERN_ABI_OPERATOR_H_
#define TERN_ABI_OPERATOR_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "tensorflow/lite/core/c/operator.h"

struct TfLiteOperator {
  TfLiteBuiltinOperator builtin_code = kTfLiteBuiltinCustom;
  const char* given_name = nullptr;  // the caller's
  std::string custom_name;           // a copy of it, for as long as the operator lives
  int version = 1;
  void* user_data = nullptr;
  uint64_t inplace_operator = 0;

  void* (*init)(TfLiteOpaqueContext*, const char*, size_t) = nullptr;
  void (*free)(TfLiteOpaqueContext*, void*) = nullptr;
  TfLiteStatus (*prepare)(TfLiteOpaqueContext*, TfLiteOpaqueNode*) = nullptr;
  TfLiteStatus (*invoke)(TfLiteOpaqueContext*, TfLiteOpaqueNode*) = nullptr;
  TfLiteAsyncKernel* (*async_kernel)(TfLiteOpaqueContext*, TfLiteOpaqueNode*) = nullptr;

  void* (*init_with_data)(void*, TfLiteOpaqueContext*, const char*, size_t) = nullptr;
  void (*free_with_data)(void*, TfLiteOpaqueContext*, void*) = nullptr;
  TfLiteStatus (*prepare_with_data)(void*, TfLiteOpaqueContext*, TfLiteOpaqueNode*) = nullptr;
  TfLiteStatus (*invoke_with_data)(void*, TfLiteOpaqueContext*, TfLiteOpaqueNode*) = nullptr;
  TfLiteAsyncKernel* (*async_kernel_with_data)(void*, TfLiteOpaqueContext*,
                                               TfLiteOpaqueNode*) = nullptr;

  bool HasInit() const { return init != nullptr || init_with_data != nullptr; }
  bool HasFree() const { return free != nullptr || free_with_data != nullptr; }
  bool HasPrepare() const { return prepare != nullptr || prepare_with_data != nullptr; }
  bool HasInvoke() const { return invoke != nullptr || invoke_with_data != nullptr; }
};

namespace tern {

// A registration that stands for the operation: its codes and name, and itself in
// registration_external.
TfLiteRegistration RegistrationOf(TfLiteOperator* op);

// nullptr without an init function.
void* OperatorInit(const TfLiteOperator& op, TfLiteContext* context, const char* buffer,
                   size_t length);
void OperatorFree(const TfLiteOperator& op, TfLiteContext* context, void* user_data);
// Ok without a prepare function.
TfLiteStatus OperatorPrepare(const TfLiteOperator& op, TfLiteContext* context, TfLiteNode* node);
// Error without an invoke function.
TfLiteStatus OperatorInvoke(const TfLiteOperator& op, TfLiteContext* context, TfLiteNode* node);
// nullptr without such a function.
TfLiteAsyncKernel* OperatorAsyncKernel(const TfLiteOperator& op, TfLiteContext* context,
                                       TfLiteNode* node);

}  // namespace tern

#endif  // TERN_ABI_OPERATOR_H_
