// SPDX-License-Identifier: Apache-2.0
// A C11 program that uses the C API as an application does. Argument: the folder of add.tflite and
// custom.tflite.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "c_api_check.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/c/c_api_opaque.h"

int failures = 0;
static const char* folder;

const char* path_of(const char* name) {
  static char path[4096];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  return path;
}

void count_report(void* user_data, const char* format, va_list args) {
  (void)format;
  (void)args;
  ++*(int*)user_data;
}

static void take_words(void* user_data, const char* format, va_list args) {
  char* text = user_data;
  vsnprintf(text + strlen(text), 400 - strlen(text), format, args);
}

static void test_versions(void) {
  CHECK(strcmp(TfLiteVersion(), "2.19.0") == 0);
  CHECK(strcmp(TfLiteExtensionApisVersion(), TfLiteVersion()) == 0);
  CHECK(TfLiteSchemaVersion() == 3);
}

static void test_null_and_garbage(void) {
  int reports = 0;
  const char garbage[64] = "this is no model";
  CHECK(TfLiteModelCreateWithErrorReporter(garbage, sizeof(garbage), count_report, &reports) ==
        NULL);
  CHECK(reports == 1);
  CHECK(TfLiteModelCreateWithErrorReporter(NULL, 0, count_report, &reports) == NULL);
  CHECK(TfLiteModelCreateFromFileWithErrorReporter("/no/such/file", count_report, &reports) ==
        NULL);
  CHECK(reports == 3);
  CHECK(TfLiteInterpreterCreate(NULL, NULL) == NULL);
  TfLiteModelDelete(NULL);
  TfLiteInterpreterOptionsDelete(NULL);
  TfLiteInterpreterDelete(NULL);
  TfLiteSignatureRunnerDelete(NULL);
}

// What the file is stands behind the line that TensorFlow Lite's users know.
static void test_files_of_another_kind(void) {
  static const char* const files[][2] = {
      {"version https://git-lfs.github.com/spec/v1\nsize 9012345\n",
       "Model provided has model identifier 'ion ', should be 'TFL3'. The file is a Git LFS "
       "pointer: the file itself, which has 9012345 bytes, was not fetched"},
      {"<!DOCTYPE html>\n<html><head></head></html>\n",
       "Model provided has model identifier 'CTYP', should be 'TFL3'. The file is a web page"},
  };
  for (int i = 0; i < 2; ++i) {
    char words[400] = "";
    CHECK(TfLiteModelCreateWithErrorReporter(files[i][0], strlen(files[i][0]), take_words, words) ==
          NULL);
    CHECK(strncmp(words, files[i][1], strlen(files[i][1])) == 0);
  }
}

static void test_operation_without_kernel(void) {
  char words[400] = "";
  TfLiteModel* model = TfLiteModelCreateFromFile(path_of("custom.tflite"));
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetErrorReporter(options, take_words, words);
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteUnresolvedOps);
  CHECK(strncmp(words, "Encountered unresolved custom op: Scale.\n", 41) == 0);
  CHECK(strstr(words, "\nScale: the application must register it") != NULL);
  TfLiteInterpreterDelete(interpreter);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
}

static void test_run_and_resize(void) {
  TfLiteModel* model = TfLiteModelCreateFromFile(path_of("add.tflite"));
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetNumThreads(options, 2);
  CHECK(TfLiteInterpreterOptionsEnableCancellation(options, true) == kTfLiteOk);
  TfLiteInterpreterOptions* copy = TfLiteInterpreterOptionsCopy(options);
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, copy);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteInterpreterOptionsDelete(copy);
  TfLiteModelDelete(model);  // the interpreter keeps what it needs
  CHECK(interpreter != NULL);
  if (interpreter == NULL) return;

  CHECK(TfLiteInterpreterGetInputTensorCount(interpreter) == 1);
  CHECK(TfLiteInterpreterGetOutputTensorCount(interpreter) == 1);
  CHECK(TfLiteInterpreterInputTensorIndices(interpreter)[0] == 0);
  CHECK(TfLiteInterpreterOutputTensorIndices(interpreter)[0] == 1);
  CHECK(TfLiteInterpreterGetInputTensor(interpreter, 1) == NULL);
  CHECK(TfLiteInterpreterGetOutputTensor(interpreter, -1) == NULL);
  CHECK(TfLiteInterpreterGetTensor(interpreter, 99) == NULL);

  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  const int dims[2] = {3, 2};
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 5, dims, 2) == kTfLiteError);
  CHECK(TfLiteInterpreterResizeInputTensor(interpreter, 0, dims, 2) == kTfLiteOk);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
  CHECK(TfLiteTensorType(input) == kTfLiteFloat32);
  CHECK(TfLiteTensorNumDims(input) == 2);
  CHECK(TfLiteTensorDim(input, 0) == 3 && TfLiteTensorDim(input, 1) == 2);
  CHECK(TfLiteTensorByteSize(input) == 6 * sizeof(float));
  CHECK(strcmp(TfLiteTensorName(input), "x") == 0);
  CHECK(TfLiteTensorQuantizationParams(input).scale == 0.0f);
  const float values[6] = {1, 2, 3, -4, 0.5f, 0};
  CHECK(TfLiteTensorCopyFromBuffer(input, values, sizeof(values) - 1) == kTfLiteError);
  TfLiteTensor handle = *input;
  handle.type = kTfLiteResource;  // its bytes are a pointer
  CHECK(TfLiteTensorCopyFromBuffer(&handle, values, sizeof(values)) == kTfLiteError);
  CHECK(TfLiteTensorCopyFromBuffer(input, values, sizeof(values)) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  float sums[6];
  const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
  CHECK(TfLiteTensorCopyToBuffer(output, sums, sizeof(sums)) == kTfLiteOk);
  for (int i = 0; i < 6; ++i) CHECK(sums[i] == 2 * values[i]);
  CHECK(((const float*)TfLiteTensorData(output))[3] == -8.0f);
  CHECK(TfLiteInterpreterCancel(interpreter) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);  // each run starts again
  TfLiteInterpreterDelete(interpreter);
}

