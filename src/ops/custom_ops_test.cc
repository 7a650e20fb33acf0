// SPDX-License-Identifier: Apache-2.0
// Custom ops by their names in the resolvers, by the functions of custom_ops_register.h, and when a
// program brings its own under the same name.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/testing/model_builder.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/kernels/custom_ops_register.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/kernels/register_ref.h"
#include "tensorflow/lite/model_builder.h"

namespace tern::testing {
namespace {

namespace custom = tflite::ops::custom;

using Registrations = std::vector<std::pair<std::string, TfLiteRegistration*>>;

Registrations All() {
  return {{"Atan2", custom::Register_ATAN2()},
          {"AudioSpectrogram", custom::Register_AUDIO_SPECTROGRAM()},
          {"AvgPool3D", custom::Register_AVG_POOL_3D()},
          {"Irfft2d", custom::Register_IRFFT2D()},
          {"MaxPool3D", custom::Register_MAX_POOL_3D()},
          {"Mfcc", custom::Register_MFCC()},
          {"Multinomial", custom::Register_MULTINOMIAL()},
          {"NumericVerify", custom::Register_NUMERIC_VERIFY()},
          {"RandomStandardNormal", custom::Register_RANDOM_STANDARD_NORMAL()},
          {"RandomUniform", custom::Register_RANDOM_UNIFORM()},
          {"RandomUniformInt", custom::Register_RANDOM_UNIFORM_INT()},
          {"Roll", custom::Register_ROLL()},
          {"Sign", custom::Register_SIGN()},
          {"Table", custom::Register_TABLE()},
          {"UNIDIRECTIONAL_SEQUENCE_GRU", custom::Register_UNIDIRECTIONAL_SEQUENCE_GRU()},
          {"UNIDIRECTIONAL_SEQUENCE_GRU",
           tflite::ops::experimental::Register_UNIDIRECTIONAL_SEQUENCE_GRU()},
          {"aeq.hadamard_rotation", custom::Register_HADAMARD_ROTATION()}};
}

TEST(CustomOps, TablesHaveCustomNames) {
  for (const TfLiteRegistration* r :
       {custom::Register_HASHTABLE(), custom::Register_HASHTABLE_FIND(),
        custom::Register_HASHTABLE_IMPORT(), custom::Register_HASHTABLE_SIZE()}) {
    ASSERT_NE(r, nullptr);
    EXPECT_NE(r->invoke, nullptr);
  }
}

TEST(CustomOps, ResolversKnowThem) {
  const tflite::ops::builtin::BuiltinOpResolver fast;
  const tflite::ops::builtin::BuiltinRefOpResolver plain;
  for (const auto& [name, registration] : All()) {
    ASSERT_NE(registration, nullptr) << name;
    EXPECT_NE(registration->invoke, nullptr) << name;
    for (const tflite::OpResolver* resolver :
         std::vector<const tflite::OpResolver*>{&fast, &plain}) {
      const TfLiteRegistration* found = resolver->FindOp(name.c_str(), 1);
      ASSERT_NE(found, nullptr) << name;
      EXPECT_NE(found->invoke, nullptr) << name;
    }
  }
}

// The first result of a model input -> op -> output, fed with 1, 2, 3.
float FirstResult(const tflite::OpResolver& resolver, const std::string& name) {
  ModelBuilder b;
  const int in = b.Input({3});
  const int out = b.Tensor({3});
  std::vector<int32_t> inputs = {in};
  if (name != "Sign") {
    inputs.push_back(b.Const<int32_t>({}, {1}));
    inputs.push_back(b.Const<int32_t>({}, {0}));
  }
  b.CustomOp(name, inputs, {out});
  b.Output(out);
  const std::vector<uint8_t> bytes = b.Finish();
  const auto model = tflite::FlatBufferModel::VerifyAndBuildFromBuffer(
      reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::unique_ptr<tflite::Interpreter> interpreter;
  EXPECT_EQ(tflite::InterpreterBuilder(*model, resolver)(&interpreter), kTfLiteOk);
  EXPECT_EQ(interpreter->AllocateTensors(), kTfLiteOk);
  for (int i = 0; i < 3; ++i) {
    interpreter->typed_input_tensor<float>(0)[i] = static_cast<float>(i + 1);
  }
  EXPECT_EQ(interpreter->Invoke(), kTfLiteOk);
  return interpreter->typed_output_tensor<float>(0)[0];
}

TEST(CustomOps, ProgramsMayAddThem) {
  tflite::MutableOpResolver resolver;
  resolver.AddCustom("Shifted", custom::Register_ROLL());
  EXPECT_EQ(FirstResult(resolver, "Shifted"), 3);
}

TEST(CustomOps, ProgramsMayReplaceThem) {
  tflite::ops::builtin::BuiltinOpResolver resolver;
  EXPECT_EQ(FirstResult(resolver, "Sign"), 1);
  TfLiteRegistration own{};
  own.prepare = [](TfLiteContext*, TfLiteNode*) { return kTfLiteOk; };
  own.invoke = [](TfLiteContext* context, TfLiteNode* node) {
    context->tensors[node->outputs->data[0]].data.f[0] = 42;
    return kTfLiteOk;
  };
  resolver.AddCustom("Sign", &own);
  EXPECT_EQ(FirstResult(resolver, "Sign"), 42);
}

}  // namespace
}  // namespace tern::testing
