// SPDX-License-Identifier: Apache-2.0
//
// Registrations that no resolver holds.
#include <gtest/gtest.h>

#include "runtime/testing/fake_ops.h"
#include "tensorflow/lite/core/interpreter.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h"

namespace tern {
namespace {

namespace builtin = tflite::ops::builtin;

// One node with a float input and output of shape {2}.
std::unique_ptr<tflite::Interpreter> OneNode(TfLiteRegistration* registration, void* params,
                                             tflite::ErrorReporter* reporter) {
  auto interpreter = std::make_unique<tflite::Interpreter>(reporter);
  interpreter->AddTensors(2);
  for (int i = 0; i < 2; ++i) {
    interpreter->SetTensorParametersReadWrite(i, kTfLiteFloat32, "t", {2}, TfLiteQuantization());
  }
  interpreter->SetInputs({0});
  interpreter->SetOutputs({1});
  interpreter->AddNodeWithParameters({0}, {1}, nullptr, 0, params, registration);
  return interpreter;
}

TEST(RegisterVariants, FormsOfOneKernelAgree) {
  for (TfLiteRegistration* registration :
       {builtin::Register_LOGISTIC_REF(), builtin::Register_LOGISTIC_GENERIC_OPT(),
        builtin::Register_LOGISTIC_FIXED_POINT_OPT()}) {
    testing::RecordingReporter reporter;
    auto interpreter = OneNode(registration, nullptr, &reporter);
    ASSERT_EQ(interpreter->AllocateTensors(), kTfLiteOk) << reporter.text;
    interpreter->typed_input_tensor<float>(0)[0] = 0;
    interpreter->typed_input_tensor<float>(0)[1] = 1;
    ASSERT_EQ(interpreter->Invoke(), kTfLiteOk);
    EXPECT_NEAR(interpreter->typed_output_tensor<float>(0)[0], 0.5f, 1e-6f);
    EXPECT_NEAR(interpreter->typed_output_tensor<float>(0)[1], 0.7310586f, 1e-6f);
  }
}

TEST(RegisterVariants, ReferenceAndOptimizedKernelsDiffer) {
  EXPECT_NE(builtin::Register_CONVOLUTION_REF()->init, builtin::Register_CONV_2D()->init);
  for (const TfLiteRegistration* fast :
       {builtin::Register_CONVOLUTION_GENERIC_OPT(), builtin::Register_CONVOLUTION_CBLAS_OPT(),
        builtin::Register_CONVOLUTION_MULTITHREADED_OPT(), builtin::Register_CONV_2D_UINT8()}) {
    EXPECT_EQ(fast->init, builtin::Register_CONV_2D()->init);
  }
  for (const TfLiteRegistration* plain :
       {builtin::Register_DEPTHWISE_CONVOLUTION_REF(), builtin::Register_TRANSPOSECONV_REF(),
        builtin::Register_FULLY_CONNECTED_REF(), builtin::Register_BATCH_MATMUL_REF(),
        builtin::Register_TANH_REF(), builtin::Register_SOFTMAX_REF(),
        builtin::Register_LOG_SOFTMAX_REF(), builtin::Register_PRELU_REF(),
        builtin::Register_LEAKY_RELU_REF(), builtin::Register_MEAN_REF(),
        builtin::Register_SUM_REF()}) {
    EXPECT_NE(plain->init, nullptr);
  }
  for (const TfLiteRegistration* fast :
       {builtin::Register_DEPTHWISE_CONVOLUTION_GENERIC_OPT(),
        builtin::Register_DEPTHWISE_CONVOLUTION_NEON_OPT(),
        builtin::Register_DEPTHWISE_CONV_2D_UINT8(), builtin::Register_TRANSPOSECONV_GENERIC_OPT(),
        builtin::Register_FULLY_CONNECTED_GENERIC_OPT(), builtin::Register_CONV_3D_GENERIC_OPT(),
        builtin::Register_TANH_GENERIC_OPT(), builtin::Register_TANH_FIXED_POINT_OPT()}) {
    EXPECT_NE(fast->invoke, nullptr);
  }
}

TEST(RegisterVariants, OperationsWithoutAKernelFailWhenTheyPrepare) {
  testing::RecordingReporter reporter;
  auto interpreter = OneNode(builtin::Register_STABLEHLO_CBRT(), nullptr, &reporter);
  EXPECT_EQ(interpreter->AllocateTensors(), kTfLiteError);
  EXPECT_TRUE(reporter.Has("STABLEHLO_CBRT: there is no kernel for this operation"))
      << reporter.text;
  for (const TfLiteRegistration* absent :
       {builtin::Register_STABLEHLO_ABS(), builtin::Register_STABLEHLO_DOT_GENERAL(),
        builtin::Register_STABLEHLO_LOGISTIC(), builtin::Register_STABLEHLO_WHILE()}) {
    EXPECT_NE(absent->prepare, nullptr);
    EXPECT_EQ(absent->invoke, nullptr);
  }
}

}  // namespace
}  // namespace tern
