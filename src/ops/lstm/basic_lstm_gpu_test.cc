// SPDX-License-Identifier: Apache-2.0
// The basic kernel of LSTM on the GPU against the CPU, over several runs with its state in
// variables or handed over by the application.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>

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
namespace {

struct Sizes {
  int batch, inputs, cells;
  bool variables = true;
};

struct Model {
  ModelBuilder builder;
  std::vector<int32_t> operands, results;
};

Model BasicLstm(const Sizes& s) {
  Model m;
  ModelBuilder& b = m.builder;
  b.SetOpVersion(2);
  const int x = b.Input({s.batch, s.inputs});
  const auto state = [&] {
    return s.variables ? b.Variable({s.batch, s.cells}) : b.Input({s.batch, s.cells});
  };
  const int h = state(), c = state(), columns = s.inputs + s.cells;
  const int w = b.Const({4 * s.cells, columns}, Random(5).Floats(4 * s.cells * columns, -1, 1));
  const int bias = b.Const({4 * s.cells}, Random(6).Floats(4 * s.cells, -1, 1));
  m.operands = {x, h, w, bias, c};
  m.results = {b.Tensor({s.batch, s.cells}), b.Tensor({s.batch, s.cells}),
               b.Tensor({s.batch, columns}), b.Tensor({s.batch, 4 * s.cells})};
  tflite::LSTMOptionsT options;
  options.fused_activation_function = tflite::ActivationFunctionType_TANH;
  options.kernel_type = tflite::LSTMKernelType_BASIC;
  b.Op(tflite::BuiltinOperator_LSTM, m.operands, m.results, options);
  return m;
}

// All outputs of each of three runs; the inputs are other ones each time. Empty when the engine
// does not take the graph.
std::vector<float> RunThrice(const std::vector<uint8_t>& bytes, const Engine& engine) {
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

void CheckOn(const Engine& engine, const std::vector<uint8_t>& bytes,
             const std::vector<float>& want) {
  SCOPED_TRACE(engine.name);
  const std::vector<float> got = RunThrice(bytes, engine);
  ASSERT_EQ(got.size(), want.size());
  const float step = engine.half ? 1.0f / 512 : 4e-6f;
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], want[i], step * (1 + std::fabs(want[i]))) << i;
  }
}

TEST(BasicLstmGpu, SizesStatesAndOutputs) {
  const Sizes cases[] = {{1, 1, 1},  {2, 5, 7},   {3, 33, 17},
                         {7, 9, 16}, {1, 64, 32}, {2, 5, 7, false}};
  for (const Sizes& s : cases) {
    // The first two results, or all four.
    for (const size_t outputs : {size_t{2}, size_t{4}}) {
      SCOPED_TRACE(StrCat(s.batch, " x ", s.inputs, " to ", s.cells, ", ", outputs, " outputs"));
      Model m = BasicLstm(s);
      for (size_t i = 0; i < outputs; ++i) m.builder.Output(m.results[i]);
      const std::vector<uint8_t> bytes = m.builder.Finish();
      const std::vector<float> want = RunThrice(bytes, CpuEngines()[0]);
      ASSERT_FALSE(want.empty());
      for (const Engine& engine : DriverEngines()) CheckOn(engine, bytes, want);
      if (s.cells != 7 || outputs == 2) continue;
      for (const Engine& engine : HostEngines()) CheckOn(engine, bytes, want);
    }
  }
}

// What another node reads or what has other options stays on the CPU and works.
TEST(BasicLstmGpu, SharedStatesStayOnTheCpu) {
  Model m = BasicLstm({2, 5, 7});
  ModelBuilder& b = m.builder;
  b.Output(m.results[0]);
  b.Output(b.Op(tflite::BuiltinOperator_RELU, {m.operands[4]}, {b.Tensor({2, 7})}));
  const RunResult result = RunModel(b.Finish(), {std::vector<uint8_t>(40)},
                                    {"the smallest device", false, 1, "null:gles-min", 4, false});
  EXPECT_NE(result.report.find("its state is used in a second place"), std::string::npos)
      << result.report;
  EXPECT_NE(result.report.find("is a variable"), std::string::npos) << result.report;
}

}  // namespace
}  // namespace tern::testing
