// SPDX-License-Identifier: Apache-2.0
// c_api_experimental.h: resolvers in every layout, delegates after the fact, telemetry.
#include "tensorflow/lite/c/c_api_experimental.h"

#include "c_api_check.h"
#include "tensorflow/lite/c/c_api_for_testing.h"
#include "tensorflow/lite/profiling/telemetry/c/telemetry_setting.h"

// ---- An ADD that subtracts one, found in different ways.

static TfLiteStatus minus_prepare(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = &context->tensors[node->inputs->data[0]];
  return context->ResizeTensor(context, &context->tensors[node->outputs->data[0]],
                               TfLiteIntArrayCopy(input->dims));
}

static TfLiteStatus minus_invoke(TfLiteContext* context, TfLiteNode* node) {
  const TfLiteTensor* input = &context->tensors[node->inputs->data[0]];
  TfLiteTensor* output = &context->tensors[node->outputs->data[0]];
  for (size_t i = 0; i < input->bytes / sizeof(float); ++i)
    output->data.f[i] = input->data.f[i] - 1;
  return kTfLiteOk;
}

static TfLiteRegistration minus;
static TfLiteRegistration_V3 minus_v3;
static TfLiteRegistration_V2 minus_v2;
static TfLiteRegistration_V1 minus_v1;
static TfLiteOperator* minus_external;

static TfLiteStatus external_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
  return minus_prepare((TfLiteContext*)context, (TfLiteNode*)node);
}

static TfLiteStatus external_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
  return minus_invoke((TfLiteContext*)context, (TfLiteNode*)node);
}

static int asked;
#define FIND(name, type, result)                                                    \
  static const type* name(void* user_data, TfLiteBuiltinOperator op, int version) { \
    CHECK(user_data == &asked && version == 1);                                     \
    ++asked;                                                                        \
    return op == kTfLiteBuiltinAdd ? result : NULL;                                 \
  }
FIND(find_v4, TfLiteRegistration, &minus)
FIND(find_v3, TfLiteRegistration_V3, &minus_v3)
FIND(find_v2, TfLiteRegistration_V2, &minus_v2)
FIND(find_v1, TfLiteRegistration_V1, &minus_v1)

static const TfLiteOperator* find_external(void* user_data, int op, int version) {
  CHECK(user_data == &asked && version == 1);
  ++asked;
  return op == kTfLiteBuiltinAdd ? minus_external : NULL;
}

static const TfLiteOperator* find_no_external(void* user_data, int op, int version) {
  (void)user_data;
  (void)op;
  (void)version;
  return NULL;
}

// The result for the input 5, or -1 where no interpreter can be made. Deletes the options.
static float run_add(TfLiteInterpreterOptions* options, bool selected) {
  TfLiteModel* model = TfLiteModelCreateFromFile(path_of("add.tflite"));
  TfLiteInterpreter* interpreter = selected ? TfLiteInterpreterCreateWithSelectedOps(model, options)
                                            : TfLiteInterpreterCreate(model, options);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
  float result = -1;
  if (interpreter != NULL && TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk) {
    const float x[2] = {5, 5};
    CHECK(TfLiteTensorCopyFromBuffer(TfLiteInterpreterGetInputTensor(interpreter, 0), x, 8) ==
          kTfLiteOk);
    CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
    result = *(const float*)TfLiteTensorData(TfLiteInterpreterGetOutputTensor(interpreter, 0));
  }
  TfLiteInterpreterDelete(interpreter);
  return result;
}

static void make_registrations(void) {
  minus.prepare = minus_prepare;
  minus.invoke = minus_invoke;
  minus.builtin_code = kTfLiteBuiltinAdd;
  minus.version = 1;
  // The older layouts are its beginnings.
  memcpy(&minus_v3, &minus, sizeof(minus_v3));
  memcpy(&minus_v2, &minus, sizeof(minus_v2));
  memcpy(&minus_v1, &minus, sizeof(minus_v1));
  minus_external = TfLiteOperatorCreate(kTfLiteBuiltinAdd, NULL, 1, NULL);
  TfLiteOperatorSetPrepare(minus_external, external_prepare);
  TfLiteOperatorSetInvoke(minus_external, external_invoke);
}

