// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED of awkward sizes on all engines.
#include <gtest/gtest.h>

#include "ops/testing/graph_maker.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

struct Layer {
  Sizes in;
  int units = 5, depth = 0;  // depth 0: the input's last size
  bool keep = false;
  Origin weights = Origin::kConstant, bias = Origin::kConstant;
  tflite::ActivationFunctionType activation = tflite::ActivationFunctionType_NONE;
};

int AddLayer(GraphMaker& m, int x, const Layer& l) {
  const Sizes in = m.ShapeOf(x);
  const int depth = l.depth == 0 ? in.back() : l.depth;
  const int w = m.Operand({l.units, depth}, l.weights, 1 / std::sqrt(std::max(depth, 1)));
  const int b = m.Operand({l.units}, l.bias);
  Sizes out = {static_cast<int32_t>(GraphMaker::CountOf(in) / std::max(depth, 1)), l.units};
  if (l.keep) {
    out = in;
    out.back() = l.units;
  }
  tflite::FullyConnectedOptionsT o;
  o.fused_activation_function = l.activation;
  o.keep_num_dims = l.keep;
  m.SetOpVersion(l.keep ? 5 : l.bias == Origin::kAbsent ? 6 : 1);
  return m.Op(tflite::BuiltinOperator_FULLY_CONNECTED, {x, w, b}, {m.Tensor(out)}, std::move(o));
}

ModelCase Dense(const Layer& l) {
  GraphMaker m;
  std::string name = StrCat("to ", l.units, " units, depth ", l.depth, " from");
  for (const int size : l.in) name += StrCat(" ", size);
  return m.Finish(name, AddLayer(m, m.Input(l.in), l));
}

TEST(FullyConnectedGpu, RowsDepthsAndUnits) {
  int next = 0;
  constexpr int kUnits[] = {1, 4, 7, 16, 33};
  for (const int depth : {1, 2, 3, 4, 5, 15, 16, 17, 33, 100}) {
    for (const int rows : {1, 2, 3, 7}) CheckModel(Dense({{rows, depth}, kUnits[next++ % 5]}));
  }
  CheckModel(Dense({{1, 700}, 65}));
  CheckModel(Dense({{37, 130}, 66}));
}

TEST(FullyConnectedGpu, InputsOfEveryRank) {
  CheckModel(Dense({{9}, 5}));
  for (const bool keep : {false, true}) {
    CheckModel(Dense({{3, 9}, 5, 0, keep}));
    CheckModel(Dense({{2, 3, 9}, 5, 0, keep}));
    CheckModel(Dense({{2, 3, 2, 9}, 5, 0, keep}));
    CheckModel(Dense({{3, 1, 1, 17}, 6, 0, keep}));
    CheckModel(Dense({{2, 1, 3, 2, 9}, 5, 0, keep}));
  }
  CheckModel(Dense({{2, 3, 2, 5}, 7, 30}));
  CheckModel(Dense({{3, 2, 2, 5}, 7, 10}));
  CheckModel(Dense({{1, 2, 2, 6}, 7, 3}));
}

TEST(FullyConnectedGpu, OperandsOfTheRunActivationsAndNoBias) {
  for (const Origin weights : {Origin::kConstant, Origin::kRuntime}) {
    for (const Origin bias : {Origin::kConstant, Origin::kRuntime, Origin::kAbsent}) {
      CheckModel(Dense({{3, 17}, 9, 0, false, weights, bias}));
      CheckModel(
          Dense({{1, 40}, 3, 0, false, weights, bias, tflite::ActivationFunctionType_RELU6}));
    }
  }
  CheckModel(Dense({{2, 2, 3},
                    9,
                    0,
                    true,
                    Origin::kConstant,
                    Origin::kConstant,
                    tflite::ActivationFunctionType_RELU}));
  CheckModel(Dense({{2, 5},
                    9,
                    0,
                    false,
                    Origin::kConstant,
                    Origin::kConstant,
                    tflite::ActivationFunctionType_RELU_N1_TO_1}));
}

