// SPDX-License-Identifier: Apache-2.0
// c_api_opaque.h seen by an operation: "Accumulate" adds its input to a variable and copies that to
// the output, with a tensor of text and a temporary of its own.
#include "tensorflow/lite/c/c_api_opaque.h"

#include <stdlib.h>

#include "c_api_check.h"
#include "tensorflow/lite/c/c_api_experimental.h"

enum { kX = 0, kState = 1, kTable = 2, kY = 3 };

struct accumulate {
  int text;  // tensor indices
  int scratch;
  int reports;
};

static int add_tensor(TfLiteOpaqueContext* context, TfLiteType type,
                      TfLiteAllocationType allocation, void* data) {
  TfLiteOpaqueTensorBuilder* builder = TfLiteOpaqueTensorBuilderCreate();
  const TfLiteQuantizationParams params = {0.25f, 1};
  const TfLiteQuantization none = {kTfLiteNoQuantization, NULL};
  CHECK(TfLiteOpaqueTensorBuilderSetType(builder, type) == builder);
  CHECK(TfLiteOpaqueTensorBuilderSetData(builder, data) == builder);
  CHECK(TfLiteOpaqueTensorBuilderSetAllocationType(builder, allocation) == builder);
  CHECK(TfLiteOpaqueTensorBuilderSetQuantizationParams(builder, params) == builder);
  CHECK(TfLiteOpaqueTensorBuilderSetQuantization(builder, none) == builder);
  int index = -1;
  const TfLiteStatus status = TfLiteOpaqueContextAddTensor(context, builder, &index);
  CHECK((status == kTfLiteOk) == (index >= 0));
  TfLiteOpaqueTensorBuilderDelete(builder);
  return index;
}

static void* accumulate_init(void* user_data, TfLiteOpaqueContext* context, const char* buffer,
                             size_t length) {
  struct accumulate* op = user_data;
  CHECK(length == 3 && buffer[0] == 7);
  const size_t before = TfLiteOpaqueContextGetNumTensors(context);
  op->text = add_tensor(context, kTfLiteString, kTfLiteDynamic, malloc(8));
  op->scratch = add_tensor(context, kTfLiteFloat32, kTfLiteArenaRw, NULL);
  CHECK(TfLiteOpaqueContextGetNumTensors(context) == before + 2);
  // Data and kind of memory must fit.
  CHECK(add_tensor(context, kTfLiteFloat32, kTfLiteDynamic, NULL) == -1);
  CHECK(add_tensor(context, kTfLiteFloat32, kTfLiteArenaRw, op) == -1);
  CHECK(add_tensor(context, kTfLiteFloat32, kTfLiteMmapRo, NULL) == -1);
  return op;
}

static void look_at_context(TfLiteOpaqueContext* context) {
  CHECK(TfLiteOpaqueContextGetNumNodes(context) >= 1);
  CHECK(strcmp(TfLiteOpaqueContextGetName(context), "main") == 0);
  const int* indices = NULL;
  int count = 0;
  CHECK(TfLiteOpaqueContextGetInputs(context, &indices, &count) == kTfLiteOk);
  CHECK(count == 1 && indices[0] == kX);
  CHECK(TfLiteOpaqueContextGetOutputs(context, &indices, &count) == kTfLiteOk);
  CHECK(count == 1 && indices[0] == kY);
  CHECK(TfLiteOpaqueContextGetVariables(context, &indices, &count) == kTfLiteOk);
  CHECK(count == 1 && indices[0] == kState);
  size_t bytes = 0;
  CHECK(TfLiteOpaqueContextGetSizeOfType(context, kTfLiteInt64, &bytes) == kTfLiteOk);
  CHECK(bytes == 8);
  const char* text = NULL;
  CHECK(TfLiteOpaqueContextGetMetadata(context, "remark", &text, &bytes) == kTfLiteOk);
  CHECK(bytes == 4 && memcmp(text, "note", 4) == 0);
  CHECK(TfLiteOpaqueContextGetMetadata(context, "none", &text, &bytes) == kTfLiteError);
  void* external = &bytes;
  CHECK(TfLiteOpaqueContextGetExternalContext(context, &external, kTfLiteEdgeTpuContext) ==
        kTfLiteError);
  CHECK(TfLiteOpaqueContextGetOpaqueTensor(context, kY) != NULL);
  CHECK(TfLiteOpaqueContextGetOpaqueTensor(context, -1) == NULL);
  CHECK(TfLiteOpaqueContextGetOpaqueTensor(context, 1000) == NULL);
  // Only delegates may ask this.
  TfLiteIntArray* plan = NULL;
  CHECK(TfLiteOpaqueContextGetExecutionPlan(context, &plan) == kTfLiteError);
}

