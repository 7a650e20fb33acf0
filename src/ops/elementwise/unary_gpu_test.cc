// SPDX-License-Identifier: Apache-2.0
// One-operand elementwise ops on the GPU engines: alone, after a producer, in every rank.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/tensor/half.h"
#include "ops/testing/graph_maker.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

struct Case {
  tflite::BuiltinOperator code;
  bool positive = false;
};

const Case kCases[] = {
    {tflite::BuiltinOperator_ABS},         {tflite::BuiltinOperator_CEIL},
    {tflite::BuiltinOperator_COS},         {tflite::BuiltinOperator_ELU},
    {tflite::BuiltinOperator_EXP},         {tflite::BuiltinOperator_FLOOR},
    {tflite::BuiltinOperator_GELU},        {tflite::BuiltinOperator_HARD_SWISH},
    {tflite::BuiltinOperator_LOG, true},   {tflite::BuiltinOperator_NEG},
    {tflite::BuiltinOperator_RELU_0_TO_1}, {tflite::BuiltinOperator_RELU_N1_TO_1},
    {tflite::BuiltinOperator_ROUND},       {tflite::BuiltinOperator_RSQRT, true},
    {tflite::BuiltinOperator_SIGN},        {tflite::BuiltinOperator_SIN},
    {tflite::BuiltinOperator_SQRT, true},  {tflite::BuiltinOperator_SQUARE},
    {tflite::BuiltinOperator_TANH},
};

int Unary(GraphMaker& m, tflite::BuiltinOperator code, int x) {
  m.SetOpVersion(1);
  const int y = m.Op(code, {x}, {m.Tensor(m.ShapeOf(x))});
  if (code == tflite::BuiltinOperator_GELU) {
    m.op().builtin_options.Set(tflite::GeluOptionsT());
  }
  return y;
}

TEST(UnaryGpu, AloneInEveryRank) {
  const Sizes shapes[] = {{}, {7}, {3, 5}, {2, 3, 9}, {2, 3, 2, 17}, {2, 1, 3, 2, 5}};
  for (const Case& c : kCases) {
    GraphMaker m;
    for (const Sizes& shape : shapes) {
      const int x = m.Input(shape);
      // Squares and a distance to 0 where the function needs it.
      const int v = c.positive ? m.Sum(m.Product(x, x), m.Constant({1})) : x;
      m.Output(Unary(m, c.code, c.positive ? Unary(m, tflite::BuiltinOperator_ABS, v) : v));
    }
    CheckModel(m.Finish(tflite::EnumNameBuiltinOperator(c.code), 4.0));
  }
}

TEST(UnaryGpu, BehindConvolutions) {
  for (const Case& c : kCases) {
    if (c.positive) continue;
    GraphMaker m;
    const int conv = m.Conv(m.Input({2, 4, 3, 5}), 6, 1, {});
    m.Output(Unary(m, c.code, m.Relu6(conv)));
    CheckModel(m.Finish(StrCat(tflite::EnumNameBuiltinOperator(c.code), " after a convolution")));
  }
}

// Each is a half, so that both precisions see the same angle.
TEST(UnaryGpu, SinesOfLargeAngles) {
  ModelCase c{.name = "waves", .bytes = {}, .inputs = {{}}};
  std::vector<float>& angles = c.inputs[0];
  for (int i = 0; i < 3001; ++i) {
    const float angle = static_cast<float>(i) * (i < 1000 ? 0.0173f : 3.917f);
    angles.push_back(HalfToFloat(FloatToHalf(i % 2 == 0 ? angle : -angle)));
  }
  const int32_t count = static_cast<int32_t>(angles.size());
  GraphMaker m;
  const int x = m.Input({count});
  m.Output(Unary(m, tflite::BuiltinOperator_SIN, x));
  m.Output(Unary(m, tflite::BuiltinOperator_COS, x));
  c.bytes = m.Finish();
  for (const auto& engines : {DriverEngines(), HostEngines()}) {
    for (const Engine& engine : engines) {
      const RunResult result = RunModelCase(c, engine);
      ASSERT_EQ(result.error, "") << engine.name;
      const std::vector<float> sines = result.outputs[0].floats();
      const std::vector<float> cosines = result.outputs[1].floats();
      const double limit = engine.half ? 0x1p-11 : 0x1p-22;
      for (size_t i = 0; i < angles.size(); ++i) {
        const double v = angles[i];
        ASSERT_NEAR(sines[i], std::sin(v), limit) << v << " on " << engine.name;
        ASSERT_NEAR(cosines[i], std::cos(v), limit) << v << " on " << engine.name;
      }
    }
  }
}

// Where it is small it is no difference of large numbers.
TEST(UnaryGpu, GeluFarBelowZero) {
  ModelCase c{.name = "GELU", .bytes = {}, .inputs = {{}}};
  for (int i = 0; i <= 64; ++i) c.inputs[0].push_back(-static_cast<float>(i) / 8);
  for (const bool approximate : {false, true}) {
    GraphMaker m;
    m.Output(Unary(m, tflite::BuiltinOperator_GELU, m.Input({65})));
    m.op().builtin_options.AsGeluOptions()->approximate = approximate;
    c.bytes = m.Finish();
    for (const auto& engines : {DriverEngines(), HostEngines()}) {
      for (const Engine& engine : engines) {
        if (engine.half) continue;
        const RunResult result = RunModelCase(c, engine);
        ASSERT_EQ(result.error, "") << engine.name;
        const std::vector<float> got = result.outputs[0].floats();
        for (size_t i = 0; i < got.size(); ++i) {
          const double v = c.inputs[0][i];
          const double z = std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v);
          const double want =
              approximate ? v / (1 + std::exp(-2 * z)) : v / 2 * std::erfc(-v * M_SQRT1_2);
          ASSERT_NEAR(got[i], want, 3e-5 * std::fabs(want)) << v << " on " << engine.name;
        }
      }
    }
  }
}

// Elements without a scale; the smallest one stays as it is.
TEST(UnaryGpu, NegatedElements) {
  const auto check = []<class T>(T, tflite::TensorType type) {
    std::vector<T> elements;
    const int min = std::numeric_limits<T>::min(), step = sizeof(T) == 1 ? 1 : 257;
    for (int v = min; v <= std::numeric_limits<T>::max(); v += step) {
      elements.push_back(static_cast<T>(v));
    }
    const auto n = static_cast<int32_t>(elements.size());
    ModelBuilder m;
    const int x = m.Input({n}, type);
    m.Output(m.Op(tflite::BuiltinOperator_NEG, {x}, {m.Tensor({n}, type)}));
    for (int turn = 0; turn < 3; ++turn) CheckSameBytes("NEG", m, BytesOf(elements), true);
  };
  check(int8_t{}, tflite::TensorType_INT8);
  check(int16_t{}, tflite::TensorType_INT16);
}

TEST(UnaryGpu, EmptyTensors) {
  GraphMaker m;
  m.Output(Unary(m, tflite::BuiltinOperator_EXP, m.Input({0, 4})));
  m.Output(Unary(m, tflite::BuiltinOperator_ABS, m.Input({2, 0})));
  CheckModel(m.Finish("empty tensors"));
}

}  // namespace
}  // namespace tern::testing