// Rows that lie in slices, not in the order of the input, and steps after the product.
TEST(FullyConnectedGpu, BetweenOtherNodes) {
  for (const Layer& l : {Layer{{3, 2, 2, 6}, 7, 24}, Layer{{3, 2, 2, 6}, 7, 12},
                         Layer{{3, 2, 2, 6}, 7}, Layer{{3, 2, 2, 6}, 7, 0, true},
                         Layer{{1, 2, 2, 17}, 4, 0, true}, Layer{{2, 1, 1, 17}, 4}}) {
    GraphMaker m;
    const int x = m.Conv(m.Input(l.in), l.in.back(), 1, {.h = 1, .w = 1});
    const int y = AddLayer(m, x, l);
    const int z = m.Sum(y, m.Input(m.ShapeOf(y)));
    CheckModel(m.Finish("rows between other nodes", m.Relu(m.Product(z, m.Constant({l.units})))));
  }
  GraphMaker m;
  const int x = AddLayer(m, m.Input({2, 3, 4, 5}), {{}, 6, 0, true});
  CheckModel(m.Finish("operand by rows", m.Sum(x, m.Input({2, 3, 1, 6}))));
}

TEST(FullyConnectedGpu, NothingToSumOrToWrite) {
  GraphMaker m;
  tflite::FullyConnectedOptionsT o;
  const int y = m.Op(tflite::BuiltinOperator_FULLY_CONNECTED,
                     {m.Input({0, 3}), m.Constant({5, 3}), -1}, {m.Tensor({0, 5})}, std::move(o));
  CheckModel(m.Finish("no rows", y));
}

// Sums that the CPU multiplies by a factor in double precision: results of all sizes on either
// side of zero, with one scale or one per unit. To 16 bits a multiplier of 31 bits rounds like few
// factors: others have a fraction.
void CheckElements(tflite::TensorType type, int rows, bool per_unit, bool relu) {
  constexpr int kDepth = 200, kUnits = 37;
  const bool wide = type == tflite::TensorType_INT16,
             is_unsigned = type == tflite::TensorType_UINT8;
  ModelBuilder b;
  Random random(static_cast<uint64_t>(rows + (wide ? 7 : 0)));
  const int x = b.Quantize(b.Input({rows, kDepth}, type), wide ? 1.0f / 2048 : 1.0f / 64,
                           wide          ? 0
                           : is_unsigned ? 120
                                         : -5);
  std::vector<int8_t> weights(kUnits * kDepth);
  for (int8_t& v : weights) v = static_cast<int8_t>(random.Integer(-127, 127));
  std::vector<float> scales(per_unit ? kUnits : 1, 1.0f / 128);
  for (size_t i = 1; i < scales.size(); ++i)
    scales[i] = 0.001f * static_cast<float>(random.Integer(1, 12000)) / 1000;
  const std::vector<int64_t> zeros(scales.size(), is_unsigned ? 117 : 0);
  const int w = b.QuantizePerChannel(
      is_unsigned
          ? b.Const<uint8_t>({kUnits, kDepth}, std::vector<uint8_t>(weights.begin(), weights.end()))
          : b.Const<int8_t>({kUnits, kDepth}, weights),
      scales, zeros, 0);
  std::vector<int32_t> bias(kUnits);
  for (int32_t& v : bias) v = static_cast<int32_t>(random.Integer(-90000, 90000));
  const int c =
      b.Quantize(b.Const<int32_t>({kUnits}, bias), (wide ? 1.0f / 2048 : 1.0f / 64) / 128, 0);
  const int y = b.Quantize(b.Tensor({rows, kUnits}, type), wide ? 1.0f / 512 : 0.25f,
                           wide          ? 0
                           : is_unsigned ? 128
                                         : -3);
  tflite::FullyConnectedOptionsT o;
  if (relu) o.fused_activation_function = tflite::ActivationFunctionType_RELU6;
  b.SetOpVersion(wide ? 7 : 4);
  b.Output(b.Op(tflite::BuiltinOperator_FULLY_CONNECTED, {x, w, c}, {y}, std::move(o)));
  std::vector<uint8_t> elements(static_cast<size_t>(rows * kDepth) * (wide ? 2 : 1));
  for (uint8_t& v : elements) v = static_cast<uint8_t>(random.Integer(0, 255));
  CheckWithinSteps(StrCat("elements, ", rows, " rows"), b.Finish(), {elements}, 0);
}

