// SPDX-License-Identifier: Apache-2.0
// The names of the first preview, which stand for Metal on Apple's systems alone: the headers are
// compiled as there, and run over the stand-in for Metal.
#include <gtest/gtest.h>

#include <type_traits>

#include "metal/standin.h"
#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

// The headers that this one includes are read above.
#define __APPLE__ 1
#include "tensorflow/lite/delegates/gpu/delegate.h"
#undef __APPLE__

namespace {

static_assert(
    std::is_same_v<decltype(&NewGpuDelegate), TfLiteDelegate* (*)(const TFLGpuDelegateOptions*)>);

TEST(MetalOldNames, MakeTheDelegateForMetal) {
  using namespace tflite;
  const auto model = FlatBufferModel::BuildFromFile("demo/landscape.tflite");
  ASSERT_NE(model, nullptr);
  TFLGpuDelegateOptions options = TFLGpuDelegateOptionsDefault();
  options.allow_precision_loss = true;
  for (const TFLGpuDelegateOptions* given :
       {static_cast<TFLGpuDelegateOptions*>(nullptr), &options}) {
    TfLiteDelegate* const delegate = NewGpuDelegate(given);
    ASSERT_NE(delegate, nullptr);
    {
      const ops::builtin::BuiltinOpResolverWithoutDefaultDelegates resolver;
      std::unique_ptr<Interpreter> interpreter;
      InterpreterBuilder(*model, resolver)(&interpreter);
      ASSERT_EQ(interpreter->ModifyGraphWithDelegate(delegate), kTfLiteOk);
      const auto* node = interpreter->node_and_registration(interpreter->execution_plan()[0]);
      EXPECT_STREQ(node->second.custom_name, "TfLiteMetalDelegate");
      EXPECT_EQ(interpreter->Invoke(), kTfLiteOk);
    }
    DeleteGpuDelegate(delegate);
  }
  DeleteGpuDelegate(nullptr);
}

}  // namespace