void test_resolvers(void) {
  make_registrations();
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetOpResolver(options, find_v4, NULL, &asked);
  CHECK(run_add(options, false) == 4 && asked > 0);
  options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetOpResolverV3(options, find_v3, NULL, &asked);
  CHECK(run_add(options, false) == 4);
  options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetOpResolverV2(options, find_v2, NULL, &asked);
  CHECK(run_add(options, true) == 4);
  options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetOpResolverV1(options, find_v1, NULL, &asked);
  CHECK(run_add(options, false) == 4);
  options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetOpResolverExternal(options, find_external, NULL, &asked);
  CHECK(run_add(options, false) == 4);
  options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetOpResolverExternalWithFallback(options, find_no_external, NULL,
                                                            find_v4, NULL, &asked);
  CHECK(run_add(options, false) == 4);
  // Callbacks that find nothing leave no operations at all.
  options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsSetOpResolverExternal(options, find_no_external, NULL, &asked);
  CHECK(run_add(options, false) == -1);

  options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsAddBuiltinOp(options, kTfLiteBuiltinAdd, &minus, 1, 2);
  TfLiteInterpreterOptionsAddCustomOp(options, "Scale", &minus, 1, 1);
  CHECK(run_add(options, true) == 4);
  CHECK(run_add(TfLiteInterpreterOptionsCreate(), true) == -1);
  CHECK(run_add(TfLiteInterpreterOptionsCreate(), false) == 10);
  TfLiteInterpreterOptionsSetOpResolver(NULL, find_v4, NULL, NULL);
  TfLiteInterpreterOptionsAddBuiltinOp(NULL, kTfLiteBuiltinAdd, &minus, 1, 1);
  TfLiteInterpreterOptionsAddCustomOp(NULL, "Scale", &minus, 1, 1);
  CHECK(TfLiteInterpreterCreateWithSelectedOps(NULL, NULL) == NULL);
  TfLiteOperatorDelete(minus_external);
}

static TfLiteStatus claim_nothing(TfLiteContext* context, TfLiteDelegate* delegate) {
  CHECK(context != NULL);
  ++*(int*)delegate->data_;
  return kTfLiteOk;
}

void test_experimental(void) {
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  CHECK(TfLiteInterpreterOptionsGetNumThreads(options) == -1);
  TfLiteInterpreterOptionsSetNumThreads(options, 3);
  CHECK(TfLiteInterpreterOptionsGetNumThreads(options) == 3);
  CHECK(TfLiteInterpreterOptionsGetNumThreads(NULL) == -1);
  TfLiteInterpreterOptionsSetUseNNAPI(options, false);
  CHECK(TfLiteInterpreterOptionsEnableCancellation(options, true) == kTfLiteOk);
  CHECK(TfLiteInterpreterOptionsEnableCancellation(NULL, true) == kTfLiteError);
  TfLiteModel* model = TfLiteModelCreateFromFile(path_of("add.tflite"));
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
  TfLiteInterpreterOptionsDelete(options);

  int claims = 0;
  TfLiteDelegate delegate = TfLiteDelegateCreate();
  delegate.data_ = &claims;
  delegate.Prepare = claim_nothing;
  CHECK(TfLiteInterpreterModifyGraphWithDelegate(interpreter, &delegate) == kTfLiteOk);
  CHECK(claims == 1);
  CHECK(TfLiteInterpreterModifyGraphWithDelegate(interpreter, NULL) == kTfLiteDelegateError);
  CHECK(TfLiteInterpreterModifyGraphWithDelegate(NULL, &delegate) == kTfLiteError);

  TfLiteSignatureRunner* runner = TfLiteInterpreterGetSignatureRunner(interpreter, "serve");
  CHECK(TfLiteSignatureRunnerCancel(runner) == kTfLiteOk);
  CHECK(TfLiteSignatureRunnerCancel(NULL) == kTfLiteError);
  TfLiteSignatureRunnerDelete(runner);
  TfLiteInterpreterDelete(interpreter);
  TfLiteModelDelete(model);
}

// ---- Telemetry

struct heard {
  int events, failures, settings, begun, ended;
  char last[64];
};

static struct heard* heard_by(TfLiteTelemetryProfilerStruct* profiler) { return profiler->data; }

static void hear_event(TfLiteTelemetryProfilerStruct* profiler, const char* name, uint64_t status) {
  CHECK(status >> 32 == 0);  // from the interpreter
  ++heard_by(profiler)->events;
  heard_by(profiler)->failures += status != kTfLiteOk;
  snprintf(heard_by(profiler)->last, sizeof(heard_by(profiler)->last), "%s", name);
}

