// SPDX-License-Identifier: Apache-2.0
// The asynchronous C API without a kernel: handles, attributes, tasks, and what a runner answers.
#include "c_api_check.h"
#include "tensorflow/lite/async/c/async_signature_runner.h"
#include "tensorflow/lite/async/c/task.h"
#include "tensorflow/lite/async/interop/c/attribute_map.h"
#include "tensorflow/lite/async/interop/c/constants.h"

static void test_handles(void) {
  int target = 0;
  TfLiteBackendBuffer* buffer = TfLiteBackendBufferCreate();
  CHECK(TfLiteBackendBufferGetPtr(buffer) == NULL);
  TfLiteBackendBufferSetPtr(buffer, &target);
  CHECK(TfLiteBackendBufferGetPtr(buffer) == &target);
  TfLiteBackendBufferDelete(buffer);
  TfLiteSynchronization* sync = TfLiteSynchronizationCreate();
  CHECK(TfLiteSynchronizationGetPtr(sync) == NULL);
  TfLiteSynchronizationSetPtr(sync, &target);
  CHECK(TfLiteSynchronizationGetPtr(sync) == &target);
  TfLiteSynchronizationDelete(sync);
  TfLiteBackendBufferSetPtr(NULL, &target);
  TfLiteSynchronizationSetPtr(NULL, &target);
  CHECK(TfLiteBackendBufferGetPtr(NULL) == NULL && TfLiteSynchronizationGetPtr(NULL) == NULL);
  TfLiteBackendBufferDelete(NULL);
  TfLiteSynchronizationDelete(NULL);
}

static void test_values_of_any_map(TfLiteAttributeMap* map) {
  int number = 0;
  size_t size = 0;
  const char* text = NULL;
  bool flag = false;
  TfLiteAttributeMapSetIntAttr(map, 30, -4);
  CHECK(TfLiteAttributeMapGetIntAttr(map, 30, &number) && number == -4);
  CHECK(!TfLiteAttributeMapGetSizeTAttr(map, 30, &size));  // another type
  TfLiteAttributeMapSetSizeTAttr(map, 30, 42);             // replaces it
  CHECK(TfLiteAttributeMapGetSizeTAttr(map, 30, &size) && size == 42);
  CHECK(!TfLiteAttributeMapGetIntAttr(map, 30, &number) && number == -4);
  TfLiteAttributeMapSetStringAttr(map, 31, "text");
  CHECK(TfLiteAttributeMapGetStringAttr(map, 31, &text) && strcmp(text, "text") == 0);
  TfLiteAttributeMapSetBoolAttr(map, 32, true);
  CHECK(TfLiteAttributeMapGetBoolAttr(map, 32, &flag) && flag);
  CHECK(!TfLiteAttributeMapGetBoolAttr(map, 33, &flag));

  TfLiteAttributeMapSetCustomIntAttr(map, "a", 5);
  CHECK(TfLiteAttributeMapGetCustomIntAttr(map, "a", &number) && number == 5);
  TfLiteAttributeMapSetCustomSizeTAttr(map, "b", 6);
  CHECK(TfLiteAttributeMapGetCustomSizeTAttr(map, "b", &size) && size == 6);
  TfLiteAttributeMapSetCustomStringAttr(map, "c", "see");
  CHECK(TfLiteAttributeMapGetCustomStringAttr(map, "c", &text) && strcmp(text, "see") == 0);
  TfLiteAttributeMapSetCustomBoolAttr(map, "d", false);
  CHECK(TfLiteAttributeMapGetCustomBoolAttr(map, "d", &flag) && !flag);
  CHECK(!TfLiteAttributeMapGetCustomBoolAttr(map, "e", &flag));
  CHECK(!TfLiteAttributeMapGetCustomBoolAttr(map, NULL, &flag));
  CHECK(!TfLiteAttributeMapGetCustomIntAttr(NULL, "a", &number));
  CHECK(!TfLiteAttributeMapGetIntAttr(map, 30, NULL));
  TfLiteAttributeMapSetCustomIntAttr(map, NULL, 5);
  TfLiteAttributeMapSetIntAttr(NULL, 30, 5);
}

