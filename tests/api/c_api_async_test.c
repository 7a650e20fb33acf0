// SPDX-License-Identifier: Apache-2.0
// The asynchronous C API: runs by a delegate that takes a whole graph and doubles its input between
// buffers, which are plain memory.
#include "c_api_check.h"
#include "tensorflow/lite/async/c/async_kernel.h"
#include "tensorflow/lite/async/c/async_signature_runner.h"
#include "tensorflow/lite/async/c/task.h"
#include "tensorflow/lite/async/interop/c/attribute_map.h"
#include "tensorflow/lite/async/interop/c/constants.h"
#include "tensorflow/lite/c/c_api_opaque.h"

struct backend {
  TfLiteAsyncKernel* kernel;
  const float* in;  // the registered buffers
  float* out;
  TfLiteBufferHandle in_handle, out_handle, slice_of;
  int registered, prepared, evaluated, waited, finished;
  TfLiteStatus eval_status;
};

static struct backend* backend_of(const TfLiteAsyncKernel* kernel) {
  return TfLiteAsyncKernelGetKernelData(kernel);
}

static TfLiteStatus register_buffer(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                    TfLiteIoType io_type, const TfLiteBackendBuffer* buffer,
                                    const TfLiteAttributeMap* attrs, TfLiteBufferHandle handle) {
  struct backend* backend = backend_of(kernel);
  const char* type = NULL;
  CHECK(context != NULL);
  if (!TfLiteAttributeMapGetStringBufferAttr(attrs, kTfLiteBufferAttrKeyResourceTypeName, &type) ||
      strcmp(type, "ram") != 0) {
    return kTfLiteError;
  }
  if (io_type == kTfLiteIoTypeInput) {
    backend->in = TfLiteBackendBufferGetPtr(buffer);
    backend->in_handle = handle;
  } else {
    backend->out = TfLiteBackendBufferGetPtr(buffer);
    backend->out_handle = handle;
  }
  ++backend->registered;
  return kTfLiteOk;
}

static TfLiteStatus register_slice(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                   TfLiteBufferHandle pool, const TfLiteAttributeMap* attrs,
                                   TfLiteBufferHandle handle) {
  CHECK(context != NULL && attrs != NULL && handle != pool);
  backend_of(kernel)->slice_of = pool;
  ++backend_of(kernel)->registered;
  return kTfLiteOk;
}

static TfLiteStatus unregister(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                               TfLiteBufferHandle handle) {
  CHECK(context != NULL);
  if (handle < 0) return kTfLiteError;
  --backend_of(kernel)->registered;
  return kTfLiteOk;
}

static const char* const kBufferTypes[2] = {"ram", "rom"};
static const char* const kSyncTypes[1] = {"no_sync_obj"};

static void buffer_types(const TfLiteAsyncKernel* kernel, TfLiteIoType io_type,
                         const char* const** types, size_t* count) {
  CHECK(backend_of(kernel) != NULL);
  *types = kBufferTypes;
  *count = io_type == kTfLiteIoTypeInput ? 2 : 1;
}

static void sync_types(const TfLiteAsyncKernel* kernel, TfLiteIoType io_type,
                       const char* const** types, size_t* count) {
  CHECK(backend_of(kernel) != NULL && io_type != kTfLiteIoTypeUnknown);
  *types = kSyncTypes;
  *count = 1;
}

static bool reconcile(const TfLiteAsyncKernel* kernel, const TfLiteOpaqueContext* context,
                      const TfLiteOpaqueNode* node, int tensor_index,
                      const TfLiteAttributeMap* user, TfLiteAttributeMap* merged,
                      TfLiteAttributeMap* conflict) {
  CHECK(backend_of(kernel) != NULL && context != NULL && node != NULL && tensor_index >= 0);
  size_t size = 0;
  TfLiteAttributeMapCopy(user, merged);
  TfLiteAttributeMapSetSizeTBufferAttr(merged, kTfLiteBufferAttrKeyAlignment, 64);
  if (TfLiteAttributeMapGetSizeTBufferAttr(user, kTfLiteBufferAttrKeySize, &size) && size < 8) {
    if (conflict != NULL) TfLiteAttributeMapCopy(user, conflict);
    return false;
  }
  return true;
}

