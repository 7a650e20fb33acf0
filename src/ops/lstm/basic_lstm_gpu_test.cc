// SPDX-License-Identifier: Apache-2.0
// The basic kernel of LSTM on the GPU against the CPU, over several runs with its state in
// variables or handed over by the application.
#include <gtest/gtest.h>

#include "ops/testing/three_runs.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/delegates/gpu/report.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model_builder.h"

namespace tern::testing {
namespace {

struct BasicSizes {
  int batch, inputs, cells;
  bool variables = true;
};

struct Model {
  ModelBuilder builder;
  std::vector<int32_t> operands, results;
};

Model BasicLstm(const BasicSizes& s) {
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

TEST(BasicLstmGpu, SizesStatesAndOutputs) {
  const BasicSizes cases[] = {{1, 1, 1},  {2, 5, 7},   {3, 33, 17},
                              {7, 9, 16}, {1, 64, 32}, {2, 5, 7, false}};
  for (const BasicSizes& s : cases) {
    // The first two results, or all four.
    for (const size_t outputs : {size_t{2}, size_t{4}}) {
      SCOPED_TRACE(StrCat(s.batch, " x ", s.inputs, " to ", s.cells, ", ", outputs, " outputs"));
      Model m = BasicLstm(s);
      for (size_t i = 0; i < outputs; ++i) m.builder.Output(m.results[i]);
      const std::vector<uint8_t> bytes = m.builder.Finish();
      const std::vector<float> want = RunThrice(bytes, CpuEngines()[0]);
      ASSERT_FALSE(want.empty());
      const int terms = s.inputs + s.cells;
      for (const Engine& engine : NextDriverEngines()) CheckThriceOn(engine, bytes, want, terms);
      if (s.cells != 7 || !s.variables || outputs == 4) continue;
      for (const Engine& engine : HostEngines()) CheckThriceOn(engine, bytes, want, terms);
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
  const std::vector<Engine>& engines = DriverEngines();
  if (engines.empty()) GTEST_SKIP() << "no GPU driver here";
  const Sequence cases[] = {{},
                            {.time_major = false, .diagonal = true},
                            {.time = 1, .batch = 1, .inputs = 1, .cells = 1, .outputs = 1},
                            {.batch = 3, .time_major = false, .coupled = true, .peephole = true},
                            {.coupled = true, .norm = true},
                            {.batch = 3,
                             .cells = 18,
                             .outputs = 5,
                             .peephole = true,
                             .projection = true,
                             .norm = true,
                             .clip = 0.5f},
                            {.time = 300, .batch = 1, .inputs = 2, .cells = 5, .outputs = 5},
                            {.outputs = 3, .peephole = true, .projection = true, .clip = 0.3f},
                            {.time = 5, .batch = 7, .inputs = 17, .cells = 33, .outputs = 33}};
  size_t next = 0;
  for (const Sequence& s : cases) {
    SCOPED_TRACE(StrCat(s.time, " x ", s.batch, " x ", s.inputs, " to ", s.outputs));
    const std::vector<uint8_t> bytes = SequenceLstm(s);
    const std::vector<float> want = RunThrice(bytes, CpuEngines()[0]);
    ASSERT_FALSE(want.empty());
    CheckThriceOn(engines[next % engines.size()], bytes, want, s.time * (s.inputs + s.outputs));
    ++next;
  }
}

// Both cells, side by side or in two outputs, with a second input that goes to one or to both.
TEST(SequenceLstmGpu, BothDirections) {
  const std::vector<Engine>& engines = DriverEngines();
  if (engines.empty()) GTEST_SKIP() << "no GPU driver here";
  size_t next = 0;
  for (const bool merged : {false, true}) {
    for (const int aux : {0, 1, 2}) {
      constexpr int kTime = 4, kBatch = 3, kInputs = 5, kFirst = 7, kSecond = 18;
      const bool time_major = merged == (aux == 1);
      ModelBuilder b;
      uint64_t seed = 40;
      const auto constant = [&](std::vector<int32_t> shape) {
        const int64_t count = Count(std::vector<int>(shape.begin(), shape.end()));
        return b.Const(shape, Random(++seed).Floats(count, -1, 1));
      };
      const std::vector<int32_t> rows =
          time_major ? std::vector<int32_t>{kTime, kBatch} : std::vector<int32_t>{kBatch, kTime};
      const auto sequence = [&](int size) { return std::vector<int32_t>{rows[0], rows[1], size}; };
      std::vector<int32_t> in(48, -1);
      in[0] = b.Input(sequence(kInputs));
      if (aux > 0) in[39] = b.Input(sequence(kInputs));
      for (const int first : {1, 18}) {
        const int cells = first == 1 ? kFirst : kSecond;
        for (int gate = 0; gate < 4; ++gate) {
          in[first + gate] = constant({cells, kInputs});
          in[first + 4 + gate] = constant({cells, cells});
          in[first + 11 + gate] = constant({cells});
          if (aux == 2) in[(first == 1 ? 40 : 44) + gate] = constant({cells, kInputs});
        }
        in[first == 1 ? 35 : 37] = b.Variable({kBatch, cells});
        in[first == 1 ? 36 : 38] = b.Variable({kBatch, cells});
      }
      tflite::BidirectionalSequenceLSTMOptionsT options;
      options.fused_activation_function = tflite::ActivationFunctionType_TANH;
      options.time_major = time_major;
      options.merge_outputs = merged;
      std::vector<int32_t> outputs = {b.Tensor(sequence(merged ? kFirst + kSecond : kFirst))};
      if (!merged) outputs.push_back(b.Tensor(sequence(kSecond)));
      b.Op(tflite::BuiltinOperator_BIDIRECTIONAL_SEQUENCE_LSTM, in, outputs, options);
      for (const int output : outputs) b.Output(output);
      SCOPED_TRACE(StrCat(outputs.size(), " outputs, aux ", aux));
      const std::vector<uint8_t> bytes = b.Finish();
      const std::vector<float> want = RunThrice(bytes, CpuEngines()[0]);
      ASSERT_FALSE(want.empty());
      CheckThriceOn(engines[next++ % engines.size()], bytes, want, kTime * (kInputs + kSecond));
    }
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

int StepLaunches(const Sequence& shape) {
  const std::vector<uint8_t> bytes = SequenceLstm(shape);
  const auto model = tflite::FlatBufferModel::BuildFromBuffer(
      reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::unique_ptr<tflite::Interpreter> interpreter;
  tflite::InterpreterBuilder(*model, tflite::ops::builtin::BuiltinOpResolver())(&interpreter);
  const char* keys[] = {"tern_backend", "tern_plan_only", "tern_list"};
  const char* values[] = {"null:adreno", "1", "1"};
  const DelegatePtr delegate(tflite_plugin_create_delegate(keys, values, 3, nullptr),
                             tflite_plugin_destroy_delegate);
  interpreter->ModifyGraphWithDelegate(delegate.get());
  const std::string report = TfLiteGpuDelegateV2Report(delegate.get());
  interpreter.reset();
  int launches = 0;
  for (size_t at = 0; (at = report.find(": lstm_step ", at)) != std::string::npos; ++at) ++launches;
  return launches;
}

// 128 cells have 2^16 weights, and a launch 2^24 products.
TEST(SequenceLstmGpu, OneLaunchMakesManyStepsOfASmallCell) {
  Sequence shape = {.time = 2, .batch = 1, .inputs = 4, .cells = 128, .outputs = 128};
  EXPECT_EQ(StepLaunches(shape), 1);
  shape.time = 256;
  EXPECT_EQ(StepLaunches(shape), 1);
  shape.time = 257;
  EXPECT_EQ(StepLaunches(shape), 2);
  shape.time = 9;
  shape.cells = shape.outputs = 129;
  EXPECT_EQ(StepLaunches(shape), 9);
}

TEST(SequenceLstmGpu, LengthIsNoLimit) {
  const std::vector<uint8_t> bytes =
      SequenceLstm({.time = 3000, .batch = 1, .inputs = 4, .cells = 8, .outputs = 8});
  const RunResult result = RunModel(bytes, {std::vector<uint8_t>(3000 * 4 * 4)},
                                    {"the smallest device", false, 1, "null:gles-min", 4, false});
  EXPECT_TRUE(PlannedWhole(result.report)) << result.report;
}

// A cell whose state another node reads stays on the CPU and works there.
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