void test_attributes(void) {
  test_handles();
  TfLiteAttributeMap* buffer = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
  TfLiteAttributeMap* sync = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeSync);
  CHECK(TfLiteAttributeMapIsBufferAttributeMap(buffer));
  CHECK(!TfLiteAttributeMapIsSyncAttributeMap(buffer));
  CHECK(TfLiteAttributeMapIsSyncAttributeMap(sync));
  CHECK(!TfLiteAttributeMapIsBufferAttributeMap(NULL) &&
        !TfLiteAttributeMapIsSyncAttributeMap(NULL));
  size_t size = 0;
  const char* text = NULL;
  bool flag = false;
  CHECK(TfLiteAttributeMapSetSizeTBufferAttr(buffer, kTfLiteBufferAttrKeySize, 64));
  CHECK(TfLiteAttributeMapGetSizeTBufferAttr(buffer, kTfLiteBufferAttrKeySize, &size));
  CHECK(size == 64);
  CHECK(!TfLiteAttributeMapGetSizeTBufferAttr(buffer, kTfLiteBufferAttrKeyOffset, &size));
  CHECK(TfLiteAttributeMapSetStringBufferAttr(buffer, kTfLiteBufferAttrKeyResourceTypeName, "ram"));
  CHECK(TfLiteAttributeMapGetStringBufferAttr(buffer, kTfLiteBufferAttrKeyResourceTypeName, &text));
  CHECK(strcmp(text, "ram") == 0);
  CHECK(
      TfLiteAttributeMapSetBoolBufferAttr(buffer, kTfLiteBufferAttrKeyCurrentHostCacheState, true));
  CHECK(TfLiteAttributeMapGetBoolBufferAttr(buffer, kTfLiteBufferAttrKeyCurrentHostCacheState,
                                            &flag));
  CHECK(flag);
  const TfLiteSynchronizationAttrKey name = kTfLiteSynchronizationAttrKeyObjectTypeName;
  CHECK(TfLiteAttributeMapSetStringSyncAttr(sync, name, kTfLiteSyncTypeNoSyncObj));
  CHECK(TfLiteAttributeMapGetStringSyncAttr(sync, name, &text));
  CHECK(strcmp(text, "no_sync_obj") == 0);
  // Keys of the other kind.
  CHECK(!TfLiteAttributeMapSetStringSyncAttr(buffer, name, "x"));
  CHECK(!TfLiteAttributeMapGetStringSyncAttr(buffer, name, &text));
  CHECK(!TfLiteAttributeMapSetSizeTBufferAttr(sync, kTfLiteBufferAttrKeySize, 1));
  CHECK(!TfLiteAttributeMapGetSizeTBufferAttr(sync, kTfLiteBufferAttrKeySize, &size));
  CHECK(!TfLiteAttributeMapSetStringBufferAttr(NULL, kTfLiteBufferAttrKeyResourceTypeName, "x"));
  CHECK(
      !TfLiteAttributeMapSetBoolBufferAttr(sync, kTfLiteBufferAttrKeyCurrentHostCacheState, true));
  test_values_of_any_map(sync);
  TfLiteAttributeMapCopy(buffer, sync);
  CHECK(TfLiteAttributeMapIsBufferAttributeMap(sync));
  CHECK(TfLiteAttributeMapGetSizeTBufferAttr(sync, kTfLiteBufferAttrKeySize, &size) && size == 64);
  CHECK(!TfLiteAttributeMapGetBoolAttr(sync, 32, &flag));
  TfLiteAttributeMapCopy(NULL, sync);
  TfLiteAttributeMapCopy(buffer, NULL);
  TfLiteAttributeMapDelete(buffer);
  TfLiteAttributeMapDelete(sync);
  TfLiteAttributeMapDelete(NULL);
}

