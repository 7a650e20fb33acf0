// SPDX-License-Identifier: Apache-2.0
// Plain recurrent cells on GPU engines against the CPU, over several runs.
#include <gtest/gtest.h>

#include "ops/testing/gpu_refusal.h"
#include "ops/testing/three_runs.h"

namespace tern::testing {
namespace {

using tflite::ActivationFunctionType;

struct RnnCase {
  int time, batch, inputs, units, more_units = 0;  // of the backward cell
  bool time_major = true;
  ActivationFunctionType activation = tflite::ActivationFunctionType_TANH;
  int aux = 0;  // 1: what the backward cell reads, 2: joins both inputs
  bool merged = false;
};

// A step where `time` is 0, one direction where there are no further units.
std::vector<uint8_t> RnnModel(const RnnCase& c) {
  ModelBuilder b;
  uint64_t seed = 60;
  const auto constant = [&](std::vector<int32_t> shape) {
    const int64_t count = Count(std::vector<int>(shape.begin(), shape.end()));
    return b.Const(shape, Random(++seed).Floats(count, -0.5, 0.5));
  };
  const auto sequence = [&](int size) {
    if (c.time == 0) return std::vector<int32_t>{c.batch, size};
    return c.time_major ? std::vector<int32_t>{c.time, c.batch, size}
                        : std::vector<int32_t>{c.batch, c.time, size};
  };
  std::vector<int32_t> in = {b.Input(sequence(c.inputs))};
  for (const int units : {c.units, c.more_units}) {
    if (units == 0) continue;
    for (const int operand : {constant({units, c.inputs}), constant({units, units}),
                              constant({units}), b.Variable({c.batch, units})}) {
      in.push_back(operand);
    }
  }
  std::vector<int32_t> outputs = {b.Tensor(sequence(c.units + (c.merged ? c.more_units : 0)))};
  b.SetOpVersion(1);
  if (c.time == 0) {
    tflite::RNNOptionsT o;
    o.fused_activation_function = c.activation;
    b.Op(tflite::BuiltinOperator_RNN, in, outputs, o);
  } else if (c.more_units == 0) {
    tflite::SequenceRNNOptionsT o;
    o.fused_activation_function = c.activation;
    o.time_major = c.time_major;
    b.Op(tflite::BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_RNN, in, outputs, o);
  } else {
    in.resize(12, -1);
    if (c.aux > 0) in[9] = b.Input(sequence(c.inputs));
    if (c.aux == 2) {
      in[10] = constant({c.units, c.inputs});
      in[11] = constant({c.more_units, c.inputs});
    }
    if (!c.merged) outputs.push_back(b.Tensor(sequence(c.more_units)));
    tflite::BidirectionalSequenceRNNOptionsT o;
    o.fused_activation_function = c.activation;
    o.time_major = c.time_major;
    o.merge_outputs = c.merged;
    b.Op(tflite::BuiltinOperator_BIDIRECTIONAL_SEQUENCE_RNN, in, outputs, o);
  }
  for (const int output : outputs) b.Output(output);
  return b.Finish();
}

TEST(RnnGpu, StepsAndSequences) {
  const std::vector<Engine>& engines = DriverEngines();
  if (engines.empty()) GTEST_SKIP() << "no GPU driver here";
  const RnnCase cases[] = {{.time = 0, .batch = 2, .inputs = 5, .units = 7},
                           {.time = 0,
                            .batch = 1,
                            .inputs = 33,
                            .units = 18,
                            .activation = tflite::ActivationFunctionType_RELU6},
                           {.time = 4, .batch = 3, .inputs = 5, .units = 7},
                           {.time = 3,
                            .batch = 2,
                            .inputs = 17,
                            .units = 33,
                            .time_major = false,
                            .activation = tflite::ActivationFunctionType_RELU_N1_TO_1},
                           // More than one launch where drivers end long loops.
                           {.time = 6000, .batch = 1, .inputs = 2, .units = 3},
                           {.time = 4, .batch = 3, .inputs = 5, .units = 7, .more_units = 6},
                           {.time = 4,
                            .batch = 2,
                            .inputs = 5,
                            .units = 7,
                            .more_units = 18,
                            .time_major = false,
                            .aux = 1,
                            .merged = true},
                           {.time = 3,
                            .batch = 2,
                            .inputs = 6,
                            .units = 4,
                            .more_units = 5,
                            .time_major = false,
                            .aux = 2}};
  size_t next = 0;
  for (const RnnCase& c : cases) {
    SCOPED_TRACE(StrCat(c.time, " x ", c.batch, " x ", c.inputs, " to ", c.units));
    const std::vector<uint8_t> bytes = RnnModel(c);
    const std::vector<float> want = RunThrice(bytes, CpuEngines()[0]);
    ASSERT_FALSE(want.empty());
    CheckThriceOn(engines[next++ % engines.size()], bytes, want,
                  std::max(c.time, 3) * (c.inputs + c.units + c.more_units));
  }
}

TEST(RnnGpu, WeightsOfOtherTypesAreRefused) {
  for (const TfLiteType type : {kTfLiteFloat32, kTfLiteBool, kTfLiteInt16, kTfLiteInt4}) {
    gpu::GraphBuilder b;
    constexpr int kInputs = 3, kUnits = 4;
    const gpu::TensorId weights =
        b.Constant({kUnits, kInputs}, std::vector<float>(kUnits * kInputs));
    b.graph().tensors[weights].type = type;
    TfLiteRNNParams params{kTfLiteActTanh, false};
    b.Op(kTfLiteBuiltinRnn, "RNN",
         {b.Input({1, kInputs}), weights,
          b.Constant({kUnits, kUnits}, std::vector<float>(kUnits * kUnits)),
          b.Constant({kUnits}, std::vector<float>(kUnits)), b.Input({1, kUnits})},
         {1, kUnits}, params);
    EXPECT_EQ(RefusalOf(b),
              type == kTfLiteFloat32
                  ? ""
                  : StrCat("RNN #0: operand 1 has weights of type ", TfLiteTypeGetName(type)));
  }
}

}  // namespace
}  // namespace tern::testing
