// SPDX-License-Identifier: Apache-2.0
// operator.h: an operation of plain callbacks in an interpreter, and the answers for NULL.
#include "tensorflow/lite/c/operator.h"

#include "c_api_check.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_opaque.h"

struct counts {
  int inits, frees, prepares, invokes;
};
static struct counts plain, with_data;

static void* plain_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
  CHECK(context != NULL && length == 3 && buffer[1] == 8);
  ++plain.inits;
  return &plain;
}

static void plain_free(TfLiteOpaqueContext* context, void* data) {
  CHECK(context != NULL && data == &plain);
  ++plain.frees;
}

static TfLiteStatus plain_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
  CHECK(context != NULL && TfLiteOpaqueNodeGetUserData(node) == &plain);
  ++plain.prepares;
  return kTfLiteOk;
}

static TfLiteStatus plain_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
  CHECK(context != NULL && TfLiteOpaqueNodeGetUserData(node) == &plain);
  ++plain.invokes;
  return kTfLiteOk;
}

static TfLiteAsyncKernel* plain_kernel(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
  (void)context;
  (void)node;
  return NULL;
}

static TfLiteStatus data_invoke(void* user_data, TfLiteOpaqueContext* context,
                                TfLiteOpaqueNode* node) {
  CHECK(context != NULL && node != NULL);
  ++((struct counts*)user_data)->invokes;
  return kTfLiteOk;
}

static void test_null_operators(void) {
  CHECK(TfLiteOperatorGetBuiltInCode(NULL) == kTfLiteBuiltinPlaceholderForGreaterOpCodes);
  CHECK(TfLiteOperatorGetCustomName(NULL) == NULL);
  CHECK(TfLiteOperatorGetVersion(NULL) == -1);
  CHECK(TfLiteOperatorGetUserData(NULL) == NULL);
  TfLiteOperatorSetInit(NULL, plain_init);
  TfLiteOperatorSetFree(NULL, plain_free);
  TfLiteOperatorSetPrepare(NULL, plain_prepare);
  TfLiteOperatorSetInvoke(NULL, plain_invoke);
  TfLiteOperatorSetAsyncKernel(NULL, plain_kernel);
  TfLiteOperatorSetInplaceOperator(NULL, 1);
  CHECK(TfLiteOperatorSetInitWithData(NULL, NULL) == kTfLiteError);
  CHECK(TfLiteOperatorSetFreeWithData(NULL, NULL) == kTfLiteError);
  CHECK(TfLiteOperatorSetPrepareWithData(NULL, NULL) == kTfLiteError);
  CHECK(TfLiteOperatorSetInvokeWithData(NULL, data_invoke) == kTfLiteError);
  CHECK(TfLiteOperatorSetAsyncKernelWithData(NULL, NULL) == kTfLiteError);
  TfLiteOperatorDelete(NULL);
}

static TfLiteStatus old_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
  ++plain.invokes;
  return context != NULL && node != NULL ? kTfLiteOk : kTfLiteError;
}

// Bindings look these up by name.
static void test_older_names(void) {
  static const char name[] = "Scale";
  TfLiteRegistrationExternal* op = TfLiteRegistrationExternalCreate(kTfLiteBuiltinCustom, name, 1);
  CHECK(TfLiteRegistrationExternalGetBuiltInCode(op) == kTfLiteBuiltinCustom);
  CHECK(TfLiteRegistrationExternalGetCustomName(op) == name);
  CHECK(TfLiteRegistrationExternalGetVersion(op) == 1);
  CHECK(TfLiteOperatorGetUserData(op) == NULL);
  TfLiteRegistrationExternalSetInit(op, NULL);
  TfLiteRegistrationExternalSetFree(op, NULL);
  TfLiteRegistrationExternalSetPrepare(op, NULL);
  TfLiteRegistrationExternalSetInvoke(op, old_invoke);
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsAddRegistrationExternal(options, op);
  TfLiteInterpreterOptionsAddOpaqueDelegate(options, NULL);
  TfLiteModel* model = TfLiteModelCreateFromFile(path_of("custom.tflite"));
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  CHECK(plain.invokes == 1);
  plain.invokes = 0;
  TfLiteInterpreterDelete(interpreter);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
  TfLiteRegistrationExternalDelete(op);
}

void test_operators(void) {
  test_null_operators();
  test_older_names();
  TfLiteOperator* builtin = TfLiteOperatorCreate(kTfLiteBuiltinAdd, NULL, 4, NULL);
  CHECK(TfLiteOperatorGetBuiltInCode(builtin) == kTfLiteBuiltinAdd);
  CHECK(TfLiteOperatorGetCustomName(builtin) == NULL);
  CHECK(TfLiteOperatorGetVersion(builtin) == 4);
  TfLiteOperatorDelete(builtin);

  TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Scale", 1, &with_data);
  CHECK(TfLiteOperatorGetUserData(op) == &with_data);
  TfLiteOperatorSetInit(op, plain_init);
  TfLiteOperatorSetFree(op, plain_free);
  TfLiteOperatorSetPrepare(op, plain_prepare);
  TfLiteOperatorSetInvoke(op, plain_invoke);
  TfLiteOperatorSetAsyncKernel(op, plain_kernel);
  TfLiteOperatorSetInplaceOperator(op, kTfLiteInplaceOpInput0Shared);
  TfLiteModel* model = TfLiteModelCreateFromFile(path_of("custom.tflite"));
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsAddOperator(options, op);
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  CHECK(plain.inits == 1 && plain.prepares == 1 && plain.invokes == 1);
  // A function with data goes before the plain one, even when it is set later.
  CHECK(TfLiteOperatorSetInvokeWithData(op, data_invoke) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  CHECK(plain.invokes == 1 && with_data.invokes == 1);
  TfLiteInterpreterDelete(interpreter);
  CHECK(plain.frees == 1);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
  TfLiteOperatorDelete(op);
}
