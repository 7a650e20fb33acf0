// SPDX-License-Identifier: Apache-2.0
// c_api_opaque.h seen by a delegate, and buffer handles.
#include "c_api_check.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tensorflow/lite/delegates/external/external_delegate.h"
#include "tensorflow/lite/delegates/nnapi/nnapi_delegate_c_api.h"

struct delegate_state {
  int prepared, initialized, invoked, copied, freed;
};

static void* kernel_init(void* user_data, TfLiteOpaqueContext* context, const char* buffer,
                         size_t length) {
  const TfLiteOpaqueDelegateParams* params = (const void*)buffer;
  struct delegate_state* state = user_data;
  CHECK(context != NULL && length == 0 && params->delegate_data == state);
  CHECK(params->nodes_to_replace->size == 1 && params->output_tensors->data[0] == 3);
  ++state->initialized;
  return state;
}

static TfLiteStatus kernel_invoke(void* user_data, TfLiteOpaqueContext* context,
                                  TfLiteOpaqueNode* node) {
  ++((struct delegate_state*)user_data)->invoked;
  const float* x = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetInput(context, node, 0));
  const float y[2] = {-x[0], -x[1]};
  return TfLiteOpaqueTensorCopyFromBuffer(TfLiteOpaqueNodeGetOutput(context, node, 0), y,
                                          sizeof(y));
}

static void look_at_other_graph(TfLiteOpaqueContext* context) {
  TfLiteOpaqueContext* aside = NULL;
  CHECK(TfLiteOpaqueContextAcquireSubgraphContext(context, 1, &aside) == kTfLiteOk);
  CHECK(strcmp(TfLiteOpaqueContextGetName(aside), "aside") == 0);
  CHECK(TfLiteOpaqueContextReleaseSubgraphContext(context, 1) == kTfLiteOk);
  CHECK(TfLiteOpaqueContextAcquireSubgraphContext(context, 2, &aside) == kTfLiteError);
  CHECK(TfLiteOpaqueContextReleaseSubgraphContext(context, -1) == kTfLiteError);
  CHECK(TfLiteOpaqueContextMarkSubgraphAsDelegationSkippable(context, 1) == kTfLiteOk);
  CHECK(TfLiteOpaqueContextMarkSubgraphAsDelegationSkippable(context, 7) == kTfLiteError);
}

static TfLiteStatus delegate_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate,
                                     void* data) {
  struct delegate_state* state = data;
  CHECK(TfLiteOpaqueDelegateGetData(delegate) == state);
  ++state->prepared;
  look_at_other_graph(context);
  TfLiteIntArray* plan = NULL;
  TF_LITE_OPAQUE_ENSURE(context, TfLiteOpaqueContextGetExecutionPlan(context, &plan) == kTfLiteOk);
  CHECK(plan->size == 1);
  TfLiteOpaqueNode* node = NULL;
  TfLiteOperator* op = NULL;
  CHECK(TfLiteOpaqueContextGetNodeAndRegistration(context, 9, &node, &op) == kTfLiteError);
  CHECK(TfLiteOpaqueContextGetNodeAndRegistration(context, plan->data[0], &node, &op) == kTfLiteOk);
  CHECK(strcmp(TfLiteOperatorGetCustomName(op), "Accumulate") == 0);
  CHECK(TfLiteOpaqueNodeNumberOfInputs(node) == 4);
  TfLiteOperator* kernel = TfLiteOperatorCreate(kTfLiteBuiltinDelegate, "Negate", 1, state);
  TfLiteOperatorSetInitWithData(kernel, kernel_init);
  TfLiteOperatorSetInvokeWithData(kernel, kernel_invoke);
  CHECK(TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(context, NULL, plan, delegate) ==
        kTfLiteError);
  TfLiteIntArray* nodes = TfLiteIntArrayCopy(plan);
  const TfLiteStatus status =
      TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(context, kernel, nodes, delegate);
  TfLiteIntArrayFree(nodes);
  return status;
}

static TfLiteStatus copy_from_handle(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate,
                                     void* data, TfLiteBufferHandle handle,
                                     TfLiteOpaqueTensor* tensor) {
  const float y[2] = {50, 60};
  CHECK(context != NULL && delegate != NULL && handle == 5);
  ++((struct delegate_state*)data)->copied;
  return TfLiteOpaqueTensorCopyFromBuffer(tensor, y, sizeof(y));
}

static void free_handle(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data,
                        TfLiteBufferHandle* handle) {
  CHECK(context != NULL && delegate != NULL && *handle == 5);
  *handle = kTfLiteNullBufferHandle;
  ++((struct delegate_state*)data)->freed;
}