static void look_at_node(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node) {
  CHECK(TfLiteOpaqueNodeNumberOfInputs(node) == 4 && TfLiteOpaqueNodeNumberOfOutputs(node) == 1);
  CHECK(TfLiteOpaqueNodeGetBuiltinData(node) == NULL);
  const void* data = NULL;
  int size = 0;
  CHECK(TfLiteOpaqueNodeGetCustomInitialData(node, &data, &size) == kTfLiteOk);
  CHECK(size == 3 && ((const char*)data)[2] == 9);
  const int* indices = NULL;
  CHECK(TfLiteOpaqueNodeInputs(node, &indices, &size) == kTfLiteOk);
  CHECK(size == 4 && indices[2] == kTable && indices[3] == kTfLiteOptionalTensor);
  CHECK(TfLiteOpaqueNodeOutputs(node, &indices, &size) == kTfLiteOk && indices[0] == kY);
  CHECK(TfLiteOpaqueNodeGetInputTensorIndex(node, 1) == kState);
  CHECK(TfLiteOpaqueNodeGetInputTensorIndex(node, 4) == -1);
  CHECK(TfLiteOpaqueNodeGetOutputTensorIndex(node, 0) == kY);
  CHECK(TfLiteOpaqueNodeGetOutputTensorIndex(node, -1) == -1);
  CHECK(TfLiteOpaqueNodeGetInput(context, node, 3) == NULL);  // the optional one
  CHECK(TfLiteOpaqueNodeGetInput(context, node, 4) == NULL);
  CHECK(TfLiteOpaqueNodeGetOutput(context, node, 1) == NULL);
  int fd = -1;
  int64_t offset = 0, length = 0;
  CHECK(TfLiteOpaqueContextGetNodeInitDataMmapInfo(context, node, &fd, &offset, &length) ==
        kTfLiteOk);
  CHECK(fd >= 0 && offset > 0 && length == 3);
}

