// SPDX-License-Identifier: Apache-2.0
// A delegate that only plans reports about an operation the same as one with a driver.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gpu/backends/backend_list.h"
#include "ops/testing/example.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/delegates/gpu/report.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"

namespace tern::testing {
namespace {

// The decisions in the report of a delegate that was applied to the model, with the status.
std::string DecisionsOf(const std::vector<uint8_t>& bytes, const char* plan_only) {
  const auto model = tflite::FlatBufferModel::BuildFromBuffer(
      reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::unique_ptr<tflite::Interpreter> interpreter;
  tflite::InterpreterBuilder(*model, tflite::ops::builtin::BuiltinOpResolver())(&interpreter);
  if (interpreter == nullptr) return "not built";
  const char* keys[] = {"tern_backend", "tern_plan_only"};
  const char* values[] = {"opencl", plan_only};
  const std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)> delegate(
      tflite_plugin_create_delegate(keys, values, 2, nullptr), tflite_plugin_destroy_delegate);
  const TfLiteStatus status = interpreter->ModifyGraphWithDelegate(delegate.get());
  const std::string report = TfLiteGpuDelegateV2Report(delegate.get());
  interpreter.reset();
  const size_t begin = report.find("\"decisions\":");
  const size_t end = report.find(",\"plans\":");
  return std::to_string(status) + " " + report.substr(begin, end - begin);
}

TEST(ExplainedExamples, PlanningAloneTellsWhatADriverTells) {
  if (!gpu::OpenDevice("opencl").ok()) GTEST_SKIP() << "no opencl device here";
  // Each model costs the building of its programs.
  constexpr size_t kEvery = 11;
  size_t number = 0, decided = 0;
  for (const Example& example : Examples::All()) {
    for (const std::vector<uint8_t>& bytes : ModelsOnCpu(example)) {
      if (number++ % kEvery != 0) continue;
      const std::string planned = DecisionsOf(bytes, "1");
      EXPECT_EQ(DecisionsOf(bytes, "0"), planned) << example.op << " " << example.operands;
      decided += planned.find("\"code\":") != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_GT(decided, number / kEvery / 2);
}

}  // namespace
}  // namespace tern::testing