static void* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  void* data = malloc(*size);
  if (fread(data, 1, *size, file) != *size) *size = 0;
  fclose(file);
  return data;
}

static void test_signature_from_buffer(void) {
  size_t size = 0;
  void* bytes = read_file(path_of("add.tflite"), &size);
  TfLiteModel* model = TfLiteModelCreate(bytes, size);
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, NULL);
  CHECK(interpreter != NULL);
  if (interpreter == NULL) return;
  CHECK(TfLiteInterpreterCancel(interpreter) == kTfLiteError);  // nobody enabled it
  CHECK(TfLiteInterpreterGetSignatureCount(interpreter) == 1);
  CHECK(strcmp(TfLiteInterpreterGetSignatureKey(interpreter, 0), "serve") == 0);
  CHECK(TfLiteInterpreterGetSignatureKey(interpreter, 1) == NULL);
  CHECK(TfLiteInterpreterGetSignatureRunner(interpreter, "none") == NULL);
  TfLiteSignatureRunner* runner = TfLiteInterpreterGetSignatureRunner(interpreter, "serve");
  CHECK(runner != NULL);
  if (runner == NULL) return;
  CHECK(TfLiteSignatureRunnerGetInputCount(runner) == 1);
  CHECK(TfLiteSignatureRunnerGetOutputCount(runner) == 1);
  CHECK(strcmp(TfLiteSignatureRunnerGetInputName(runner, 0), "value") == 0);
  CHECK(strcmp(TfLiteSignatureRunnerGetOutputName(runner, 0), "double") == 0);
  CHECK(TfLiteSignatureRunnerGetOutputName(runner, -1) == NULL);
  const int closed[2] = {1, 3};
  CHECK(TfLiteSignatureRunnerResizeInputTensor(runner, "value", closed, 2) == kTfLiteError);
  const int open[2] = {2, 2};
  CHECK(TfLiteSignatureRunnerResizeInputTensor(runner, "value", open, 2) == kTfLiteOk);
  CHECK(TfLiteSignatureRunnerAllocateTensors(runner) == kTfLiteOk);
  CHECK(TfLiteSignatureRunnerGetInputTensor(runner, "none") == NULL);
  const float values[4] = {1, 2, 3, 4};
  TfLiteTensor* input = TfLiteSignatureRunnerGetInputTensor(runner, "value");
  CHECK(TfLiteTensorCopyFromBuffer(input, values, sizeof(values)) == kTfLiteOk);
  CHECK(TfLiteSignatureRunnerInvoke(runner) == kTfLiteOk);
  const TfLiteTensor* output = TfLiteSignatureRunnerGetOutputTensor(runner, "double");
  CHECK(output != NULL && ((const float*)TfLiteTensorData(output))[3] == 8.0f);
  TfLiteSignatureRunnerDelete(runner);
  TfLiteInterpreterDelete(interpreter);
  TfLiteModelDelete(model);
  free(bytes);
}

// ---- a custom operation on opaque objects: y = factor * x

struct scale_op {
  float factor;
  int inits, frees;
};

static void* scale_init(void* user_data, TfLiteOpaqueContext* context, const char* buffer,
                        size_t length) {
  (void)context;
  CHECK(length == 3 && buffer[0] == 7 && buffer[2] == 9);
  ++((struct scale_op*)user_data)->inits;
  return user_data;
}