static void look_at_tensors(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node) {
  const TfLiteOpaqueTensor* x = TfLiteOpaqueNodeGetInput(context, node, 0);
  int32_t value = 0;
  CHECK(strcmp(TfLiteOpaqueTensorName(x), "x") == 0);
  CHECK(TfLiteOpaqueTensorGetNumDimsSignature(x, &value) == kTfLiteOk && value == 2);
  CHECK(TfLiteOpaqueTensorGetDimSignature(x, 0, &value) == kTfLiteOk && value == -1);
  CHECK(TfLiteOpaqueTensorGetDimSignature(x, 1, &value) == kTfLiteOk && value == 2);
  CHECK(TfLiteOpaqueTensorGetDimSignature(x, 2, &value) == kTfLiteError);
  CHECK(TfLiteOpaqueTensorDim(x, 2) == -1);
  CHECK(TfLiteOpaqueTensorGetStringCount(x) == -1);
  CHECK(TfLiteOpaqueTensorIsVariable(x) == 0);
  CHECK(TfLiteOpaqueTensorIsVariable(TfLiteOpaqueNodeGetInput(context, node, 1)) == 1);

  const TfLiteOpaqueTensor* table = TfLiteOpaqueNodeGetInput(context, node, 2);
  CHECK(TfLiteOpaqueTensorGetNumDimsSignature(table, &value) == kTfLiteOk && value == -1);
  CHECK(TfLiteOpaqueTensorGetAllocationType(table) == kTfLiteMmapRo);
  CHECK(TfLiteOpaqueTensorGetAllocationStrategy(table) == kTfLiteAllocationStrategyMMap);
  CHECK(TfLiteOpaqueTensorGetBufferAddressStability(table) == kTfLiteRunStabilityAcrossRuns);
  CHECK(TfLiteOpaqueTensorGetDataStability(table) == kTfLiteRunStabilityAcrossRuns);
  CHECK(TfLiteOpaqueTensorGetDataKnownStep(table) == kTfLiteRunStepInit);
  CHECK(TfLiteOpaqueTensorGetShapeKnownStep(table) == kTfLiteRunStepInit);
  const TfLiteQuantizationParams params = TfLiteOpaqueTensorGetQuantizationParams(table);
  CHECK(params.scale == 0.5f && params.zero_point == 3);
  const TfLiteQuantization quantization = TfLiteOpaqueTensorGetQuantization(table);
  CHECK(quantization.type == kTfLiteAffineQuantization);
  signed char bytes[4] = {0, 0, 0, 0};
  CHECK(TfLiteOpaqueTensorCopyToBuffer(table, bytes, 4) == kTfLiteOk && bytes[3] == 4);
  CHECK(TfLiteOpaqueTensorCopyToBuffer(table, bytes, 5) == kTfLiteError);
  CHECK(((const signed char*)TfLiteOpaqueTensorData(table))[0] == 1);
}

static TfLiteStatus accumulate_prepare(void* user_data, TfLiteOpaqueContext* context,
                                       TfLiteOpaqueNode* node) {
  struct accumulate* op = user_data;
  look_at_context(context);
  look_at_node(context, node);
  look_at_tensors(context, node);
  const int* temporaries = NULL;
  int count = -1;
  CHECK(TfLiteOpaqueNodeSetTemporaries(node, &op->scratch, -1) == kTfLiteError);
  CHECK(TfLiteOpaqueNodeSetTemporaries(node, &op->scratch, 1) == kTfLiteOk);
  CHECK(TfLiteOpaqueNodeTemporaries(node, &temporaries, &count) == kTfLiteOk);
  CHECK(count == 1 && temporaries[0] == op->scratch);
  TfLiteOpaqueTensor* scratch = TfLiteOpaqueContextGetOpaqueTensor(context, op->scratch);
  CHECK(TfLiteOpaqueTensorGetQuantizationParams(scratch).scale == 0.25f);
  TfLiteIntArray* shape = TfLiteIntArrayCreate(1);
  shape->data[0] = 2;
  return TfLiteOpaqueContextResizeTensor(context, scratch, shape);
}

static void write_text(TfLiteOpaqueTensor* text) {
  const char* const words[2] = {"ab", "cde"};
  const int lengths[2] = {2, 3};
  const char* word = NULL;
  int length = 0;
  CHECK(TfLiteOpaqueTensorWriteStrings(text, words, 2, lengths) == kTfLiteOk);
  CHECK(TfLiteOpaqueTensorGetStringCount(text) == 2);
  CHECK(TfLiteOpaqueTensorGetString(text, 1, &word, &length) == kTfLiteOk);
  CHECK(length == 3 && memcmp(word, "cde", 3) == 0);
  CHECK(TfLiteOpaqueTensorGetString(text, 2, &word, &length) == kTfLiteError);
  CHECK(TfLiteOpaqueTensorWriteStrings(text, words, -1, lengths) == kTfLiteError);
  CHECK(TfLiteOpaqueTensorWriteString(text, "f", -1) == kTfLiteError);
  CHECK(TfLiteOpaqueTensorWriteString(text, "f", 1) == kTfLiteOk);
  CHECK(TfLiteOpaqueTensorGetStringCount(text) == 1);
}

