// SPDX-License-Identifier: Apache-2.0
// Asynchronous runs by the classes of the C++ API; the C functions over them are tested in
// tests/api/c_api_async_test.c.
#include "tensorflow/lite/core/async/async_signature_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "model/testing/model_builder.h"
#include "runtime/testing/fake_ops.h"
#include "tensorflow/lite/core/async/c/async_kernel.h"
#include "tensorflow/lite/core/async/c/task.h"
#include "tensorflow/lite/core/async/task_internal.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/kernels/register.h"

namespace tflite::async {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StrEq;

// Writes down what it is called for.
struct FakeBackend {
  FakeBackend() {
    kernel.kernel_data = this;
    kernel.register_buffer = [](TfLiteAsyncKernel* k, auto, auto, auto, auto,
                                TfLiteBufferHandle handle) {
      return Say(k, "register " + std::to_string(handle));
    };
    kernel.register_buffer_slice = [](TfLiteAsyncKernel* k, auto, TfLiteBufferHandle pool, auto,
                                      TfLiteBufferHandle handle) {
      return Say(k, "slice " + std::to_string(handle) + " of " + std::to_string(pool));
    };
    kernel.unregister_buffer = [](TfLiteAsyncKernel* k, auto, TfLiteBufferHandle handle) {
      return Say(k, "unregister " + std::to_string(handle));
    };
    kernel.supported_buffer_types = [](const TfLiteAsyncKernel*, TfLiteIoType io_type,
                                       const char* const** types, size_t* count) {
      static const char* const kNames[] = {"ram", "rom"};
      *types = kNames;
      *count = io_type == kTfLiteIoTypeInput ? 2 : 1;
    };
    kernel.reconcile_restrictions = [](const TfLiteAsyncKernel* k, auto, auto, int tensor, auto,
                                       auto, auto) {
      return Say(k, "reconcile " + std::to_string(tensor)) == kTfLiteOk;
    };
    kernel.set_attributes = [](TfLiteAsyncKernel* k, auto, auto, int tensor, auto) {
      return Say(k, "set " + std::to_string(tensor));
    };
    kernel.set_buffer_attributes = [](TfLiteAsyncKernel* k, auto, auto) {
      return Say(k, "set buffer");
    };
    kernel.get_buffer_attributes = [](TfLiteAsyncKernel* k, auto, auto) {
      return Say(k, "get buffer");
    };
    kernel.prepare = [](TfLiteAsyncKernel* k, auto, auto) { return Say(k, "prepare"); };
    kernel.eval = [](TfLiteAsyncKernel* k, auto, auto, TfLiteExecutionTask* task) {
      return Say(k, "eval " + std::to_string(task->task->GetBufferHandle(0)));
    };
    kernel.wait = [](TfLiteAsyncKernel* k, auto, auto) { return Say(k, "wait"); };
    kernel.finish = [](TfLiteAsyncKernel* k, auto, auto) { return Say(k, "finish"); };
    delegate = TfLiteDelegateCreate();
    delegate.data_ = this;
    delegate.Prepare = [](TfLiteContext* context, TfLiteDelegate* self) {
      TfLiteRegistration registration = {};
      registration.custom_name = "Async";
      registration.init = [](TfLiteContext*, const char* buffer, size_t) {
        return reinterpret_cast<const TfLiteDelegateParams*>(buffer)->delegate->data_;
      };
      registration.async_kernel = [](TfLiteContext*, TfLiteNode* node) {
        return &static_cast<FakeBackend*>(node->user_data)->kernel;
      };
      TfLiteIntArray* plan = nullptr;
      TF_LITE_ENSURE_STATUS(context->GetExecutionPlan(context, &plan));
      TfLiteIntArray* nodes = TfLiteIntArrayCopy(plan);
      const TfLiteStatus status =
          context->ReplaceNodeSubsetsWithDelegateKernels(context, registration, nodes, self);
      TfLiteIntArrayFree(nodes);
      return status;
    };
  }
  static TfLiteStatus Say(const TfLiteAsyncKernel* kernel, const std::string& call) {
    auto* self = static_cast<FakeBackend*>(kernel->kernel_data);
    self->calls.push_back(call);
    return self->status;
  }
  TfLiteAsyncKernel kernel;
  TfLiteDelegate delegate;
  TfLiteStatus status = kTfLiteOk;
  std::vector<std::string> calls;
};

// |x|, tensors 0 and 1, with the signature "serve" {in} -> {out}.
class AsyncRuns : public ::testing::Test {
 protected:
  AsyncRuns() {
    tern::testing::ModelBuilder b;
    const int x = b.Input({1}, TensorType_FLOAT32, "x");
    const int y = b.Tensor({1}, TensorType_FLOAT32, "y");
    b.Op(BuiltinOperator_ABS, {x}, {y});
    b.Output(y);
    b.Signature("serve", {{"in", x}}, {{"out", y}});
    bytes_ = b.Finish();
    model_ = FlatBufferModel::BuildFromBuffer(reinterpret_cast<const char*>(bytes_.data()),
                                              bytes_.size(), &reporter_);
    ops::builtin::BuiltinOpResolverWithoutDefaultDelegates resolver;
    InterpreterBuilder(*model_, resolver)(&interpreter_);
  }
  ~AsyncRuns() override { TfLiteAttributeMapDelete(attrs_); }

