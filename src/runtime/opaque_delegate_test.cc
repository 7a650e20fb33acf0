// SPDX-License-Identifier: Apache-2.0
//
// Delegates that see the runtime only through opaque types.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "runtime/testing/fake_ops.h"
#include "tensorflow/lite/core/c/operator.h"

namespace tern {
namespace {

using ::testing::ElementsAre;
using testing::Graph;

struct State {
  bool give_operator = true;
  int kernel_inits = 0;
  int kernel_frees = 0;
  int prepares = 0;
  std::vector<int> freed_handles;
};

TfLiteContext* Plain(TfLiteOpaqueContext* context) {
  return reinterpret_cast<TfLiteContext*>(context);
}
TfLiteNode* Plain(TfLiteOpaqueNode* node) { return reinterpret_cast<TfLiteNode*>(node); }

TfLiteOperator* MakeKernel() {
  TfLiteOperator* kernel = TfLiteOperatorCreate(kTfLiteBuiltinDelegate, "OpaqueKernel", 1, nullptr);
  TfLiteOperatorSetInit(kernel, [](TfLiteOpaqueContext*, const char* buffer, size_t) -> void* {
    const auto* params = reinterpret_cast<const TfLiteOpaqueDelegateParams*>(buffer);
    auto* state = static_cast<State*>(params->delegate_data);
    ++state->kernel_inits;
    return state;
  });
  TfLiteOperatorSetFree(
      kernel, [](TfLiteOpaqueContext*, void* data) { ++static_cast<State*>(data)->kernel_frees; });
  TfLiteOperatorSetInvoke(kernel, [](TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return testing::SumInputs(Plain(context), Plain(node));
  });
  return kernel;
}

TfLiteStatus Prepare(TfLiteOpaqueContext* opaque, TfLiteOpaqueDelegate* delegate, void* data) {
  auto* state = static_cast<State*>(data);
  ++state->prepares;
  TfLiteContext* context = Plain(opaque);
  TfLiteIntArray* plan = nullptr;
  if (context->GetExecutionPlan(context, &plan) != kTfLiteOk) return kTfLiteError;
  TfLiteRegistration registration = {};
  registration.custom_name = "OpaqueKernel";
  if (state->give_operator) registration.registration_external = MakeKernel();
  return context->ReplaceNodeSubsetsWithDelegateKernels(
      context, registration, plan, reinterpret_cast<TfLiteDelegate*>(delegate));
}

struct OpaqueDelegate {
  OpaqueDelegate() {
    builder.data = &state;
    builder.Prepare = Prepare;
    builder.FreeBufferHandle = [](TfLiteOpaqueContext*, TfLiteOpaqueDelegate*, void* data,
                                  TfLiteBufferHandle* handle) {
      static_cast<State*>(data)->freed_handles.push_back(*handle);
    };
    delegate.opaque_delegate_builder = &builder;
  }
  State state;
  TfLiteOpaqueDelegateBuilder builder = {};
  TfLiteDelegate delegate = TfLiteDelegateCreate();
};

TEST(OpaqueDelegate, RunsItsOperator) {
  OpaqueDelegate opaque;
  {
    Graph graph;
    graph.Chain(1);
    ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(&opaque.delegate), kTfLiteOk)
        << graph.reporter.text;
    EXPECT_TRUE(graph.interpreter.IsFullyDelegated());
    graph.Fill(0, 2);
    ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
    EXPECT_THAT(graph.Values(1), ElementsAre(2, 2, 2, 2));
    ASSERT_EQ(graph.interpreter.SetBufferHandle(1, 9, &opaque.delegate), kTfLiteOk);
    // Another shape makes a new kernel with a new operator.
    ASSERT_EQ(graph.interpreter.ResizeInputTensor(0, {2}), kTfLiteOk);
    EXPECT_EQ(opaque.state.kernel_frees, 1);
    ASSERT_EQ(graph.interpreter.AllocateTensors(), kTfLiteOk);
    EXPECT_EQ(opaque.state.kernel_inits, 2);
  }
  EXPECT_EQ(opaque.state.kernel_frees, 2);
  EXPECT_THAT(opaque.state.freed_handles, ElementsAre(9));
}

// A delegate that a program filled field by field may have rubbish in the last one.
TEST(OpaqueDelegate, CountsOnlyWithoutAPlainPrepare) {
  TfLiteDelegate delegate;
  std::memset(&delegate, 0xDB, sizeof(delegate));
  bool prepared = false;
  delegate.data_ = &prepared;
  delegate.Prepare = [](TfLiteContext*, TfLiteDelegate* self) {
    *static_cast<bool*>(self->data_) = true;
    return kTfLiteOk;
  };
  delegate.CopyFromBufferHandle = nullptr;
  delegate.CopyToBufferHandle = nullptr;
  delegate.FreeBufferHandle = nullptr;
  delegate.flags = kTfLiteDelegateFlagsNone;
  Graph graph;
  graph.Chain(1);
  ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(&delegate), kTfLiteOk);
  EXPECT_TRUE(prepared);
}

TEST(OpaqueDelegate, NeedsAnOperator) {
  OpaqueDelegate opaque;
  opaque.state.give_operator = false;
  Graph graph;
  graph.Chain(1);
  EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(&opaque.delegate), kTfLiteDelegateError);
  graph.Fill(0, 2);
  ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
  EXPECT_THAT(graph.Values(1), ElementsAre(4, 4, 4, 4));
}

}  // namespace
}  // namespace tern