static void report_va(TfLiteOpaqueContext* context, const char* format, ...) {
  va_list args;
  va_start(args, format);
  TfLiteOpaqueContextReportErrorVa(context, format, args);
  va_end(args);
}

static TfLiteStatus accumulate_invoke(void* user_data, TfLiteOpaqueContext* context,
                                      TfLiteOpaqueNode* node) {
  struct accumulate* op = user_data;
  const TfLiteOpaqueTensor* x = TfLiteOpaqueNodeGetInput(context, node, 0);
  float* scratch = TfLiteOpaqueTensorData(TfLiteOpaqueContextGetOpaqueTensor(context, op->scratch));
  float* state = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetInput(context, node, 1));
  CHECK(TfLiteOpaqueTensorCopyToBuffer(x, scratch, 8) == kTfLiteOk);
  for (int i = 0; i < 2; ++i) state[i] += scratch[i];
  TfLiteOpaqueTensor* y = TfLiteOpaqueNodeGetOutput(context, node, 0);
  CHECK(TfLiteOpaqueTensorCopyFromBuffer(y, state, 4) == kTfLiteError);
  CHECK(TfLiteOpaqueTensorCopyFromBuffer(y, state, 8) == kTfLiteOk);
  CHECK(TfLiteOpaqueTensorWriteString(y, "no text", 7) == kTfLiteError);
  write_text(TfLiteOpaqueContextGetOpaqueTensor(context, op->text));
  if (state[0] <= 100) return kTfLiteOk;
  report_va(context, "The state is %d.", (int)state[0]);
  TfLiteOpaqueContextReportError(context, "It should be less than %d.", 101);
  return kTfLiteError;
}

// ---- The checks, in an operation that does nothing else.

static char said[1024];

static void keep_first_report(void* user_data, const char* format, va_list args) {
  (void)user_data;
  if (said[0] == 0) vsnprintf(said, sizeof(said), format, args);
}

static TfLiteStatus fail_check(void* user_data, TfLiteOpaqueContext* context,
                               TfLiteOpaqueNode* node) {
  TfLiteContext* plain = (TfLiteContext*)context;
  (void)node;
  switch (*(const int*)user_data) {
    case 0:
      TF_LITE_OPAQUE_ENSURE_MSG(context, 1 > 2, "one is less");
      break;
    case 1:
      TF_LITE_OPAQUE_ENSURE(context, 1 > 2);
      break;
    case 2:
      TF_LITE_OPAQUE_ENSURE_EQ(context, 1, 2);
      break;
    case 3:
      TF_LITE_OPAQUE_ENSURE_TYPES_EQ(context, kTfLiteInt8, kTfLiteBool);
      break;
    case 4:
      TF_LITE_OPAQUE_ENSURE_NEAR(context, 1.0, 2.0, 0.5);
      break;
    case 5:
      TF_LITE_ENSURE_MSG(plain, 1 > 2, "%d is less", 1);
      break;
    case 6:
      TF_LITE_ENSURE_OK(plain, kTfLiteError, "part %d failed", 3);
      break;
  }
  TF_LITE_OPAQUE_MAYBE_KERNEL_LOG((TfLiteOpaqueContext*)NULL, "nobody hears it");
  TF_LITE_OPAQUE_ENSURE_MSG(context, true, "fine");
  TF_LITE_OPAQUE_ENSURE_NEAR(context, 1.0, 1.25, 0.5);
  return kTfLiteOk;
}