  tern::testing::RecordingReporter reporter_;
  FakeBackend backend_;
  std::vector<uint8_t> bytes_;
  std::unique_ptr<FlatBufferModel> model_;
  std::unique_ptr<Interpreter> interpreter_;
  TfLiteAttributeMap* attrs_ = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeBuffer);
};

TEST_F(AsyncRuns, TheRunnerCallsTheKernel) {
  ASSERT_EQ(interpreter_->ModifyGraphWithDelegate(&backend_.delegate), kTfLiteOk);
  AsyncSignatureRunner* runner = interpreter_->GetAsyncSignatureRunner("serve");
  ASSERT_NE(runner, nullptr) << reporter_.text;
  EXPECT_TRUE(runner->CanRun());
  EXPECT_THAT(runner->SupportedBufferTypes(kTfLiteIoTypeInput),
              ElementsAre(StrEq("ram"), StrEq("rom")));
  EXPECT_THAT(runner->SupportedBufferTypes(kTfLiteIoTypeOutput), ElementsAre(StrEq("ram")));
  EXPECT_THAT(runner->SupportedBufferTypes(kTfLiteIoTypeUnknown), IsEmpty());
  EXPECT_THAT(runner->SupportedSynchronizations(kTfLiteIoTypeInput), IsEmpty());

  TfLiteBackendBuffer* buffer = TfLiteBackendBufferCreate();
  TfLiteBufferHandle whole = -1, slice = -1;
  EXPECT_EQ(runner->RegisterBuffer(kTfLiteIoTypeInput, buffer, attrs_, &whole), kTfLiteOk);
  EXPECT_EQ(runner->RegisterBufferSlice(whole, attrs_, &slice), kTfLiteOk);
  EXPECT_EQ(runner->SetBufferAttributes(buffer, attrs_), kTfLiteOk);
  EXPECT_EQ(runner->GetBufferAttributes(buffer, attrs_), kTfLiteOk);
  EXPECT_TRUE(runner->ReconcileRestrictions(kTfLiteIoTypeInput, "in", attrs_, attrs_, nullptr));
  EXPECT_TRUE(runner->ReconcileRestrictions(1, attrs_, attrs_, nullptr));
  EXPECT_EQ(runner->SetAttributes(kTfLiteIoTypeOutput, "out", attrs_), kTfLiteOk);
  EXPECT_EQ(runner->PrepareBackends(), kTfLiteOk);
  TfLiteExecutionTask* task = runner->CreateTask();
  EXPECT_EQ(TfLiteExecutionTaskSetBuffer(task, kTfLiteIoTypeInput, "in", slice), kTfLiteOk);
  EXPECT_EQ(runner->InvokeAsync(task), kTfLiteOk);
  EXPECT_EQ(runner->Wait(task), kTfLiteOk);
  EXPECT_EQ(runner->Finish(task), kTfLiteOk);
  EXPECT_EQ(runner->UnregisterBuffer(slice), kTfLiteOk);
  EXPECT_THAT(backend_.calls, ElementsAre("register 0", "slice 1 of 0", "set buffer", "get buffer",
                                          "reconcile 0", "reconcile 1", "set 1", "prepare",
                                          "eval 1", "wait", "finish", "unregister 1"));
  TfLiteBackendBufferDelete(buffer);
}

