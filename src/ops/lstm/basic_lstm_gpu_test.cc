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
      const int terms = s.inputs + s.cells;
      for (const Engine& engine : DriverEngines()) CheckOn(engine, bytes, want, terms);
      if (s.cells != 7 || !s.variables || outputs == 4) continue;
      for (const Engine& engine : HostEngines()) CheckOn(engine, bytes, want, terms);
    }
  }
  if (DriverEngines().empty()) GTEST_SKIP() << "no GPU driver here, the host engines at most ran";
}

struct Sequence {
  int time = 3, batch = 2, inputs = 5, cells = 7, outputs = 7;
  bool time_major = true, coupled = false, peephole = false, projection = false, diagonal = false,
       norm = false;
  float clip = 0;
};

std::vector<uint8_t> SequenceLstm(const Sequence& s) {
  ModelBuilder b;
  uint64_t seed = 20;
  const auto constant = [&](std::vector<int32_t> shape) {
    const int64_t count = Count(std::vector<int>(shape.begin(), shape.end()));
    return b.Const(shape, Random(++seed).Floats(count, -1, 1));
  };
  std::vector<int32_t> in(24, -1);
  in[0] =
      s.time_major ? b.Input({s.time, s.batch, s.inputs}) : b.Input({s.batch, s.time, s.inputs});
  for (size_t gate = s.coupled ? 1 : 0; gate < 4; ++gate) {
    in[1 + gate] = constant({s.cells, s.inputs});
    in[5 + gate] = s.diagonal ? constant({s.cells}) : constant({s.cells, s.outputs});
    in[12 + gate] = constant({s.cells});
    if (s.norm) in[20 + gate] = constant({s.cells});
    if (s.peephole && gate != 2) in[gate == 3 ? 11 : 9 + gate] = constant({s.cells});
  }
  if (s.projection) {
    in[16] = constant({s.outputs, s.cells});
    in[17] = constant({s.outputs});
  }
  in[18] = b.Variable({s.batch, s.outputs});
  in[19] = b.Variable({s.batch, s.cells});
  tflite::UnidirectionalSequenceLSTMOptionsT options;
  options.fused_activation_function = tflite::ActivationFunctionType_TANH;
  options.time_major = s.time_major;
  options.diagonal_recurrent_tensors = s.diagonal;
  options.cell_clip = options.proj_clip = s.clip;
  std::vector<int32_t> shape = b.tensor(in[0]).shape;
  shape[2] = s.outputs;
  b.Output(
      b.Op(tflite::BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_LSTM, in, {b.Tensor(shape)}, options));
  return b.Finish();
}

TEST(SequenceLstmGpu, PartsLayoutsAndClips) {
  // Each step brings a handful of programs, so one engine of the drivers at a time.
  const std::vector<Engine>& engines = DriverEngines();
  if (engines.empty()) GTEST_SKIP() << "no GPU driver here";
  const Sequence cases[] = {{},
                            {.time_major = false, .diagonal = true},
                            {.time = 1, .batch = 1, .inputs = 1, .cells = 1, .outputs = 1},
                            {.batch = 3, .time_major = false, .coupled = true, .peephole = true},
                            {.coupled = true, .norm = true},
                            {.outputs = 3, .peephole = true, .projection = true, .clip = 0.3f},
                            {.time = 5, .batch = 7, .inputs = 17, .cells = 33, .outputs = 33}};
  size_t next = 0;
  for (const Sequence& s : cases) {
    SCOPED_TRACE(StrCat(s.time, " x ", s.batch, " x ", s.inputs, " to ", s.outputs));
    const std::vector<uint8_t> bytes = SequenceLstm(s);
    const std::vector<float> want = RunThrice(bytes, CpuEngines()[0]);
    ASSERT_FALSE(want.empty());
    CheckOn(engines[next % engines.size()], bytes, want, s.time * (s.inputs + s.outputs));
    ++next;
  }
}

// 2 MiB of weights, which would pass the memory of the smallest device if each step had its own.
TEST(SequenceLstmGpu, StepsShareTheirWeights) {
  const std::vector<uint8_t> bytes =
      SequenceLstm({.time = 96, .batch = 1, .inputs = 256, .cells = 256, .outputs = 256});
  const RunResult result = RunModel(bytes, {std::vector<uint8_t>(96 * 256 * 4)},
                                    {"the smallest device", false, 1, "null:gles-min", 4, false});
  EXPECT_TRUE(PlannedWhole(result.report)) << result.report;
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