static void test_checks(void) {
  static const char* const texts[8] = {"_test.c one is less",
                                       "1 > 2 was not true.",
                                       "1 != 2 (1 != 2)",
                                       "(INT8 != BOOL)",
                                       "1.0 not near 2.0 (1.000000 != 2.000000)",
                                       "_test.c 1 is less",
                                       "_test.c part 3 failed",
                                       NULL};
  int choice = 0;
  TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Scale", 1, &choice);
  TfLiteOperatorSetPrepareWithData(op, fail_check);
  TfLiteModel* model = TfLiteModelCreateFromFile(path_of("custom.tflite"));
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsAddOperator(options, op);
  // The first report says why, a second one which node failed.
  TfLiteInterpreterOptionsSetErrorReporter(options, keep_first_report, NULL);
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
  for (; choice < 8; ++choice) {
    said[0] = 0;
    const TfLiteStatus status = TfLiteInterpreterAllocateTensors(interpreter);
    CHECK(status == (texts[choice] == NULL ? kTfLiteOk : kTfLiteError));
    CHECK(texts[choice] == NULL || strstr(said, texts[choice]) != NULL);
  }
  TfLiteInterpreterDelete(interpreter);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
  TfLiteOperatorDelete(op);
}

static void test_kinds_of_memory(void) {
  TfLiteTensor plain;
  memset(&plain, 0, sizeof(plain));
  TfLiteOpaqueTensor* tensor = (TfLiteOpaqueTensor*)&plain;
  TfLiteOpaqueTensorSetAllocationTypeToDynamic(tensor);
  CHECK(TfLiteOpaqueTensorGetAllocationType(tensor) == kTfLiteDynamic);
  TfLiteOpaqueTensorSetNonCpuAllocation(tensor);
  CHECK(TfLiteOpaqueTensorGetAllocationType(tensor) == kTfLiteNonCpu);
}

static void test_null_tensors(void) {
  int32_t value = 0;
  int length = 0;
  const char* text = NULL;
  CHECK(TfLiteOpaqueTensorType(NULL) == kTfLiteNoType);
  CHECK(TfLiteOpaqueTensorNumDims(NULL) == -1 && TfLiteOpaqueTensorDim(NULL, 0) == -1);
  CHECK(TfLiteOpaqueTensorGetNumDimsSignature(NULL, &value) == kTfLiteError);
  CHECK(TfLiteOpaqueTensorGetDimSignature(NULL, 0, &value) == kTfLiteError);
  CHECK(TfLiteOpaqueTensorIsVariable(NULL) == 0 && TfLiteOpaqueTensorByteSize(NULL) == 0);
  CHECK(TfLiteOpaqueTensorData(NULL) == NULL && TfLiteOpaqueTensorName(NULL) == NULL);
  CHECK(TfLiteOpaqueTensorGetAllocationType(NULL) == kTfLiteMemNone);
  CHECK(TfLiteOpaqueTensorGetAllocationStrategy(NULL) == kTfLiteAllocationStrategyUnknown);
  CHECK(TfLiteOpaqueTensorGetDataStability(NULL) == kTfLiteRunStabilityUnknown);
  CHECK(TfLiteOpaqueTensorGetShapeKnownStep(NULL) == kTfLiteRunStepUnknown);
  CHECK(TfLiteOpaqueTensorGetQuantization(NULL).type == kTfLiteNoQuantization);
  CHECK(TfLiteOpaqueTensorGetQuantizationParams(NULL).scale == 0);
  CHECK(TfLiteOpaqueTensorCopyFromBuffer(NULL, &value, 4) == kTfLiteError);
  CHECK(TfLiteOpaqueTensorCopyToBuffer(NULL, &value, 4) == kTfLiteError);
  CHECK(TfLiteOpaqueTensorGetStringCount(NULL) == -1);
  CHECK(TfLiteOpaqueTensorGetString(NULL, 0, &text, &length) == kTfLiteError);
  CHECK(TfLiteOpaqueTensorWriteString(NULL, "a", 1) == kTfLiteError);
  CHECK(TfLiteOpaqueTensorWriteStrings(NULL, NULL, 0, NULL) == kTfLiteError);
  CHECK(TfLiteOpaqueTensorBuilderSetType(NULL, kTfLiteInt8) == NULL);
  TfLiteOpaqueTensorBuilderDelete(NULL);
  TfLiteOpaqueTensorSetAllocationTypeToDynamic(NULL);
  TfLiteOpaqueTensorSetNonCpuAllocation(NULL);
}