static void scale_free(void* user_data, TfLiteOpaqueContext* context, void* data) {
  (void)context;
  CHECK(data == user_data);
  ++((struct scale_op*)user_data)->frees;
}

static TfLiteStatus scale_prepare(void* user_data, TfLiteOpaqueContext* context,
                                  TfLiteOpaqueNode* node) {
  (void)user_data;
  TF_LITE_OPAQUE_ENSURE_EQ(context, TfLiteOpaqueNodeNumberOfInputs(node), 1);
  const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
  TF_LITE_OPAQUE_ENSURE_TYPES_EQ(context, TfLiteOpaqueTensorType(input), kTfLiteFloat32);
  TfLiteIntArray* shape = TfLiteIntArrayCreate(TfLiteOpaqueTensorNumDims(input));
  for (int i = 0; i < shape->size; ++i) shape->data[i] = TfLiteOpaqueTensorDim(input, i);
  return TfLiteOpaqueContextResizeTensor(context, TfLiteOpaqueNodeGetOutput(context, node, 0),
                                         shape);
}

static TfLiteStatus scale_invoke(void* user_data, TfLiteOpaqueContext* context,
                                 TfLiteOpaqueNode* node) {
  CHECK(TfLiteOpaqueNodeGetUserData(node) == user_data);
  const TfLiteOpaqueTensor* input = TfLiteOpaqueNodeGetInput(context, node, 0);
  const float* x = (const float*)TfLiteOpaqueTensorData(input);
  float* y = (float*)TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetOutput(context, node, 0));
  for (size_t i = 0; i < TfLiteOpaqueTensorByteSize(input) / sizeof(float); ++i) {
    y[i] = ((struct scale_op*)user_data)->factor * x[i];
  }
  return kTfLiteOk;
}

static TfLiteOperator* make_scale(struct scale_op* op) {
  TfLiteOperator* scale = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Scale", 1, op);
  CHECK(TfLiteOperatorSetInitWithData(scale, scale_init) == kTfLiteOk);
  CHECK(TfLiteOperatorSetFreeWithData(scale, scale_free) == kTfLiteOk);
  CHECK(TfLiteOperatorSetPrepareWithData(scale, scale_prepare) == kTfLiteOk);
  CHECK(TfLiteOperatorSetInvokeWithData(scale, scale_invoke) == kTfLiteOk);
  CHECK(strcmp(TfLiteOperatorGetCustomName(scale), "Scale") == 0);
  CHECK(TfLiteOperatorGetUserData(scale) == op);
  return scale;
}