void test_tasks(void) {
  TfLiteModel* model = TfLiteModelCreateFromFile(path_of("add.tflite"));
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, NULL);
  TfLiteAsyncSignatureRunner* runner =
      TfLiteInterpreterGetAsyncSignatureRunner(interpreter, "serve");
  TfLiteExecutionTask* task = TfLiteAsyncSignatureRunnerCreateTask(runner);
  TfLiteSynchronization* sync = TfLiteSynchronizationCreate();
  const TfLiteIoType in = kTfLiteIoTypeInput, out = kTfLiteIoTypeOutput;
  CHECK(TfLiteExecutionTaskGetBufferByName(task, in, "value") == kTfLiteNullBufferHandle);
  CHECK(TfLiteExecutionTaskSetBuffer(task, in, "value", 42) == kTfLiteOk);
  CHECK(TfLiteExecutionTaskGetBufferByName(task, in, "value") == 42);
  CHECK(TfLiteExecutionTaskGetBufferByIndex(task, 0) == 42);
  CHECK(TfLiteExecutionTaskSetBufferByIndex(task, 1, 43) == kTfLiteOk);
  CHECK(TfLiteExecutionTaskGetBufferByName(task, out, "double") == 43);
  CHECK(TfLiteExecutionTaskSetSync(task, out, "double", sync) == kTfLiteOk);
  CHECK(TfLiteExecutionTaskGetSyncByIndex(task, 1) == sync);
  CHECK(TfLiteExecutionTaskSetSyncByIndex(task, 1, NULL) == kTfLiteOk);
  CHECK(TfLiteExecutionTaskGetSyncByName(task, out, "double") == NULL);
  CHECK(TfLiteExecutionTaskGetBufferByIndex(task, 1) == 43);
  // Names of the other side, of nobody, of no side.
  CHECK(TfLiteExecutionTaskSetBuffer(task, out, "value", 1) == kTfLiteError);
  CHECK(TfLiteExecutionTaskSetBuffer(task, in, "none", 1) == kTfLiteError);
  CHECK(TfLiteExecutionTaskSetSync(task, kTfLiteIoTypeUnknown, "value", sync) == kTfLiteError);
  CHECK(TfLiteExecutionTaskGetBufferByName(task, in, "double") == kTfLiteNullBufferHandle);
  CHECK(TfLiteExecutionTaskSetBuffer(task, in, NULL, 1) == kTfLiteError);
  CHECK(TfLiteExecutionTaskGetDelegateExecutionData(task, NULL) == NULL);
  TfLiteExecutionTaskSetDelegateExecutionData(task, NULL, sync);
  CHECK(TfLiteExecutionTaskGetDelegateExecutionData(task, NULL) == sync);
  CHECK(TfLiteExecutionTaskGetStatus(task) == kTfLiteOk);
  TfLiteExecutionTaskSetStatus(task, kTfLiteCancelled);
  CHECK(TfLiteExecutionTaskGetStatus(task) == kTfLiteCancelled);

  CHECK(TfLiteExecutionTaskSetBuffer(NULL, in, "value", 1) == kTfLiteError);
  CHECK(TfLiteExecutionTaskSetBufferByIndex(NULL, 0, 1) == kTfLiteError);
  CHECK(TfLiteExecutionTaskGetBufferByName(NULL, in, "value") == kTfLiteNullBufferHandle);
  CHECK(TfLiteExecutionTaskGetBufferByIndex(NULL, 0) == kTfLiteNullBufferHandle);
  CHECK(TfLiteExecutionTaskSetSync(NULL, in, "value", NULL) == kTfLiteError);
  CHECK(TfLiteExecutionTaskSetSyncByIndex(NULL, 0, NULL) == kTfLiteError);
  CHECK(TfLiteExecutionTaskGetSyncByName(NULL, in, "value") == NULL);
  CHECK(TfLiteExecutionTaskGetSyncByIndex(NULL, 0) == NULL);
  CHECK(TfLiteExecutionTaskGetDelegateExecutionData(NULL, NULL) == NULL);
  TfLiteExecutionTaskSetDelegateExecutionData(NULL, NULL, sync);
  CHECK(TfLiteExecutionTaskGetStatus(NULL) == kTfLiteError);
  TfLiteExecutionTaskSetStatus(NULL, kTfLiteOk);

  // No delegate took the graph: names are there, nothing runs.
  TfLiteBufferHandle handle = 7;
  const char* const* types = NULL;
  size_t count = 9;
  TfLiteAttributeMap* attrs = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
  TfLiteBackendBuffer* buffer = TfLiteBackendBufferCreate();
  CHECK(TfLiteAsyncSignatureRunnerRegisterBuffer(runner, in, buffer, attrs, &handle) ==
        kTfLiteError);
  CHECK(handle == kTfLiteNullBufferHandle);
  CHECK(TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(runner, in, &types, &count) ==
        kTfLiteError);
  CHECK(count == 0);
  CHECK(!TfLiteAsyncSignatureRunnerReconcileRestrictions(runner, in, "value", attrs, attrs, NULL));
  CHECK(TfLiteAsyncSignatureRunnerSetAttributes(runner, in, "value", attrs) == kTfLiteError);
  CHECK(TfLiteAsyncSignatureRunnerPrepareBackends(runner) == kTfLiteError);
  CHECK(TfLiteAsyncSignatureRunnerInvokeAsync(runner, task) == kTfLiteError);
  CHECK(TfLiteAsyncSignatureRunnerWait(runner, task) == kTfLiteError);
  CHECK(TfLiteAsyncSignatureRunnerFinish(runner, task) == kTfLiteError);  // and deletes it
  TfLiteBackendBufferDelete(buffer);
  TfLiteAttributeMapDelete(attrs);
  TfLiteSynchronizationDelete(sync);
  TfLiteAsyncSignatureRunnerDelete(runner);
  TfLiteInterpreterDelete(interpreter);
  TfLiteModelDelete(model);
}
