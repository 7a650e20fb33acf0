// SPDX-License-Identifier: Apache-2.0
// The Metal code blocks of the product documents, word for word, run in C++ over the stand-in for
// Metal. As Objective-C++, with Metal's own types, they are in metal_snippets.mm.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "metal/standin.h"
#include "metal/standin_runtime.h"
#include "tensorflow/lite/delegates/gpu/metal_delegate.h"
#include "tensorflow/lite/delegates/gpu/metal_delegate_internal.h"
#include "tensorflow/lite/delegates/gpu/report.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

using namespace tflite;

// The documents leave fields out.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

namespace {

constexpr char kModel[] = "demo/landscape.tflite";

// Where the pixels lie that the snippets read and write.
std::vector<float> given, received;

void WriteToInputTensor(float* data) { std::copy(given.begin(), given.end(), data); }
void ReadFromOutputTensor(const float* data) {
  std::copy(data, data + received.size(), received.begin());
}

using MetalBuffer = void*;
#include "metal_blocks.inc"

std::unique_ptr<Interpreter> NewInterpreter(const FlatBufferModel& model) {
  const ops::builtin::BuiltinOpResolverWithoutDefaultDelegates resolver;
  std::unique_ptr<Interpreter> interpreter;
  InterpreterBuilder(model, resolver)(&interpreter);
  return interpreter;
}

class MetalSnippets : public testing::Test {
 protected:
  void SetUp() override {
    model_ = FlatBufferModel::BuildFromFile(kModel);
    ASSERT_NE(model_, nullptr);
    const std::unique_ptr<Interpreter> cpu = NewInterpreter(*model_);
    ASSERT_EQ(cpu->AllocateTensors(), kTfLiteOk);
    given.resize(cpu->input_tensor(0)->bytes / sizeof(float));
    for (size_t i = 0; i < given.size(); ++i) given[i] = static_cast<float>(i % 17) / 17.0f;
    received.assign(cpu->output_tensor(0)->bytes / sizeof(float), -1.0f);
    std::copy(given.begin(), given.end(), cpu->typed_input_tensor<float>(0));
    ASSERT_EQ(cpu->Invoke(), kTfLiteOk);
    const float* data = cpu->typed_output_tensor<float>(0);
    want_.assign(data, data + received.size());
  }

  void CheckReceived() const {
    for (size_t i = 0; i < want_.size(); ++i) ASSERT_NEAR(received[i], want_[i], 1e-4f) << i;
  }

  std::unique_ptr<FlatBufferModel> model_;
  std::vector<float> want_;
};

TEST_F(MetalSnippets, Basic) {
  ASSERT_TRUE(Basic(kModel));
  CheckReceived();
}

TEST_F(MetalSnippets, DelegatesWithOptionsRun) {
  for (auto* const make :
       {Options, OptionsDefault, Options2, OptionsDefault2, QuantizationOff, QuantizationOn}) {
    TfLiteDelegate* const delegate = make();
    ASSERT_NE(delegate, nullptr);
    const std::unique_ptr<Interpreter> interpreter = NewInterpreter(*model_);
    ASSERT_EQ(interpreter->ModifyGraphWithDelegate(delegate), kTfLiteOk);
    std::copy(given.begin(), given.end(), interpreter->typed_input_tensor<float>(0));
    ASSERT_EQ(interpreter->Invoke(), kTfLiteOk);
    ReadFromOutputTensor(interpreter->typed_output_tensor<float>(0));
    CheckReceived();
    EXPECT_NE(std::string(TfLiteGpuDelegateV2Report(delegate)).find("stand-in"), std::string::npos);
    TFLGpuDelegateDelete(delegate);
  }
}

TEST_F(MetalSnippets, Buffers) {
  namespace standin = tern::metal_standin;
  const auto device = standin::TakeDevice();
  const auto in = standin::NewBuffer(device, given.size() * sizeof(float));
  const auto out = standin::NewBuffer(device, received.size() * sizeof(float));
  WriteToInputTensor(static_cast<float*>(standin::Contents(in)));
  const std::unique_ptr<Interpreter> interpreter = NewInterpreter(*model_);
  ASSERT_EQ(interpreter->AllocateTensors(), kTfLiteOk);
  ASSERT_TRUE(Buffers(interpreter.get(), in, out));
  ReadFromOutputTensor(static_cast<const float*>(standin::Contents(out)));
  CheckReceived();
  for (const auto object : {in, out, device}) standin::Release(object);
}

}  // namespace