static TfLiteStatus set_attributes(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                                   TfLiteOpaqueNode* node, int tensor_index,
                                   const TfLiteAttributeMap* attrs) {
  CHECK(backend_of(kernel) != NULL && context != NULL && node != NULL && attrs != NULL);
  return tensor_index == 0 || tensor_index == 1 ? kTfLiteOk : kTfLiteError;
}

static TfLiteStatus set_buffer_attributes(TfLiteAsyncKernel* kernel,
                                          const TfLiteBackendBuffer* buffer,
                                          const TfLiteAttributeMap* attrs) {
  return kernel != NULL && buffer != NULL && attrs != NULL ? kTfLiteOk : kTfLiteError;
}

static TfLiteStatus get_buffer_attributes(TfLiteAsyncKernel* kernel,
                                          const TfLiteBackendBuffer* buffer,
                                          TfLiteAttributeMap* attrs) {
  return kernel != NULL && buffer != NULL && attrs != NULL ? kTfLiteOk : kTfLiteError;
}

static TfLiteStatus prepare(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                            TfLiteOpaqueNode* node) {
  CHECK(context != NULL && TfLiteOpaqueNodeNumberOfOutputs(node) == 1);
  ++backend_of(kernel)->prepared;
  return kTfLiteOk;
}

static TfLiteStatus eval(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                         TfLiteOpaqueNode* node, TfLiteExecutionTask* task) {
  struct backend* backend = backend_of(kernel);
  CHECK(context != NULL);
  ++backend->evaluated;
  const int in = TfLiteOpaqueNodeGetInputTensorIndex(node, 0);
  const int out = TfLiteOpaqueNodeGetOutputTensorIndex(node, 0);
  CHECK(TfLiteExecutionTaskGetBufferByIndex(task, in) == backend->in_handle);
  CHECK(TfLiteExecutionTaskGetBufferByIndex(task, out) == backend->out_handle);
  for (int i = 0; i < 2; ++i) backend->out[i] = 2 * backend->in[i];
  TfLiteExecutionTaskSetDelegateExecutionData(task, kernel, backend);
  return backend->eval_status;
}

static TfLiteStatus wait_for(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                             TfLiteExecutionTask* task) {
  CHECK(context != NULL);
  CHECK(TfLiteExecutionTaskGetDelegateExecutionData(task, kernel) == backend_of(kernel));
  ++backend_of(kernel)->waited;
  return backend_of(kernel)->eval_status;
}

static TfLiteStatus finish(TfLiteAsyncKernel* kernel, TfLiteOpaqueContext* context,
                           TfLiteExecutionTask* task) {
  CHECK(context != NULL && task != NULL);
  ++backend_of(kernel)->finished;
  return kTfLiteOk;
}

static TfLiteAsyncKernel* kernel_with_data(void* user_data, TfLiteOpaqueContext* context,
                                           TfLiteOpaqueNode* node) {
  CHECK(context != NULL && node != NULL);
  return ((struct backend*)user_data)->kernel;
}

static TfLiteStatus invoke_nothing(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
  (void)context;
  (void)node;
  return kTfLiteError;
}

static TfLiteStatus take_graph(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate,
                               void* data) {
  TfLiteIntArray* plan = NULL;
  TfLiteOpaqueContextGetExecutionPlan(context, &plan);
  TfLiteIntArray* nodes = TfLiteIntArrayCopy(plan);
  TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinDelegate, "Doubler", 1, data);
  TfLiteOperatorSetInvoke(op, invoke_nothing);
  CHECK(TfLiteOperatorSetAsyncKernelWithData(op, kernel_with_data) == kTfLiteOk);
  const TfLiteStatus status =
      TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(context, op, nodes, delegate);
  TfLiteIntArrayFree(nodes);
  return status;
}

