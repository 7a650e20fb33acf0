// SPDX-License-Identifier: Apache-2.0
// C functions under the names that they had before.
#include "tensorflow/lite/core/c/c_api.h"
#include "tensorflow/lite/core/c/operator.h"

TfLiteRegistrationExternal* TfLiteRegistrationExternalCreate(TfLiteBuiltinOperator builtin_code,
                                                             const char* custom_name, int version) {
  return TfLiteOperatorCreate(builtin_code, custom_name, version, /*user_data=*/nullptr);
}

void TfLiteRegistrationExternalDelete(TfLiteRegistrationExternal* registration) {
  TfLiteOperatorDelete(registration);
}

TfLiteBuiltinOperator TfLiteRegistrationExternalGetBuiltInCode(
    const TfLiteRegistrationExternal* registration) {
  return TfLiteOperatorGetBuiltInCode(registration);
}

const char* TfLiteRegistrationExternalGetCustomName(
    const TfLiteRegistrationExternal* registration) {
  return TfLiteOperatorGetCustomName(registration);
}

int TfLiteRegistrationExternalGetVersion(const TfLiteRegistrationExternal* registration) {
  return TfLiteOperatorGetVersion(registration);
}

void TfLiteRegistrationExternalSetInit(TfLiteRegistrationExternal* registration,
                                       void* (*init)(TfLiteOpaqueContext* context,
                                                     const char* buffer, size_t length)) {
  TfLiteOperatorSetInit(registration, init);
}

void TfLiteRegistrationExternalSetFree(TfLiteRegistrationExternal* registration,
                                       void (*free)(TfLiteOpaqueContext* context, void* data)) {
  TfLiteOperatorSetFree(registration, free);
}

void TfLiteRegistrationExternalSetPrepare(TfLiteRegistrationExternal* registration,
                                          TfLiteStatus (*prepare)(TfLiteOpaqueContext* context,
                                                                  TfLiteOpaqueNode* node)) {
  TfLiteOperatorSetPrepare(registration, prepare);
}

void TfLiteRegistrationExternalSetInvoke(TfLiteRegistrationExternal* registration,
                                         TfLiteStatus (*invoke)(TfLiteOpaqueContext* context,
                                                                TfLiteOpaqueNode* node)) {
  TfLiteOperatorSetInvoke(registration, invoke);
}

void TfLiteInterpreterOptionsAddRegistrationExternal(TfLiteInterpreterOptions* options,
                                                     TfLiteRegistrationExternal* registration) {
  TfLiteInterpreterOptionsAddOperator(options, registration);
}

void TfLiteInterpreterOptionsAddOpaqueDelegate(TfLiteInterpreterOptions* options,
                                               TfLiteOpaqueDelegateStruct* opaque_delegate) {
  // One kind of object stands behind both pointer types.
  TfLiteInterpreterOptionsAddDelegate(options,
                                      reinterpret_cast<TfLiteOpaqueDelegate*>(opaque_delegate));
}
