// SPDX-License-Identifier: Apache-2.0
// An asynchronous kernel that is a class, behind the runner of the C API.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/testing/model_builder.h"
#include "tensorflow/lite/async/backend_async_kernel_interface.h"
#include "tensorflow/lite/async/c/async_signature_runner.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"

namespace tflite::delegates {
namespace {

using ::testing::ElementsAre;

// Writes down which function was called.
class Kernel : public BackendAsyncKernelInterface {
 public:
  mutable std::vector<std::string> calls;

 private:
  TfLiteStatus Say(const char* name) const {
    calls.emplace_back(name);
    return kTfLiteOk;
  }
  TfLiteStatus RegisterBuffer(TfLiteOpaqueContext*, TfLiteIoType, const TfLiteBackendBuffer*,
                              const TfLiteAttributeMap*, TfLiteBufferHandle) override {
    return Say("register");
  }
  TfLiteStatus RegisterBufferSlice(TfLiteOpaqueContext*, TfLiteBufferHandle,
                                   const TfLiteAttributeMap*, TfLiteBufferHandle) override {
    return Say("slice");
  }
  TfLiteStatus UnregisterBuffer(TfLiteOpaqueContext*, TfLiteBufferHandle) override {
    return Say("unregister");
  }
  const std::vector<const char*>& SupportedBufferTypes(TfLiteIoType) const override {
    return buffer_types_;
  }
  const std::vector<const char*>& SupportedSynchronizations(TfLiteIoType) const override {
    return sync_types_;
  }
  bool ReconcileRestrictions(const TfLiteOpaqueContext*, const TfLiteOpaqueNode*, int,
                             const TfLiteAttributeMap*, TfLiteAttributeMap*,
                             TfLiteAttributeMap*) const override {
    return Say("reconcile") == kTfLiteOk;
  }
  TfLiteStatus SetAttributes(TfLiteOpaqueContext*, TfLiteOpaqueNode*, int,
                             const TfLiteAttributeMap*) override {
    return Say("set");
  }
  TfLiteStatus SetBufferAttributes(const TfLiteBackendBuffer*, const TfLiteAttributeMap*) override {
    return Say("set buffer");
  }
  TfLiteStatus GetBufferAttributes(const TfLiteBackendBuffer*, TfLiteAttributeMap*) override {
    return Say("get buffer");
  }
  TfLiteStatus Prepare(TfLiteOpaqueContext*, TfLiteOpaqueNode*) override { return Say("prepare"); }
  TfLiteStatus Eval(TfLiteOpaqueContext*, TfLiteOpaqueNode*, TfLiteExecutionTask*) override {
    return Say("eval");
  }
  TfLiteStatus Wait(TfLiteOpaqueContext*, TfLiteExecutionTask*) override { return Say("wait"); }
  TfLiteStatus Finish(TfLiteOpaqueContext*, TfLiteExecutionTask*) override { return Say("finish"); }

  const std::vector<const char*> buffer_types_ = {"ram", "rom"};
  const std::vector<const char*> sync_types_ = {"fence"};
};

// A delegate whose registration, a plain one, hands out the kernel that is its user data.
TfLiteStatus TakeGraph(TfLiteContext* context, TfLiteDelegate* delegate) {
  TfLiteRegistration registration = {};
  registration.custom_name = "Async";
  registration.init = [](TfLiteContext*, const char* buffer, size_t) {
    return reinterpret_cast<const TfLiteDelegateParams*>(buffer)->delegate->data_;
  };
  registration.async_kernel = [](TfLiteContext*, TfLiteNode* node) {
    return static_cast<Kernel*>(node->user_data)->kernel();
  };
  TfLiteIntArray* plan = nullptr;
  TF_LITE_ENSURE_STATUS(context->GetExecutionPlan(context, &plan));
  TfLiteIntArray* nodes = TfLiteIntArrayCopy(plan);
  const TfLiteStatus status =
      context->ReplaceNodeSubsetsWithDelegateKernels(context, registration, nodes, delegate);
  TfLiteIntArrayFree(nodes);
  return status;
}

TEST(BackendAsyncKernel, TheRunnerCallsItsFunctions) {
  tern::testing::ModelBuilder b;
  const int x = b.Input({1});
  const int y = b.Tensor({1});
  b.Op(BuiltinOperator_ABS, {x}, {y});
  b.Output(y);
  const std::vector<uint8_t> bytes = b.Finish();
  Kernel kernel;
  TfLiteDelegate delegate = TfLiteDelegateCreate();
  delegate.data_ = &kernel;
  delegate.Prepare = TakeGraph;
  TfLiteModel* model = TfLiteModelCreate(bytes.data(), bytes.size());
  TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, nullptr);
  ASSERT_EQ(TfLiteInterpreterModifyGraphWithDelegate(interpreter, &delegate), kTfLiteOk);
  TfLiteAsyncSignatureRunner* runner =
      TfLiteInterpreterGetAsyncSignatureRunner(interpreter, nullptr);
  ASSERT_NE(runner, nullptr);

  const char* const* types = nullptr;
  size_t count = 0;
  EXPECT_EQ(
      TfLiteAsyncSignatureRunnerGetSupportedBufferTypes(runner, kTfLiteIoTypeInput, &types, &count),
      kTfLiteOk);
  EXPECT_EQ(count, 2u);
  EXPECT_STREQ(types[1], "rom");
  EXPECT_EQ(TfLiteAsyncSignatureRunnerGetSupportedSynchronizationTypes(runner, kTfLiteIoTypeInput,
                                                                       &types, &count),
            kTfLiteOk);
  EXPECT_EQ(count, 1u);

  TfLiteBackendBuffer* buffer = TfLiteBackendBufferCreate();
  TfLiteAttributeMap* attrs = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
  TfLiteBufferHandle handle = 0;
  TfLiteAsyncSignatureRunnerRegisterBuffer(runner, kTfLiteIoTypeInput, buffer, attrs, &handle);
  TfLiteAsyncSignatureRunnerRegisterBufferSlice(runner, handle, attrs, &handle);
  TfLiteAsyncSignatureRunnerUnregisterBuffer(runner, handle);
  EXPECT_TRUE(
      TfLiteAsyncSignatureRunnerReconcileRestrictionsByIndex(runner, x, attrs, attrs, nullptr));
  TfLiteAsyncSignatureRunnerSetAttributesByIndex(runner, y, attrs);
  TfLiteAsyncSignatureRunnerPrepareBackends(runner);
  TfLiteExecutionTask* task = TfLiteAsyncSignatureRunnerCreateTask(runner);
  TfLiteAsyncSignatureRunnerInvokeAsync(runner, task);
  TfLiteAsyncSignatureRunnerWait(runner, task);
  TfLiteAsyncSignatureRunnerFinish(runner, task);
  EXPECT_THAT(kernel.calls, ElementsAre("register", "slice", "unregister", "reconcile", "set",
                                        "prepare", "eval", "wait", "finish"));
  TfLiteAttributeMapDelete(attrs);
  TfLiteBackendBufferDelete(buffer);
  TfLiteAsyncSignatureRunnerDelete(runner);
  TfLiteInterpreterDelete(interpreter);
  TfLiteModelDelete(model);
}

}  // namespace
}  // namespace tflite::delegates