TEST_F(AsyncRuns, BadArgumentsDoNotReachTheKernel) {
  ASSERT_EQ(interpreter_->ModifyGraphWithDelegate(&backend_.delegate), kTfLiteOk);
  AsyncSignatureRunner* runner = interpreter_->GetAsyncSignatureRunner("serve");
  ASSERT_NE(runner, nullptr);
  TfLiteBackendBuffer* buffer = TfLiteBackendBufferCreate();
  TfLiteAttributeMap* sync_attrs = TfLiteAttributeMapCreate(kTfLiteAttrMapTypeSync);
  TfLiteBufferHandle handle = 5;
  EXPECT_EQ(runner->RegisterBuffer(kTfLiteIoTypeInput, nullptr, attrs_, &handle), kTfLiteError);
  EXPECT_EQ(runner->RegisterBuffer(kTfLiteIoTypeInput, buffer, nullptr, &handle), kTfLiteError);
  EXPECT_EQ(runner->RegisterBuffer(kTfLiteIoTypeInput, buffer, attrs_, nullptr), kTfLiteError);
  EXPECT_EQ(runner->RegisterBufferSlice(0, sync_attrs, &handle), kTfLiteError);
  EXPECT_EQ(handle, kTfLiteNullBufferHandle);
  EXPECT_FALSE(runner->ReconcileRestrictions(kTfLiteIoTypeInput, "out", attrs_, attrs_, nullptr));
  EXPECT_FALSE(runner->ReconcileRestrictions(0, attrs_, nullptr, nullptr));
  EXPECT_EQ(runner->SetAttributes(kTfLiteIoTypeUnknown, "in", attrs_), kTfLiteError);
  EXPECT_EQ(runner->SetAttributes(42, attrs_), kTfLiteError);
  EXPECT_EQ(runner->SetAttributes(0, nullptr), kTfLiteError);
  EXPECT_EQ(runner->SetBufferAttributes(nullptr, attrs_), kTfLiteError);
  EXPECT_EQ(runner->GetBufferAttributes(buffer, nullptr), kTfLiteError);
  EXPECT_EQ(runner->InvokeAsync(nullptr), kTfLiteError);
  EXPECT_EQ(runner->Wait(nullptr), kTfLiteError);
  EXPECT_EQ(runner->Finish(nullptr), kTfLiteError);
  EXPECT_EQ(runner->input_tensor("out"), nullptr);
  EXPECT_EQ(runner->output_tensor(nullptr), nullptr);
  EXPECT_EQ(runner->tensor(-1), nullptr);
  EXPECT_THAT(backend_.calls, IsEmpty());
  TfLiteAttributeMapDelete(sync_attrs);
  TfLiteBackendBufferDelete(buffer);
}

TEST_F(AsyncRuns, WithoutADelegateTheRunnerOnlyNamesTensors) {
  AsyncSignatureRunner* runner = interpreter_->GetAsyncSignatureRunner("serve");
  ASSERT_NE(runner, nullptr);
  EXPECT_TRUE(reporter_.Has("Model is not fully delegated by 1 backend."));
  EXPECT_FALSE(runner->CanRun());
  EXPECT_EQ(runner->signature_key(), "serve");
  EXPECT_EQ(runner->input_size(), 1u);
  EXPECT_EQ(runner->output_size(), 1u);
  EXPECT_THAT(runner->input_names(), ElementsAre(StrEq("in")));
  EXPECT_THAT(runner->output_names(), ElementsAre(StrEq("out")));
  EXPECT_THAT(runner->inputs(), ElementsAre(0));
  EXPECT_THAT(runner->outputs(), ElementsAre(1));
  const auto* tensor = reinterpret_cast<const TfLiteOpaqueTensor*>(interpreter_->tensor(1));
  EXPECT_EQ(runner->output_tensor("out"), tensor);
  EXPECT_EQ(runner->tensor(1), tensor);
  EXPECT_THAT(runner->SupportedBufferTypes(kTfLiteIoTypeInput), IsEmpty());
  EXPECT_EQ(runner->PrepareBackends(), kTfLiteError);
  TfLiteExecutionTask* task = runner->CreateTask();
  EXPECT_EQ(runner->InvokeAsync(task), kTfLiteError);
  EXPECT_EQ(runner->Wait(task), kTfLiteError);
  EXPECT_EQ(runner->Finish(task), kTfLiteError);
  EXPECT_TRUE(reporter_.Has("Failed to finish task."));
}

TEST_F(AsyncRuns, TheKernelComesAndGoesWithItsDelegate) {
  AsyncSignatureRunner* runner = interpreter_->GetAsyncSignatureRunner("serve");
  ASSERT_EQ(interpreter_->ModifyGraphWithDelegate(&backend_.delegate), kTfLiteOk);
  EXPECT_EQ(interpreter_->GetAsyncSignatureRunner("serve"), runner);
  EXPECT_EQ(runner->PrepareBackends(), kTfLiteOk);
  ASSERT_EQ(interpreter_->RemoveAllDelegates(), kTfLiteOk);
  EXPECT_FALSE(runner->CanRun());
  EXPECT_EQ(runner->PrepareBackends(), kTfLiteError);
  EXPECT_EQ(runner->SetAttributes(0, attrs_), kTfLiteError);
}