static void run_scale(TfLiteInterpreter* interpreter, float factor) {
  CHECK(interpreter != NULL);
  if (interpreter == NULL) return;
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  const float values[3] = {1, -2, 3};
  CHECK(TfLiteTensorCopyFromBuffer(TfLiteInterpreterGetInputTensor(interpreter, 0), values,
                                   sizeof(values)) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  const float* y = (const float*)TfLiteTensorData(TfLiteInterpreterGetOutputTensor(interpreter, 0));
  CHECK(y != NULL && y[1] == -2 * factor);
  TfLiteInterpreterDelete(interpreter);
}

static const TfLiteOperator* find_nothing(void* user_data, int op, int version) {
  (void)user_data;
  (void)op;
  (void)version;
  return NULL;
}

static const TfLiteOperator* find_scale(void* user_data, const char* name, int version) {
  CHECK(strcmp(name, "Scale") == 0 && version == 1);
  return (const TfLiteOperator*)user_data;
}

static void test_custom_operation(void) {
  struct scale_op op = {2.5f, 0, 0};
  TfLiteOperator* scale = make_scale(&op);
  TfLiteModel* model = TfLiteModelCreateFromFile(path_of("custom.tflite"));
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsAddOperator(options, scale);
  run_scale(TfLiteInterpreterCreate(model, options), 2.5f);
  CHECK(op.inits == 1 && op.frees == 1);
  run_scale(TfLiteInterpreterCreateWithSelectedOps(model, options), 2.5f);
  TfLiteInterpreterOptionsDelete(options);

  options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetOpResolverExternal(options, find_nothing, find_scale, scale);
  run_scale(TfLiteInterpreterCreate(model, options), 2.5f);
  CHECK(op.inits == 3 && op.frees == 3);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteOperatorDelete(scale);

  int reports = 0;
  options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetErrorReporter(options, count_report, &reports);
  TfLiteInterpreter* unresolved = TfLiteInterpreterCreate(model, options);
  CHECK(unresolved != NULL);  // a delegate could still bring the operation
  if (unresolved != NULL) CHECK(TfLiteInterpreterAllocateTensors(unresolved) != kTfLiteOk);
  CHECK(reports >= 1);
  TfLiteInterpreterDelete(unresolved);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
}

// ---- a delegate in C whose kernel fails when it runs

static TfLiteStatus fail_invoke(TfLiteContext* context, TfLiteNode* node) {
  (void)context;
  (void)node;
  return kTfLiteError;
}

static TfLiteStatus take_everything(TfLiteContext* context, TfLiteDelegate* delegate) {
  TfLiteIntArray* plan = NULL;
  TF_LITE_ENSURE_STATUS(context->GetExecutionPlan(context, &plan));
  TfLiteIntArray* nodes = TfLiteIntArrayCopy(plan);
  TfLiteRegistration kernel;
  memset(&kernel, 0, sizeof(kernel));
  kernel.builtin_code = kTfLiteBuiltinDelegate;
  kernel.custom_name = "FailingDelegate";
  kernel.version = 1;
  kernel.invoke = fail_invoke;
  const TfLiteStatus status =
      context->ReplaceNodeSubsetsWithDelegateKernels(context, kernel, nodes, delegate);
  TfLiteIntArrayFree(nodes);
  return status;
}

static void test_delegate_fallback(void) {
  TfLiteDelegate delegate = TfLiteDelegateCreate();
  delegate.Prepare = take_everything;
  TfLiteModel* model = TfLiteModelCreateFromFile(path_of("add.tflite"));
  for (int with_fallback = 0; with_fallback < 2; ++with_fallback) {
    int reports = 0;
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, count_report, &reports);
    TfLiteInterpreterOptionsAddDelegate(options, &delegate);
    TfLiteInterpreterOptionsSetEnableDelegateFallback(options, with_fallback == 1);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteInterpreterOptionsDelete(options);
    CHECK(interpreter != NULL);
    if (interpreter == NULL) continue;
    CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
    const float values[2] = {3, 4};
    CHECK(TfLiteTensorCopyFromBuffer(TfLiteInterpreterGetInputTensor(interpreter, 0), values,
                                     sizeof(values)) == kTfLiteOk);
    const TfLiteStatus status = TfLiteInterpreterInvoke(interpreter);
    CHECK(status == (with_fallback ? kTfLiteDelegateError : kTfLiteError));
    CHECK(reports >= 1);
    if (with_fallback) {
      const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
      CHECK(((const float*)TfLiteTensorData(output))[1] == 8.0f);
      CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
    }
    TfLiteInterpreterDelete(interpreter);
  }
  TfLiteModelDelete(model);
}

static void test_buffers_and_variables(void) {
  TfLiteModel* model = TfLiteModelCreateFromFile(path_of("add.tflite"));
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, NULL);
  CHECK(interpreter != NULL);
  if (interpreter == NULL) return;
  CHECK(TfLiteInterpreterGetVariableTensorCount(interpreter) == 0);
  CHECK(TfLiteInterpreterGetVariableTensor(interpreter, 0) == NULL);
  CHECK(TfLiteInterpreterGetInputTensorIndex(interpreter, 0) == 0);
  CHECK(TfLiteInterpreterGetOutputTensorIndex(interpreter, 1) == -1);
  static _Alignas(64) float mine[64] = {5, 6};
  const TfLiteCustomAllocation allocation = {mine, sizeof(mine)};
  CHECK(TfLiteInterpreterSetCustomAllocationForTensor(interpreter, 0, NULL, 0) == kTfLiteError);
  CHECK(TfLiteInterpreterSetCustomAllocationForTensor(interpreter, 0, &allocation, 0) == kTfLiteOk);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  const float* sums =
      (const float*)TfLiteTensorData(TfLiteInterpreterGetOutputTensor(interpreter, 0));
  CHECK(sums != NULL && sums[0] == 10 && sums[1] == 12);
  CHECK(TfLiteInterpreterEnsureTensorDataIsReadable(interpreter, 1) == kTfLiteOk);
  CHECK(TfLiteInterpreterResetVariableTensors(interpreter) == kTfLiteOk);
  TfLiteInterpreterDelete(interpreter);
  TfLiteModelDelete(model);
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s MODEL_FOLDER\n", argv[0]);
    return 2;
  }
  folder = argv[1];
  test_versions();
  test_null_and_garbage();
  test_files_of_another_kind();
  test_operation_without_kernel();
  test_run_and_resize();
  test_signature_from_buffer();
  test_custom_operation();
  test_delegate_fallback();
  test_buffers_and_variables();
  test_common();
  test_tensors();
  test_operators();
  test_opaque_objects();
  test_opaque_delegates();
  test_experimental();
  test_resolvers();
  test_telemetry();
  test_attributes();
  test_tasks();
  test_async_runs();
  if (failures == 0) printf("all checks hold\n");
  return failures == 0 ? 0 : 1;
}
