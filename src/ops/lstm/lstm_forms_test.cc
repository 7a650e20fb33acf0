// SPDX-License-Identifier: Apache-2.0
// LSTM cells in integers, and with sparse weights, as models have them.
#include <gtest/gtest.h>

#include <cstring>

#include "model/testing/model_builder.h"
#include "ops/testing/engines.h"
#include "ops/testing/oracle.h"
#include "ops/testing/sparse_constant.h"

namespace tern::testing {
namespace {

struct IntegerCase {
  bool projected = false;  // else with peepholes
  bool norm = false;
  // Of the output state; its zero point is that of the output.
  tflite::TensorType state = tflite::TensorType_INT8;
  int zero_point = -4;
  bool one_step = false;  // LSTM, the state lives on; else UNIDIRECTIONAL_SEQUENCE_LSTM of three
};

// Three steps of an integer cell, or one; before a projection hidden values saturate.
std::vector<std::vector<int8_t>> RunIntegerCell(const IntegerCase& cell) {
  const bool projected = cell.projected;
  const int zero_point = cell.zero_point;
  ModelBuilder b;
  const auto bytes = [&](std::vector<int32_t> shape, int first, int step, float scale) {
    std::vector<int8_t> values;
    for (int i = 0; i < shape[0] * shape[1]; ++i) {
      values.push_back(static_cast<int8_t>(first + i * step));
    }
    return b.Quantize(b.Const(shape, values), scale, 0);
  };
  const std::vector<int32_t> steps =
      cell.one_step ? std::vector<int32_t>{} : std::vector<int32_t>{3};
  const auto shape = [&steps](int32_t size) {
    std::vector<int32_t> all = steps;
    all.insert(all.end(), {1, size});
    return all;
  };
  std::vector<int32_t> in = {b.Quantize(b.Input(shape(3), tflite::TensorType_INT8), 0.02f, 3)};
  for (int g = 0; g < 4; ++g) in.push_back(bytes({2, 3}, -40 + 5 * g, 17, 0.008f));
  for (int g = 0; g < 4; ++g) in.push_back(bytes({2, 2}, -30 - 7 * g, 23, 0.01f));
  if (projected) in.insert(in.end(), {-1, -1, -1});
  for (int16_t g = 0; g < 3 && !projected; ++g) {
    const std::vector<int16_t> values = {static_cast<int16_t>(900 + 100 * g), -700};
    in.push_back(b.Quantize(b.Const({2}, values), 0.0003f, 0));
  }
  for (int g = 0; g < 4; ++g) {
    in.push_back(
        b.Quantize(b.Const({2}, std::vector<int32_t>{500 - 300 * g, 200 * g}), 1.6e-4f, 0));
  }
  if (projected) {
    in.push_back(bytes({2, 2}, 90, -60, 0.01f));
    in.push_back(b.Quantize(b.Const({2}, std::vector<int32_t>{100, -300}), 1e-4f, 0));
  } else {
    in.insert(in.end(), {-1, -1});
  }
  in.insert(in.end(), {b.Quantize(b.Variable({1, 2}, cell.state), 0.01f, zero_point),
                       b.Quantize(b.Variable({1, 2}, tflite::TensorType_INT16), 1.0f / 2048, 0)});
  for (int16_t g = 0; g < 4; ++g) {
    const std::vector<int16_t> values = {static_cast<int16_t>(9000 + 1000 * g), 7000};
    in.push_back(cell.norm ? b.Quantize(b.Const({2}, values), 0.0001f, 0) : -1);
  }
  const int out = b.Quantize(b.Tensor(shape(2), tflite::TensorType_INT8), 0.01f, zero_point);
  if (cell.one_step) {
    tflite::LSTMOptionsT options;
    options.fused_activation_function = tflite::ActivationFunctionType_TANH;
    b.Op(tflite::BuiltinOperator_LSTM, in, {out}, options);
  } else {
    tflite::UnidirectionalSequenceLSTMOptionsT options;
    options.fused_activation_function = tflite::ActivationFunctionType_TANH;
    options.time_major = true;
    b.Op(tflite::BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_LSTM, in, {out}, options);
  }
  std::vector<int32_t> between;
  for (int i = 0; i < 4; ++i) {
    between.push_back(cell.norm ? b.Quantize(b.Tensor({0}, tflite::TensorType_INT16), 0.0002f, 0)
                                : b.Tensor({0}));
  }
  between.push_back(projected
                        ? b.Quantize(b.Tensor({0}, tflite::TensorType_INT8), 0.004f, -100)
                        : b.Quantize(b.Tensor({0}, tflite::TensorType_INT8), 0.01f, zero_point));
  b.op().intermediates = between;
  b.Output(out);
  std::vector<uint8_t> input;
  for (int t = 0; t < (cell.one_step ? 1 : 3); ++t) {
    for (const int v : {100, -50, 77}) input.push_back(static_cast<uint8_t>(v));
  }
  std::vector<std::vector<int8_t>> results;
  for (const Engine& engine : CpuEngines()) {
    const RunResult result = RunModel(b.Finish(), {input}, engine);
    EXPECT_EQ(result.error, "");
    if (!result.error.empty()) return {};
    const std::vector<uint8_t>& got = result.outputs[0].bytes;
    results.emplace_back(got.begin(), got.end());
  }
  return results;
}

// The values come from the reference runtime.
TEST(IntegerLstm, ToTheLastBit) {
  for (const auto& got : RunIntegerCell({.projected = false})) {
    EXPECT_EQ(got, (std::vector<int8_t>{-9, 21, -11, 35, -12, 42}));
  }
  for (const auto& got : RunIntegerCell({.projected = true})) {
    EXPECT_EQ(got, (std::vector<int8_t>{-5, -13, -7, -13, -8, -13}));
  }
}

// Models declare the output state as INT16, too, which begins at 0.
TEST(IntegerLstm, AnOutputStateOfTypeInt16HoldsTheSameBytes) {
  for (int form = 0; form < 8; ++form) {
    IntegerCase cell{.projected = (form & 1) != 0,
                     .norm = (form & 2) != 0,
                     .zero_point = 0,
                     .one_step = (form & 4) != 0};
    const auto want = RunIntegerCell(cell);
    EXPECT_FALSE(want.empty());
    cell.state = tflite::TensorType_INT16;
    EXPECT_EQ(RunIntegerCell(cell), want);
  }
}

// A cell with weights of which a half is not stored, against the same with zeros.
std::vector<std::vector<float>> RunSparse(bool sparse, bool bytes) {
  constexpr int kInputs = 16, kCells = 4;
  ModelBuilder b;
  std::vector<int32_t> in = {b.Input({2, kInputs})};
  for (int operand = 0; operand < 8; ++operand) {
    const int columns = operand < 4 ? kInputs : kCells;
    std::vector<int8_t> values;
    for (int i = 0; i < kCells * columns; ++i) {
      const bool stored = i % 3 != 1;
      values.push_back(static_cast<int8_t>(stored ? (37 * i + 11 * operand) % 101 - 50 : 0));
    }
    const std::vector<float> floats(values.begin(), values.end());
    const int weights = bytes ? b.Quantize(b.Const({kCells, columns}, values), 0.02f, 0)
                              : b.Const({kCells, columns}, floats);
    if (sparse) {
      int position = 0;  // of the first element nobody asks
      MakeSparse(b, weights, {.order = {0, 1}, .blocks = {}, .listed = {false, true}},
                 [&] { return ++position % 3 != 1; });
    }
    in.push_back(weights);
  }
  in.insert(in.end(), {-1, -1, -1});
  for (int g = 0; g < 4; ++g) in.push_back(b.Const({kCells}, std::vector<float>(kCells, 0.1f)));
  in.insert(in.end(), {-1, -1, b.Variable({2, kCells}), b.Variable({2, kCells})});
  tflite::LSTMOptionsT options;
  options.fused_activation_function = tflite::ActivationFunctionType_TANH;
  b.Output(b.Op(tflite::BuiltinOperator_LSTM, in, {b.Tensor({2, kCells})}, options));
  const std::vector<float> x = Random(3).Floats(2 * kInputs, -0.1f, 0.1f);
  std::vector<uint8_t> input(x.size() * sizeof(float));
  std::memcpy(input.data(), x.data(), input.size());
  std::vector<std::vector<float>> results;
  for (const Engine& engine : CpuEngines()) {
    const RunResult result = RunModel(b.Finish(), {input}, engine);
    EXPECT_EQ(result.error, "");
    if (!result.error.empty()) return {};
    std::vector<float> got(result.outputs[0].bytes.size() / sizeof(float));
    std::memcpy(got.data(), result.outputs[0].bytes.data(), got.size() * sizeof(float));
    results.push_back(got);
  }
  return results;
}

TEST(Lstm, SparseWeights) {
  for (const bool bytes : {true, false}) {
    EXPECT_EQ(RunSparse(true, bytes), RunSparse(false, bytes)) << bytes;
  }
}

}  // namespace
}  // namespace tern::testing