static void set_functions(TfLiteAsyncKernel* kernel) {
  TfLiteAsyncKernelSetRegisterBuffer(kernel, register_buffer);
  TfLiteAsyncKernelSetRegisterBufferSlice(kernel, register_slice);
  TfLiteAsyncKernelSetUnregisterBuffer(kernel, unregister);
  TfLiteAsyncKernelSetSupportedBufferTypes(kernel, buffer_types);
  TfLiteAsyncKernelSetSupportedSynchronizations(kernel, sync_types);
  TfLiteAsyncKernelSetReconcileRestrictions(kernel, reconcile);
  TfLiteAsyncKernelSetSetAttributes(kernel, set_attributes);
  TfLiteAsyncKernelSetSetBufferAttributes(kernel, set_buffer_attributes);
  TfLiteAsyncKernelSetGetBufferAttributes(kernel, get_buffer_attributes);
  TfLiteAsyncKernelSetPrepare(kernel, prepare);
  TfLiteAsyncKernelSetEval(kernel, eval);
  TfLiteAsyncKernelSetWait(kernel, wait_for);
  TfLiteAsyncKernelSetFinish(kernel, finish);
}

static void look_at_runner(TfLiteAsyncSignatureRunner* runner) {
  CHECK(TfLiteAsyncSignatureRunnerGetInputCount(runner) == 1);
  CHECK(TfLiteAsyncSignatureRunnerGetOutputCount(runner) == 1);
  CHECK(strcmp(TfLiteAsyncSignatureRunnerGetInputName(runner, 0), "value") == 0);
  CHECK(strcmp(TfLiteAsyncSignatureRunnerGetOutputName(runner, 0), "double") == 0);
  CHECK(TfLiteAsyncSignatureRunnerGetInputName(runner, 1) == NULL);
  CHECK(TfLiteAsyncSignatureRunnerGetOutputName(runner, -1) == NULL);
  const TfLiteOpaqueTensor* x = TfLiteAsyncSignatureRunnerGetInputTensor(runner, "value");
  CHECK(strcmp(TfLiteOpaqueTensorName(x), "x") == 0);
  const TfLiteOpaqueTensor* sum = TfLiteAsyncSignatureRunnerGetOutputTensor(runner, "double");
  CHECK(strcmp(TfLiteOpaqueTensorName(sum), "sum") == 0);
  CHECK(TfLiteAsyncSignatureRunnerGetInputTensor(runner, "double") == NULL);
  CHECK(TfLiteAsyncSignatureRunnerGetOutputTensor(runner, NULL) == NULL);
  CHECK(TfLiteAsyncSignatureRunnerInputTensorIndices(runner)[0] == 0);
  CHECK(TfLiteAsyncSignatureRunnerOutputTensorIndices(runner)[0] == 1);
  CHECK(TfLiteAsyncSignatureRunnerGetTensor(runner, 1) == sum);
  CHECK(TfLiteAsyncSignatureRunnerGetTensor(runner, 42) == NULL);

  const char* const* types = NULL;
  size_t count = 0;
  CHECK(TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(runner, kTfLiteIoTypeInput, &types,
                                                          &count) == kTfLiteOk);
  CHECK(count == 2 && strcmp(types[1], "rom") == 0);
  CHECK(TfLiteAsyncSignatureRunnerGetSupportedSynchronizationTypes(runner, kTfLiteIoTypeOutput,
                                                                   &types, &count) == kTfLiteOk);
  CHECK(count == 1 && strcmp(types[0], kTfLiteSyncTypeNoSyncObj) == 0);
  CHECK(TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(runner, kTfLiteIoTypeUnknown, &types,
                                                          &count) == kTfLiteError);
}