static void test_null_contexts(void) {
  const int* indices = NULL;
  int count = 0;
  size_t bytes = 0;
  TfLiteOpaqueNode* node = NULL;
  TfLiteOperator* op = NULL;
  CHECK(TfLiteOpaqueNodeGetInput(NULL, NULL, 0) == NULL);
  CHECK(TfLiteOpaqueNodeGetOutput(NULL, NULL, 0) == NULL);
  CHECK(TfLiteOpaqueNodeNumberOfInputs(NULL) == 0 && TfLiteOpaqueNodeNumberOfOutputs(NULL) == 0);
  CHECK(TfLiteOpaqueNodeGetUserData(NULL) == NULL && TfLiteOpaqueNodeGetBuiltinData(NULL) == NULL);
  CHECK(TfLiteOpaqueNodeInputs(NULL, &indices, &count) == kTfLiteError);
  CHECK(TfLiteOpaqueNodeSetTemporaries(NULL, NULL, 0) == kTfLiteError);
  CHECK(TfLiteOpaqueNodeGetInputTensorIndex(NULL, 0) == -1);
  CHECK(TfLiteOpaqueContextGetNodeAndRegistration(NULL, 0, &node, &op) == kTfLiteError);
  CHECK(TfLiteOpaqueContextGetVariables(NULL, &indices, &count) == kTfLiteError);
  CHECK(TfLiteOpaqueContextGetNumNodes(NULL) == 0 && TfLiteOpaqueContextGetNumTensors(NULL) == 0);
  CHECK(TfLiteOpaqueContextGetName(NULL) == NULL);
  CHECK(TfLiteOpaqueContextResizeTensor(NULL, NULL, TfLiteIntArrayCreate(1)) == kTfLiteError);
  CHECK(TfLiteOpaqueContextGetSizeOfType(NULL, kTfLiteInt8, &bytes) == kTfLiteError);
  CHECK(TfLiteOpaqueContextAddTensor(NULL, NULL, &count) == kTfLiteError);
  TfLiteOpaqueContextReportError(NULL, "nobody hears it");
}

void test_opaque_objects(void) {
  test_kinds_of_memory();
  test_null_tensors();
  test_null_contexts();
  test_checks();
  struct accumulate state = {-1, -1, 0};
  TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Accumulate", 2, &state);
  TfLiteOperatorSetInitWithData(op, accumulate_init);
  TfLiteOperatorSetPrepareWithData(op, accumulate_prepare);
  TfLiteOperatorSetInvokeWithData(op, accumulate_invoke);
  TfLiteModel* model = TfLiteModelCreateFromFile(path_of("state.tflite"));
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetErrorReporter(options, count_report, &state.reports);
  TfLiteInterpreterOptionsAddOperator(options, op);
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
  CHECK(interpreter != NULL);
  if (interpreter == NULL) return;
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  const float x[2] = {40, 1};
  TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
  CHECK(TfLiteTensorCopyFromBuffer(input, x, sizeof(x)) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  const float* y = TfLiteTensorData(TfLiteInterpreterGetOutputTensor(interpreter, 0));
  CHECK(y[0] == 80 && y[1] == 2);
  CHECK(TfLiteInterpreterGetVariableTensorCount(interpreter) == 1);
  TfLiteTensor* variable = TfLiteInterpreterGetVariableTensor(interpreter, 0);
  CHECK(strcmp(TfLiteTensorName(variable), "state") == 0);
  CHECK(((const float*)TfLiteTensorData(variable))[1] == 2);
  state.reports = 0;
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteError);
  CHECK(state.reports >= 2);
  CHECK(TfLiteInterpreterResetVariableTensors(interpreter) == kTfLiteOk);
  CHECK(((const float*)TfLiteTensorData(variable))[0] == 0);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk && y[0] == 40);
  TfLiteInterpreterDelete(interpreter);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
  TfLiteOperatorDelete(op);
}