TEST_F(AsyncRuns, KeysAreThoseOfSignatureRunners) {
  AsyncSignatureRunner* runner = interpreter_->GetAsyncSignatureRunner("serve");
  EXPECT_EQ(interpreter_->GetAsyncSignatureRunner(nullptr), runner);
  EXPECT_EQ(interpreter_->GetAsyncSignatureRunner("other"), nullptr);
  interpreter_->SetSignatureDef({});
  runner = interpreter_->GetAsyncSignatureRunner(nullptr);
  ASSERT_NE(runner, nullptr);
  EXPECT_THAT(runner->input_names(), ElementsAre(StrEq("x")));
  interpreter_->SetSignatureDef({{{{"a", 0}}, {{"b", 1}}, "far", 1}});
  EXPECT_EQ(interpreter_->GetAsyncSignatureRunner(nullptr), nullptr);
  EXPECT_EQ(interpreter_->GetAsyncSignatureRunner("far"), nullptr);
}

TEST_F(AsyncRuns, ATaskRunsOnceAtATime) {
  ASSERT_EQ(interpreter_->ModifyGraphWithDelegate(&backend_.delegate), kTfLiteOk);
  AsyncSubgraph graph(interpreter_->subgraph(0));
  EXPECT_EQ(graph.subgraph(), interpreter_->subgraph(0));
  EXPECT_EQ(graph.context(), interpreter_->subgraph(0)->context());
  auto* task = new TfLiteExecutionTask;
  EXPECT_FALSE(task->task->Scheduled());
  EXPECT_EQ(graph.InvokeAsync(task), kTfLiteOk);
  EXPECT_TRUE(task->task->Scheduled());
  EXPECT_EQ(graph.InvokeAsync(task), kTfLiteError);
  EXPECT_EQ(graph.Wait(task), kTfLiteOk);
  EXPECT_FALSE(task->task->Scheduled());
  // Without a run, the latest status.
  task->task->SetStatus(kTfLiteCancelled);
  EXPECT_EQ(graph.Wait(task), kTfLiteCancelled);
  backend_.status = kTfLiteDelegateError;
  EXPECT_EQ(graph.InvokeAsync(task), kTfLiteDelegateError);
  EXPECT_EQ(task->task->Status(), kTfLiteDelegateError);
  EXPECT_EQ(graph.Finish(task), kTfLiteDelegateError);
  EXPECT_THAT(backend_.calls, ElementsAre("eval -1", "wait", "eval -1", "finish"));
}

TEST(ExecutionTask, PlacesByNameAndByIndex) {
  ExecutionTask task;
  EXPECT_EQ(task.SetBufferHandle(kTfLiteIoTypeInput, "x", 4), kTfLiteError);
  EXPECT_EQ(task.GetBufferHandle(kTfLiteIoTypeInput, "x"), kTfLiteNullBufferHandle);
  const ExecutionTask::TensorNameMapT inputs = {{"x", 1}};
  const ExecutionTask::TensorNameMapT outputs = {{"y", 2}};
  task.SetInputNameMap(&inputs);
  task.SetOutputNameMap(&outputs);
  TfLiteSynchronization* sync = TfLiteSynchronizationCreate();
  EXPECT_EQ(task.SetBufferHandle(kTfLiteIoTypeInput, "x", 4), kTfLiteOk);
  EXPECT_EQ(task.SetBufferHandle(2, 5), kTfLiteOk);
  EXPECT_EQ(task.SetSynchronization(kTfLiteIoTypeOutput, "y", sync), kTfLiteOk);
  EXPECT_EQ(task.GetBufferHandle(1), 4);
  EXPECT_EQ(task.GetBufferHandle(kTfLiteIoTypeOutput, "y"), 5);
  EXPECT_EQ(task.GetSynchronization(2), sync);
  EXPECT_EQ(task.GetSynchronization(kTfLiteIoTypeInput, "x"), nullptr);
  EXPECT_EQ(task.SetSynchronization(kTfLiteIoTypeOutput, "x", sync), kTfLiteError);
  EXPECT_EQ(task.SetSynchronization(kTfLiteIoTypeUnknown, "x", sync), kTfLiteError);
  EXPECT_EQ(task.GetDelegateExecutionData(nullptr), nullptr);
  task.SetDelegateExecutionData(nullptr, &task);
  EXPECT_EQ(task.GetDelegateExecutionData(nullptr), &task);
  TfLiteSynchronizationDelete(sync);
}

}  // namespace
}  // namespace tflite::async