static void test_handles(TfLiteInterpreter* interpreter, TfLiteOpaqueDelegate* delegate,
                         struct delegate_state* state) {
  TfLiteTensor* output = TfLiteInterpreterGetTensor(interpreter, 3);
  TfLiteBufferHandle handle = 0;
  TfLiteOpaqueDelegate* owner = NULL;
  TfLiteSetAllowBufferHandleOutput(interpreter, true);
  TfLiteSetAllowBufferHandleOutput(NULL, true);
  CHECK(TfLiteInterpreterSetBufferHandle(interpreter, output, 5, delegate) == kTfLiteOk);
  CHECK(TfLiteInterpreterGetBufferHandle(interpreter, 3, &handle, &owner) == kTfLiteOk);
  CHECK(handle == 5 && owner == delegate);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  output->data_is_stale = true;  // as kernels say by the struct
  CHECK(TfLiteInterpreterEnsureTensorDataIsReadable(interpreter, 3) == kTfLiteOk);
  CHECK(state->copied == 1 && ((const float*)TfLiteTensorData(output))[1] == 60);
  CHECK(TfLiteInterpreterEnsureTensorDataIsReadable(interpreter, 3) == kTfLiteOk);
  CHECK(state->copied == 1);
  CHECK(TfLiteInterpreterGetBufferHandle(interpreter, 99, &handle, &owner) == kTfLiteError);
  CHECK(TfLiteInterpreterSetBufferHandle(NULL, output, 5, delegate) == kTfLiteError);
}

static void test_other_delegates(void) {
  TfLiteExternalDelegateOptions external = TfLiteExternalDelegateOptionsDefault("/no/such.so");
  CHECK(TfLiteExternalDelegateOptionsInsert(&external, "key", "value") == kTfLiteOk);
  CHECK(external.insert(&external, "other", "2") == kTfLiteOk && external.count == 2);
  CHECK(TfLiteExternalDelegateOptionsInsert(NULL, "key", "value") == kTfLiteError);
  CHECK(TfLiteExternalDelegateCreate(&external) == NULL);
  CHECK(TfLiteExternalDelegateCreate(NULL) == NULL);
  while (external.count < kExternalDelegateMaxOptions) external.insert(&external, "k", "v");
  CHECK(external.insert(&external, "k", "v") == kTfLiteError);
  TfLiteExternalDelegateDelete(NULL);

  const TfLiteNnapiDelegateOptions nnapi = TfLiteNnapiDelegateOptionsDefault();
  CHECK(nnapi.execution_preference == kUndefined && nnapi.max_number_delegated_partitions == 3);
  CHECK(TfLiteNnapiDelegateCreate(&nnapi) == NULL);
  TfLiteNnapiDelegateDelete(NULL);
}

void test_opaque_delegates(void) {
  struct delegate_state state = {0, 0, 0, 0, 0};
  TfLiteOpaqueDelegateBuilder builder;
  memset(&builder, 0, sizeof(builder));
  builder.data = &state;
  // Otherwise the nodes prepare first, and nobody brings the operation but the delegate.
  builder.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
  builder.Prepare = delegate_prepare;
  builder.CopyFromBufferHandle = copy_from_handle;
  builder.FreeBufferHandle = free_handle;
  TfLiteOpaqueDelegate* delegate = TfLiteOpaqueDelegateCreate(&builder);
  TfLiteModel* model = TfLiteModelCreateFromFile(path_of("state.tflite"));
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsAddDelegate(options, delegate);
  TfLiteInterpreterOptionsAddDelegate(options, NULL);
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
  CHECK(interpreter != NULL && state.prepared == 1 && state.initialized == 1);
  if (interpreter == NULL) return;
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  const float x[2] = {1, 2};
  CHECK(TfLiteTensorCopyFromBuffer(TfLiteInterpreterGetInputTensor(interpreter, 0), x, 8) ==
        kTfLiteOk);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk && state.invoked == 1);
  const float* y = TfLiteTensorData(TfLiteInterpreterGetOutputTensor(interpreter, 0));
  CHECK(y[0] == -1 && y[1] == -2);
  test_handles(interpreter, delegate, &state);
  TfLiteInterpreterDelete(interpreter);
  CHECK(state.freed == 1);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
  TfLiteOpaqueDelegateDelete(delegate);
  TfLiteOpaqueDelegateDelete(NULL);

  CHECK(TfLiteOpaqueDelegateCreate(NULL) == NULL);
  CHECK(TfLiteOpaqueDelegateGetData(NULL) == NULL);
  TfLiteDelegate plain = TfLiteDelegateCreate();
  plain.data_ = &state;
  CHECK(TfLiteOpaqueDelegateGetData(&plain) == &state);
  test_other_delegates();
}