static void hear_settings(TfLiteTelemetryProfilerStruct* profiler, const char* name,
                          const TfLiteTelemetrySettings* settings) {
  ++heard_by(profiler)->settings;
  CHECK(strcmp(name, "InterpreterBuilder::operator()") == 0 && settings->source == 0);
  const TfLiteTelemetryInterpreterSettings* data = settings->data;
  CHECK(TfLiteTelemetryInterpreterSettingsGetConversionMetadata(data) == NULL);
  CHECK(TfLiteTelemetryInterpreterSettingsGetNumSubgraphInfo(data) == 2);
  TfLiteTelemetrySubgraphInfo* graph =
      (TfLiteTelemetrySubgraphInfo*)TfLiteTelemetryInterpreterSettingsGetSubgraphInfo(data);
  CHECK(TfLiteTelemetrySubgraphInfoGetNumQuantizations(graph) == 4);
  const TfLiteQuantization* quantizations = TfLiteTelemetrySubgraphInfoGetQuantizations(graph);
  CHECK(quantizations[0].type == kTfLiteNoQuantization);
  CHECK(quantizations[2].type == kTfLiteAffineQuantization);
}

static uint32_t hear_begin(TfLiteTelemetryProfilerStruct* profiler, const char* name, int64_t op,
                           int64_t graph) {
  CHECK(strcmp(name, "Accumulate") == 0 && op == 0 && graph == 0);
  ++heard_by(profiler)->begun;
  return 77;
}

static void hear_end(TfLiteTelemetryProfilerStruct* profiler, uint32_t handle) {
  CHECK(handle == 77);
  ++heard_by(profiler)->ended;
}

static TfLiteStatus fail_when_told(void* user_data, TfLiteOpaqueContext* context,
                                   TfLiteOpaqueNode* node) {
  (void)context;
  (void)node;
  return *(const int*)user_data ? kTfLiteError : kTfLiteOk;
}

static void test_settings_of_nobody(void) {
  CHECK(TfLiteTelemetryConversionMetadataGetModelOptimizationModes(NULL) == NULL);
  CHECK(TfLiteTelemetryConversionMetadataGetNumModelOptimizationModes(NULL) == 0);
  CHECK(TfLiteTelemetryInterpreterSettingsGetConversionMetadata(NULL) == NULL);
  CHECK(TfLiteTelemetryInterpreterSettingsGetNumSubgraphInfo(NULL) == 0);
  CHECK(TfLiteTelemetryInterpreterSettingsGetSubgraphInfo(NULL) == NULL);
  CHECK(TfLiteTelemetrySubgraphInfoGetNumQuantizations(NULL) == 0);
  CHECK(TfLiteTelemetrySubgraphInfoGetQuantizations(NULL) == NULL);
  CHECK(TfLiteTelemetryGpuDelegateSettingsGetNumNodesDelegated(NULL) == 0);
  CHECK(TfLiteTelemetryGpuDelegateSettingsGetBackend(NULL) == 0);
  TfLiteInterpreterOptionsSetTelemetryProfiler(NULL, NULL);
}

void test_telemetry(void) {
  test_settings_of_nobody();
  struct heard heard;
  memset(&heard, 0, sizeof(heard));
  TfLiteTelemetryProfilerStruct profiler;
  memset(&profiler, 0, sizeof(profiler));  // the functions that stay NULL are not called
  profiler.data = &heard;
  profiler.ReportTelemetryEvent = hear_event;
  profiler.ReportSettings = hear_settings;
  profiler.ReportBeginOpInvokeEvent = hear_begin;
  profiler.ReportEndOpInvokeEvent = hear_end;

  int reported = 0;
  TfLiteOperator* op = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Accumulate", 2, &reported);
  TfLiteOperatorSetInvokeWithData(op, fail_when_told);
  int claims = 0;
  TfLiteDelegate delegate = TfLiteDelegateCreate();
  delegate.data_ = &claims;
  delegate.Prepare = claim_nothing;
  TfLiteModel* model = TfLiteModelCreateFromFile(path_of("state.tflite"));
  TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
  TfLiteInterpreterOptionsAddOperator(options, op);
  TfLiteInterpreterOptionsAddDelegate(options, &delegate);
  TfLiteInterpreterOptionsSetTelemetryProfiler(options, &profiler);
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
  CHECK(heard.settings == 1 && heard.events == 2);  // an event for each of the two graphs
  CHECK(strcmp(heard.last, "ModifyGraphWithDelegate") == 0);
  CHECK(TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk);
  CHECK(heard.events == 3 && strcmp(heard.last, "AllocateTensors") == 0);
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteOk);
  CHECK(heard.events == 4 && strcmp(heard.last, "Invoke") == 0);
  CHECK(heard.begun == 1 && heard.ended == 1 && heard.failures == 0);
  reported = 1;
  CHECK(TfLiteInterpreterInvoke(interpreter) == kTfLiteError);
  CHECK(heard.failures == 1 && heard.begun == 2 && heard.ended == 2);
  TfLiteInterpreterDelete(interpreter);
  TfLiteInterpreterOptionsDelete(options);
  TfLiteModelDelete(model);
  TfLiteOperatorDelete(op);
}