TEST(FullyConnectedGpu, ElementsAreTheCpus) {
  for (const auto type :
       {tflite::TensorType_INT8, tflite::TensorType_UINT8, tflite::TensorType_INT16}) {
    for (const int rows : {1, 50}) {
      CheckElements(type, rows, false, false);
      if (type != tflite::TensorType_UINT8) CheckElements(type, rows, true, rows == 1);
    }
  }
}

// Weights in blocks of 4 units by 16 columns, UINT8 with the sign bit flipped.
ModelBuilder ShuffledModel(int rows, int depth, int units, int zero_point) {
  ModelBuilder b;
  Random random(static_cast<uint64_t>(depth + units));
  std::vector<uint8_t> weights(static_cast<size_t>(units * depth));
  for (uint8_t& v : weights) v = static_cast<uint8_t>(random.Integer(0, 255));
  std::vector<int32_t> bias(static_cast<size_t>(units));
  for (int32_t& v : bias) v = static_cast<int32_t>(random.Integer(-90000, 90000));
  const auto bytes = tflite::TensorType_UINT8;
  const int x = b.Quantize(b.Input({rows, depth}, bytes), 1.0f / 64, zero_point);
  const int w = b.Quantize(b.Const<uint8_t>({units, depth}, weights), 1.0f / 128, 128);
  const int c = b.Quantize(b.Const<int32_t>({units}, bias), 1.0f / 8192, 0);
  const int y = b.Quantize(b.Tensor({rows, units}, tflite::TensorType_INT16), 1.0f / 512, 0);
  const int space = b.Quantize(b.Tensor({rows, depth}, bytes), 1.0f / 64, 128);
  tflite::FullyConnectedOptionsT o;
  o.weights_format = tflite::FullyConnectedOptionsWeightsFormat_SHUFFLED4x16INT8;
  b.SetOpVersion(2);
  b.Output(b.Op(tflite::BuiltinOperator_FULLY_CONNECTED, {x, w, c}, {y, space}, std::move(o)));
  return b;
}

std::vector<uint8_t> ShuffledInput(int count) {
  Random random(9);
  std::vector<uint8_t> elements(static_cast<size_t>(count));
  for (uint8_t& v : elements) v = static_cast<uint8_t>(random.Integer(0, 255));
  return elements;
}

TEST(FullyConnectedGpu, ShuffledWeights) {
  for (const int rows : {1, 4}) {
    CheckWithinSteps("shuffled", ShuffledModel(rows, 16, 4, 128).Finish(),
                     {ShuffledInput(rows * 16)}, 0);
    CheckWithinSteps("shuffled", ShuffledModel(rows, 80, 24, 128).Finish(),
                     {ShuffledInput(rows * 80)}, 0);
  }
}

TEST(FullyConnectedGpu, ShuffledWeightsBesideAnotherZeroAreRefused) {
  for (const Engine& engine : EnginesFor(true)) {
    const RunResult got =
        RunModel(ShuffledModel(1, 16, 4, 127).Finish(), {ShuffledInput(16)}, engine);
    EXPECT_NE(got.error.find("zero is not UINT8 128"), std::string::npos) << got.error;
  }
}

}  // namespace
}  // namespace tern::testing
