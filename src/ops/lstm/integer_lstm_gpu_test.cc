// SPDX-License-Identifier: Apache-2.0
// Quantized LSTM cells with layer norms, projections and peepholes on the GPU against the CPU, over
// several steps.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/testing/model_builder.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

struct IntegerCell {
  bool coupled = false, norm = false, projection = false, peephole = false, time_major = true;
  int cells = 8, outputs = 6;  // outputs of a projection
  int batch = 2;
  int64_t hidden_zero = 4;
  float projection_clip = 0;
};

constexpr int kCellTime = 5, kCellInputs = 5;

template <class T>
int RandomConstant(ModelBuilder& b, Random& random, const std::vector<int32_t>& shape, int reach,
                   float scale) {
  size_t count = 1;
  for (const int32_t size : shape) count *= static_cast<size_t>(size);
  std::vector<T> values(count);
  for (T& v : values) v = static_cast<T>(random.Integer(-reach, reach));
  return b.Quantize(b.Const<T>(shape, values), scale, 0);
}

ModelBuilder IntegerCellModel(const IntegerCell& c) {
  constexpr float kInput = 1.0f / 64, kState = 1.0f / 128, kHidden = 1.0f / 120;
  constexpr float kNorm = 1.0f / 2048, kWeights = 0.01f;
  const int outputs = c.projection ? c.outputs : c.cells;
  const auto sequence = [&](int size) {
    return c.time_major ? std::vector<int32_t>{kCellTime, c.batch, size}
                        : std::vector<int32_t>{c.batch, kCellTime, size};
  };
  ModelBuilder b;
  Random random(static_cast<uint64_t>(c.cells) + 7);
  std::vector<int32_t> inputs(24, -1);
  inputs[0] = b.Quantize(b.Input(sequence(kCellInputs), tflite::TensorType_INT8), kInput, 3);
  for (int gate = c.coupled ? 1 : 0; gate < 4; ++gate) {
    inputs[1 + gate] = RandomConstant<int8_t>(b, random, {c.cells, kCellInputs}, 127, kWeights);
    inputs[5 + gate] = RandomConstant<int8_t>(b, random, {c.cells, outputs}, 127, kWeights);
    inputs[12 + gate] = RandomConstant<int32_t>(b, random, {c.cells}, c.norm ? 900000 : 3000,
                                                c.norm ? kNorm / 1024 : kWeights * kInput);
    // The candidate has none.
    if (c.peephole && gate != 2) {
      inputs[gate == 3 ? 11 : 9 + gate] =
          RandomConstant<int16_t>(b, random, {c.cells}, 32767, 0x1p-15f);
    }
    if (c.norm) inputs[20 + gate] = RandomConstant<int16_t>(b, random, {c.cells}, 4000, kNorm);
  }
  if (c.projection) {
    inputs[16] = RandomConstant<int8_t>(b, random, {outputs, c.cells}, 127, 0.006f);
    inputs[17] = RandomConstant<int32_t>(b, random, {outputs}, 5000, 0.006f * kHidden);
  }
  const int64_t state_zero = c.projection ? -5 : c.hidden_zero;
  const float state = c.projection ? kState : kHidden;
  const auto variable = [&](int size, tflite::TensorType type, float scale, int64_t zero) {
    return b.Quantize(b.Variable({c.batch, size}, type), scale, zero);
  };
  inputs[18] = variable(outputs, tflite::TensorType_INT8, state, state_zero);
  inputs[19] = variable(c.cells, tflite::TensorType_INT16, 1.0f / 2048, 0);
  std::vector<int32_t> intermediates;
  for (int i = 0; i < 4; ++i) {
    intermediates.push_back(b.Quantize(b.Tensor({1}, tflite::TensorType_INT16), 1.0f / 4096, 0));
  }
  intermediates.push_back(
      b.Quantize(b.Tensor({1}, tflite::TensorType_INT8), kHidden, c.hidden_zero));
  const int y = b.Quantize(b.Tensor(sequence(outputs), tflite::TensorType_INT8), state, state_zero);
  tflite::UnidirectionalSequenceLSTMOptionsT o;
  o.fused_activation_function = tflite::ActivationFunctionType_TANH;
  o.time_major = c.time_major;
  o.proj_clip = c.projection_clip;
  b.SetOpVersion(2);
  b.Op(tflite::BuiltinOperator_UNIDIRECTIONAL_SEQUENCE_LSTM, inputs, {y}, std::move(o));
  b.op().intermediates = intermediates;
  b.Output(y);
  return b;
}

std::vector<uint8_t> CellInput(const IntegerCell& c, bool zeros) {
  Random random(3);
  std::vector<int8_t> input(static_cast<size_t>(kCellTime * c.batch * kCellInputs), 3);
  for (size_t i = 0; !zeros && i < input.size(); ++i) {
    input[i] = static_cast<int8_t>(random.Integer(-128, 127));
  }
  return BytesOf(input);
}

void CheckIntegerCell(const std::string& name, const IntegerCell& c, bool zeros = false) {
  CheckWithinSteps(name, IntegerCellModel(c).Finish(), {CellInput(c, zeros)}, 2);
}

TEST(IntegerLstmGpu, Projections) {
  CheckIntegerCell("projection", {.projection = true});
  CheckIntegerCell("coupled", {.coupled = true, .projection = true, .cells = 13});
  CheckIntegerCell("clipped", {.projection = true, .projection_clip = 0.3f});
  // The turned sign of the zero point leaves hidden values below 0 alone.
  CheckIntegerCell("hidden zero", {.projection = true, .hidden_zero = -128});
}

TEST(IntegerLstmGpu, LayerNorms) {
  CheckIntegerCell("norm", {.norm = true});
  CheckIntegerCell("coupled", {.coupled = true, .norm = true, .cells = 13});
  CheckIntegerCell("projection", {.norm = true, .projection = true, .cells = 11});
  // One cell never varies: the variance is the number that stands for 0.
  CheckIntegerCell("one cell", {.norm = true, .cells = 1});
  CheckIntegerCell("zeros", {.norm = true}, /*zeros=*/true);
}

TEST(IntegerLstmGpu, Peepholes) {
  CheckIntegerCell("peephole", {.peephole = true});
  CheckIntegerCell("coupled", {.coupled = true, .peephole = true, .cells = 13});
  CheckIntegerCell("norm", {.norm = true, .peephole = true});
  CheckIntegerCell("coupled norm", {.coupled = true, .norm = true, .peephole = true, .cells = 9});
  CheckIntegerCell("wide projection",
                   {.projection = true, .peephole = true, .cells = 5, .outputs = 9});
}

// In front of fewer outputs only as many cells have a peephole, of all rows of a step together.
TEST(IntegerLstmGpu, PeepholesInFrontOfFewerOutputs) {
  IntegerCell cell{.projection = true, .peephole = true, .cells = 13, .batch = 1};
  CheckIntegerCell("one row", cell);
  cell.norm = true;
  CheckIntegerCell("one row, norm", cell);
  cell.batch = 3;
  cell.time_major = false;
  CheckIntegerCell("batch-major", cell);
  cell.time_major = true;
  for (const Engine& engine : EnginesFor(true)) {
    const RunResult got =
        RunModel(IntegerCellModel(cell).Finish(), {CellInput(cell, false)}, engine);
    EXPECT_NE(got.error.find("peepholes of several rows of cells in front of fewer outputs"),
              std::string::npos)
        << got.error;
  }
}

}  // namespace
}  // namespace tern::testing
