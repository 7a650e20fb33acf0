// SPDX-License-Identifier: Apache-2.0
//
// Delegates made of two classes over opaque objects.
#include "tensorflow/lite/delegates/utils/simple_opaque_delegate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "runtime/testing/fake_ops.h"

namespace tflite {
namespace {

using tern::testing::AddOp;
using tern::testing::Graph;
using ::testing::ElementsAre;

struct Settings {
  bool fail_initialize = false;
  bool fail_init = false;
  bool fail_prepare = false;
  int kernels_alive = 0;
  std::vector<int> copied_handles;
};

// y = 100 * the number of its nodes.
class HundredKernel : public SimpleOpaqueDelegateKernelInterface {
 public:
  explicit HundredKernel(Settings* settings) : settings_(settings) { ++settings_->kernels_alive; }
  ~HundredKernel() override { --settings_->kernels_alive; }

  TfLiteStatus Init(TfLiteOpaqueContext*, const TfLiteOpaqueDelegateParams* params) override {
    value_ = 100.0f * static_cast<float>(params->nodes_to_replace->size);
    return settings_->fail_init ? kTfLiteError : kTfLiteOk;
  }
  TfLiteStatus Prepare(TfLiteOpaqueContext*, TfLiteOpaqueNode*) override {
    return settings_->fail_prepare ? kTfLiteError : kTfLiteOk;
  }
  TfLiteStatus Eval(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) override {
    TfLiteOpaqueTensor* output = TfLiteOpaqueNodeGetOutput(context, node, 0);
    auto* elements = static_cast<float*>(TfLiteOpaqueTensorData(output));
    for (size_t i = 0; i < TfLiteOpaqueTensorByteSize(output) / sizeof(float); ++i) {
      elements[i] = value_;
    }
    return kTfLiteOk;
  }

 private:
  Settings* const settings_;
  float value_ = 0;
};

class AddDelegate : public SimpleOpaqueDelegateInterface {
 public:
  explicit AddDelegate(Settings* settings) : settings_(settings) {}

  bool IsNodeSupportedByDelegate(const TfLiteOperator* op, const TfLiteOpaqueNode* node,
                                 TfLiteOpaqueContext*) const override {
    EXPECT_GT(TfLiteOpaqueNodeNumberOfInputs(node), 0);
    const char* name = TfLiteOperatorGetCustomName(op);
    return name != nullptr && std::strcmp(name, "add") == 0;
  }
  TfLiteStatus Initialize(TfLiteOpaqueContext*) override {
    return settings_->fail_initialize ? kTfLiteError : kTfLiteOk;
  }
  const char* Name() const override { return "AddDelegate"; }
  std::unique_ptr<SimpleOpaqueDelegateKernelInterface> CreateDelegateKernelInterface() override {
    return std::make_unique<HundredKernel>(settings_);
  }
  TfLiteStatus CopyFromBufferHandle(TfLiteOpaqueContext*, TfLiteBufferHandle handle,
                                    TfLiteOpaqueTensor*) override {
    settings_->copied_handles.push_back(handle);
    return kTfLiteOk;
  }

 private:
  Settings* const settings_;
};

// add, add, other, add
void Fill(Graph* graph) {
  for (int i = 0; i < 5; ++i) graph->Tensor();
  graph->Node({0}, {1});
  graph->Node({1}, {2});
  graph->Node({2}, {3}, AddOp("other"));
  graph->Node({3}, {4});
  graph->interpreter.SetInputs({0});
  graph->interpreter.SetOutputs({3, 4});
}

TEST(SimpleOpaqueDelegate, TakesTheGroupsItSupports) {
  Settings settings;
  const TfLiteOpaqueDelegateUniquePtr delegate =
      TfLiteOpaqueDelegateFactory::Create(std::make_unique<AddDelegate>(&settings));
  {
    Graph graph;
    Fill(&graph);
    ASSERT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteOk)
        << graph.reporter.text;
    EXPECT_EQ(settings.kernels_alive, 2);
    EXPECT_THAT(graph.interpreter.execution_plan(), ElementsAre(4, 2, 5));
    EXPECT_STREQ(graph.interpreter.node_and_registration(4)->second.custom_name, "AddDelegate");
    graph.Fill(0, 1);
    ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
    EXPECT_THAT(graph.Values(3), ElementsAre(200, 200, 200, 200));
    EXPECT_THAT(graph.Values(4), ElementsAre(100, 100, 100, 100));
    // Buffer handles reach the class.
    ASSERT_EQ(graph.interpreter.SetBufferHandle(4, 7, delegate.get()), kTfLiteOk);
    graph.interpreter.tensor(4)->data_is_stale = true;
    ASSERT_EQ(graph.interpreter.EnsureTensorDataIsReadable(4), kTfLiteOk);
    EXPECT_THAT(settings.copied_handles, ElementsAre(7));
  }
  EXPECT_EQ(settings.kernels_alive, 0);
}

TEST(SimpleOpaqueDelegate, FailuresGiveTheGraphBack) {
  for (bool Settings::*what :
       {&Settings::fail_initialize, &Settings::fail_init, &Settings::fail_prepare}) {
    Settings settings;
    settings.*what = true;
    const TfLiteOpaqueDelegateUniquePtr delegate =
        TfLiteOpaqueDelegateFactory::Create(std::make_unique<AddDelegate>(&settings));
    Graph graph;
    Fill(&graph);
    EXPECT_EQ(graph.interpreter.ModifyGraphWithDelegate(delegate.get()), kTfLiteDelegateError);
    EXPECT_EQ(settings.kernels_alive, 0);
    graph.Fill(0, 1);
    ASSERT_EQ(graph.interpreter.Invoke(), kTfLiteOk);
    EXPECT_THAT(graph.Values(4), ElementsAre(1, 1, 1, 1));
  }
}

TEST(SimpleOpaqueDelegate, Nothing) {
  EXPECT_EQ(TfLiteOpaqueDelegateFactory::CreateSimpleDelegate(nullptr), nullptr);
  TfLiteOpaqueDelegateFactory::DeleteSimpleDelegate(nullptr);
}

}  // namespace
}  // namespace tflite