static void agree(TfLiteAsyncSignatureRunner* runner, TfLiteAttributeMap* attrs) {
  TfLiteAttributeMap* merged = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
  TfLiteAttributeMap* conflict = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
  size_t size = 0;
  CHECK(TfLiteAsyncSignatureRunnerReconcileRestrictions(runner, kTfLiteIoTypeInput, "value", attrs,
                                                        merged, conflict));
  CHECK(TfLiteAttributeMapGetSizeTBufferAttr(merged, kTfLiteBufferAttrKeyAlignment, &size));
  CHECK(size == 64);
  CHECK(!TfLiteAsyncSignatureRunnerReconcileRestrictions(runner, kTfLiteIoTypeInput, "none", attrs,
                                                         merged, conflict));
  CHECK(!TfLiteAsyncSignatureRunnerReconcileRestrictionsByIndex(runner, 42, attrs, merged, NULL));
  TfLiteAttributeMapSetSizeTBufferAttr(attrs, kTfLiteBufferAttrKeySize, 4);
  CHECK(
      !TfLiteAsyncSignatureRunnerReconcileRestrictionsByIndex(runner, 1, attrs, merged, conflict));
  CHECK(TfLiteAttributeMapGetSizeTBufferAttr(conflict, kTfLiteBufferAttrKeySize, &size));
  CHECK(size == 4);
  const TfLiteIoType out = kTfLiteIoTypeOutput;
  CHECK(TfLiteAsyncSignatureRunnerSetAttributes(runner, out, "double", merged) == kTfLiteOk);
  CHECK(TfLiteAsyncSignatureRunnerSetAttributes(runner, out, "value", merged) == kTfLiteError);
  CHECK(TfLiteAsyncSignatureRunnerSetAttributesByIndex(runner, 0, merged) == kTfLiteOk);
  CHECK(TfLiteAsyncSignatureRunnerSetAttributesByIndex(runner, 42, merged) == kTfLiteError);
  CHECK(TfLiteAsyncSignatureRunnerSetAttributesByIndex(runner, 0, NULL) == kTfLiteError);
  TfLiteAttributeMapDelete(merged);
  TfLiteAttributeMapDelete(conflict);
}

static void run_task(TfLiteAsyncSignatureRunner* runner, struct backend* backend,
                     TfLiteBufferHandle in, TfLiteBufferHandle out) {
  TfLiteExecutionTask* task = TfLiteAsyncSignatureRunnerCreateTask(runner);
  CHECK(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeInput, "value", in) == kTfLiteOk);
  CHECK(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeOutput, "double", out) == kTfLiteOk);
  CHECK(TfLiteAsyncSignatureRunnerWait(runner, task) == kTfLiteOk && backend->waited == 0);
  CHECK(TfLiteAsyncSignatureRunnerInvokeAsync(runner, task) == kTfLiteOk);
  CHECK(TfLiteAsyncSignatureRunnerInvokeAsync(runner, task) == kTfLiteError);  // under way
  CHECK(backend->evaluated == 1);
  CHECK(TfLiteAsyncSignatureRunnerWait(runner, task) == kTfLiteOk && backend->waited == 1);
  CHECK(backend->out[0] == 6 && backend->out[1] == 8);
  backend->eval_status = kTfLiteError;
  CHECK(TfLiteAsyncSignatureRunnerInvokeAsync(runner, task) == kTfLiteError);
  CHECK(TfLiteExecutionTaskGetStatus(task) == kTfLiteError);
  CHECK(TfLiteAsyncSignatureRunnerWait(runner, task) == kTfLiteError);
  CHECK(TfLiteAsyncSignatureRunnerWait(runner, task) == kTfLiteError && backend->waited == 2);
  CHECK(TfLiteAsyncSignatureRunnerFinish(runner, task) == kTfLiteOk && backend->finished == 1);
}

static void test_null_runners(void) {
  const char* const* types = NULL;
  size_t count = 0;
  TfLiteBufferHandle handle = 0;
  CHECK(TfLiteInterpreterGetAsyncSignatureRunner(NULL, "serve") == NULL);
  CHECK(TfLiteAsyncSignatureRunnerRegisterBuffer(NULL, kTfLiteIoTypeInput, NULL, NULL, &handle) ==
        kTfLiteError);
  CHECK(TfLiteAsyncSignatureRunnerRegisterBufferSlice(NULL, 0, NULL, &handle) == kTfLiteError);
  CHECK(TfLiteAsyncSignatureRunnerUnregisterBuffer(NULL, 0) == kTfLiteError);
  CHECK(TfLiteAsyncSignatureRunnerGetSupportedSynchronizationTypes(NULL, kTfLiteIoTypeInput, &types,
                                                                   &count) == kTfLiteError);
  CHECK(TfLiteAsyncSignatureRunnerPrepareBackends(NULL) == kTfLiteError);
  CHECK(TfLiteAsyncSignatureRunnerCreateTask(NULL) == NULL);
  CHECK(TfLiteAsyncSignatureRunnerInvokeAsync(NULL, NULL) == kTfLiteError);
  CHECK(TfLiteAsyncSignatureRunnerWait(NULL, NULL) == kTfLiteError);
  CHECK(TfLiteAsyncSignatureRunnerFinish(NULL, NULL) == kTfLiteError);
  CHECK(TfLiteAsyncSignatureRunnerGetInputCount(NULL) == 0);
  CHECK(TfLiteAsyncSignatureRunnerInputTensorIndices(NULL) == NULL);
  CHECK(TfLiteAsyncSignatureRunnerGetTensor(NULL, 0) == NULL);
  TfLiteAsyncSignatureRunnerDelete(NULL);
  TfLiteAsyncKernelSetEval(NULL, eval);
  CHECK(TfLiteAsyncKernelGetKernelData(NULL) == NULL);
  TfLiteAsyncKernelDelete(NULL);
}

