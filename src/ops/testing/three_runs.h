// SPDX-License-Identifier: Apache-2.0
// Models with states, run three times with other inputs on the CPU and on GPU engines.
#ifndef TERN_OPS_TESTING_THREE_RUNS_H_
#define TERN_OPS_TESTING_THREE_RUNS_H_

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "model/testing/model_builder.h"
#include "ops/testing/engines.h"
#include "ops/testing/oracle.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/delegates/gpu/report.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model_builder.h"

namespace tern::testing {

// All outputs of each of three runs; the inputs are other ones each time. Empty when the engine
// does not take the graph.
inline std::vector<float> RunThrice(const std::vector<uint8_t>& bytes, const Engine& engine) {
  const auto model = tflite::FlatBufferModel::VerifyAndBuildFromBuffer(
      reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (model == nullptr) return {};
  tflite::ops::builtin::BuiltinOpResolverWithoutDefaultDelegates resolver;
  DelegatePtr delegate(nullptr, [](TfLiteDelegate*) {});
  std::unique_ptr<tflite::Interpreter> interpreter;
  tflite::InterpreterBuilder(*model, resolver)(&interpreter, 1);
  if (interpreter == nullptr) return {};
  if (engine.on_gpu()) {
    delegate = MakeDelegate(engine);
    if (interpreter->ModifyGraphWithDelegate(delegate.get()) != kTfLiteOk) return {};
    const std::string report = TfLiteGpuDelegateV2Report(delegate.get());
    if (report.find("\"refused\":[]") == std::string::npos) {
      ADD_FAILURE() << report;
      return {};
    }
  }
  if (interpreter->AllocateTensors() != kTfLiteOk) return {};
  std::vector<float> results;
  for (uint64_t run = 0; run < 3; ++run) {
    for (size_t i = 0; i < interpreter->inputs().size(); ++i) {
      TfLiteTensor* input = interpreter->input_tensor(i);
      const std::vector<float> values =
          Random(10 * run + i).Floats(static_cast<int64_t>(input->bytes / sizeof(float)), -2, 2);
      std::memcpy(input->data.raw, values.data(), input->bytes);
    }
    if (interpreter->Invoke() != kTfLiteOk) return {};
    for (size_t o = 0; o < interpreter->outputs().size(); ++o) {
      const TfLiteTensor* output = interpreter->output_tensor(o);
      const auto count = static_cast<int64_t>(output->bytes / sizeof(float));
      results.insert(results.end(), output->data.f, output->data.f + count);
    }
  }
  return results;
}

inline void CheckThriceOn(const Engine& engine, const std::vector<uint8_t>& bytes,
                          const std::vector<float>& want, int terms) {
  SCOPED_TRACE(engine.name);
  const std::vector<float> got = RunThrice(bytes, engine);
  ASSERT_EQ(got.size(), want.size());
  // Of sums whose terms' factors are rounded.
  const float step = 4 * std::sqrt(static_cast<float>(terms)) * (engine.half ? 0x1p-12f : 0x1p-23f);
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], want[i], step * (1 + std::fabs(want[i]))) << i;
  }
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_THREE_RUNS_H_
