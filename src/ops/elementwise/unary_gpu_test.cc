// SPDX-License-Identifier: Apache-2.0
// One-operand elementwise ops on the GPU engines: alone, behind a producer, in every rank.
#include <gtest/gtest.h>

#include "ops/testing/graph_maker.h"

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
  m.builder().SetOpVersion(1);
  const int y = m.builder().Op(code, {x}, {m.builder().Tensor(m.ShapeOf(x))});
  if (code == tflite::BuiltinOperator_GELU) {
    m.builder().op().builtin_options.Set(tflite::GeluOptionsT());
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
    CheckModel(m.Finish(StrCat(tflite::EnumNameBuiltinOperator(c.code), " behind a convolution")));
  }
}

TEST(UnaryGpu, EmptyTensors) {
  GraphMaker m;
  m.Output(Unary(m, tflite::BuiltinOperator_EXP, m.Input({0, 4})));
  m.Output(Unary(m, tflite::BuiltinOperator_ABS, m.Input({2, 0})));
  CheckModel(m.Finish("empty tensors"));
}

}  // namespace
}  // namespace tern::testing