void test_async_runs(void) {
  test_null_runners();
  struct backend backend;
  memset(&backend, 0, sizeof(backend));
  backend.kernel = TfLiteAsyncKernelCreate(&backend);
  TfLiteOpaqueDelegateBuilder builder;
  memset(&builder, 0, sizeof(builder));
  builder.data = &backend;
  builder.Prepare = take_graph;
  TfLiteOpaqueDelegate* delegate = TfLiteOpaqueDelegateCreate(&builder);
  TfLiteModel* model = TfLiteModelCreateFromFile(path_of("add.tflite"));
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsAddDelegate(options, delegate);
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
  CHECK(TfLiteInterpreterGetAsyncSignatureRunner(interpreter, "none") == NULL);
  TfLiteAsyncSignatureRunner* runner = TfLiteInterpreterGetAsyncSignatureRunner(interpreter, NULL);

  // A kernel without functions fails; then it gets them.
  CHECK(TfLiteAsyncSignatureRunnerPrepareBackends(runner) == kTfLiteError);
  set_functions(backend.kernel);
  look_at_runner(runner);
  const float in[2] = {3, 4};
  float out[2] = {0, 0};
  TfLiteBackendBuffer* buffer = TfLiteBackendBufferCreate();
  TfLiteAttributeMap* attrs = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
  TfLiteBufferHandle in_handle = 0, out_handle = 0, slice = 0;
  TfLiteBackendBufferSetPtr(buffer, (void*)in);
  CHECK(TfLiteAsyncSignatureRunnerRegisterBuffer(runner, kTfLiteIoTypeInput, buffer, attrs,
                                                 &in_handle) == kTfLiteError);  // of no type
  CHECK(in_handle == kTfLiteNullBufferHandle);
  TfLiteAttributeMapSetStringBufferAttr(attrs, kTfLiteBufferAttrKeyResourceTypeName, "ram");
  CHECK(TfLiteAsyncSignatureRunnerRegisterBuffer(runner, kTfLiteIoTypeInput, buffer, attrs,
                                                 &in_handle) == kTfLiteOk);
  TfLiteBackendBufferSetPtr(buffer, out);
  CHECK(TfLiteAsyncSignatureRunnerRegisterBuffer(runner, kTfLiteIoTypeOutput, buffer, attrs,
                                                 &out_handle) == kTfLiteOk);
  CHECK(in_handle >= 0 && out_handle >= 0 && in_handle != out_handle);
  CHECK(TfLiteAsyncSignatureRunnerRegisterBufferSlice(runner, out_handle, attrs, &slice) ==
        kTfLiteOk);
  CHECK(slice != out_handle && backend.slice_of == out_handle && backend.registered == 3);
  agree(runner, attrs);
  CHECK(TfLiteAsyncSignatureRunnerPrepareBackends(runner) == kTfLiteOk && backend.prepared == 1);
  run_task(runner, &backend, in_handle, out_handle);
  CHECK(TfLiteAsyncSignatureRunnerUnregisterBuffer(runner, slice) == kTfLiteOk);
  CHECK(TfLiteAsyncSignatureRunnerUnregisterBuffer(runner, -5) == kTfLiteError);
  CHECK(backend.registered == 2);

  TfLiteAttributeMapDelete(attrs);
  TfLiteBackendBufferDelete(buffer);
  TfLiteAsyncSignatureRunnerDelete(runner);
  TfLiteInterpreterDelete(interpreter);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
  TfLiteOpaqueDelegateDelete(delegate);
  TfLiteAsyncKernelDelete(backend.kernel);
}
