// SPDX-License-Identifier: Apache-2.0
// Broadcasting and epilogues on the GPU engines, fused and not.
#include <gtest/gtest.h>

#include "ops/testing/graph_maker.h"

namespace tern::testing {
namespace {

void CheckBinary(const Sizes& a, const Sizes& b, bool multiply, Origin where) {
  GraphMaker m;
  const int x = m.Input(a);
  const int y = m.Operand(b, where);
  const int z = multiply ? m.Product(x, y) : m.Sum(y, x);
  std::string name = multiply ? "product of " : "sum of ";
  for (const Sizes* shape : {&a, &b}) {
    for (const int32_t d : *shape) name += StrCat(d, " ");
    name += "; ";
  }
  CheckModel(m.Finish(name, z));
}

// Every set of axes along which either operand repeats.
TEST(ElementwiseGpu, BroadcastsAlongEveryAxis) {
  const Sizes full = {2, 3, 4, 5};
  for (int ones = 0; ones < 16; ++ones) {
    Sizes a = full, b = full;
    for (int d = 0; d < 4; ++d) {
      if ((ones >> d & 1) != 0) (d % 2 == 0 ? a : b)[d] = 1;
    }
    CheckBinary(a, b, ones % 2 == 0, Origin::kRuntime);
    Sizes small = full;
    for (int d = 0; d < 4; ++d) {
      if ((ones >> d & 1) != 0) small[d] = 1;
    }
    CheckBinary(full, small, true, Origin::kRuntime);
    CheckBinary(full, small, false, Origin::kConstant);
  }
}

TEST(ElementwiseGpu, BroadcastsInEveryRank) {
  const Sizes full = {2, 3, 2, 2, 3, 5};
  for (size_t rank = 1; rank <= full.size(); ++rank) {
    const Sizes whole(full.end() - static_cast<long>(rank), full.end());
    for (size_t other = 1; other <= rank; ++other) {
      CheckBinary(whole, Sizes(whole.end() - static_cast<long>(other), whole.end()), false,
                  Origin::kRuntime);
    }
    for (size_t d = 0; d < rank; ++d) {
      Sizes small = whole;
      small[d] = 1;
      CheckBinary(whole, small, true, Origin::kRuntime);
      CheckBinary(small, whole, true, Origin::kConstant);
    }
    CheckBinary(whole, Sizes(rank, 1), false, Origin::kConstant);
    CheckBinary(Sizes(rank, 1), whole, false, Origin::kRuntime);
  }
}

TEST(ElementwiseGpu, ChannelCounts) {
  for (const int channels : {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 33}) {
    GraphMaker m;
    const int x = m.Input({2, 2, 3, channels});
    const int y = m.Sum(x, m.Constant({channels}));
    m.Output(m.LeakyRelu(y, 1.5f));
    m.Output(m.Logistic(y));
    m.Output(m.Relu6(y));
    CheckModel(m.Finish(StrCat(channels, " channels"), 9.0));
  }
}

// Some op makes the value, the epilogue follows, an operand of it comes from elsewhere.
TEST(ElementwiseGpu, ChainsBehindEveryOp) {
  using Make = int (*)(GraphMaker&, int);
  const Make producers[] = {
      [](GraphMaker& m, int x) { return m.Conv(x, 6, 1, {}); },
      [](GraphMaker& m, int x) { return m.Conv(x, 6, 2, {}); },
      [](GraphMaker& m, int x) { return m.Conv(x, 6, 1, {.h = 1, .w = 1}); },
      [](GraphMaker& m, int x) { return m.Depthwise(x, 1, {}); },
      [](GraphMaker& m, int x) { return m.Pool(x, true, {}); },
      [](GraphMaker& m, int x) { return m.Pool(x, false, {}); },
      [](GraphMaker& m, int x) { return m.Resize(x, 5, 4, false, true); },
      [](GraphMaker& m, int x) { return m.Softmax(x); },
      [](GraphMaker& m, int x) {
        return m.Pad(x, {0, 0, 0, 0, 0, 0, 0, 0});
      },
      [](GraphMaker& m, int x) {
        return m.Reshape(x, {1, 5, 4, 6});
      },
      [](GraphMaker& m, int x) { return m.Concat({x}, 3); },
      [](GraphMaker& m, int x) { return m.TransposeConv(x, 6, {}); },
      [](GraphMaker& m, int x) { return m.Relu(x); },
      [](GraphMaker& m, int x) { return m.Product(x, x); },
  };
  for (size_t p = 0; p < std::size(producers); ++p) {
    GraphMaker m;
    const int x = m.Input({1, 5, 4, 6});
    const int made = producers[p](m, x);
    const int a = m.Sum(m.Constant({1, 5, 1, 6}), m.LeakyRelu(made));
    const int b = m.Product(a, m.Input({1, 1, 4, 1}), tflite::ActivationFunctionType_RELU6);
    const int c = m.Sum(m.Logistic(b), x);
    m.Output(c);
    m.Output(m.Sum(c, c));
    CheckModel(m.Finish(StrCat("chain after producer ", p)));
  }
}

TEST(ElementwiseGpu, TensorsReadTwice) {
  GraphMaker m;
  const int x = m.Input({1, 3, 3, 5});
  const int conv = m.Conv(x, 5, 1, {});
  const int a = m.Relu(conv);
  const int b = m.Logistic(conv);
  const int c = m.Product(a, b);
  m.Output(conv);
  m.Output(c);
  m.Output(m.Sum(m.Sum(conv, conv), c));
  m.Output(c);  // the same tensor twice
  CheckModel(m.Finish("several readers"));
}

TEST(ElementwiseGpu, FunctionsBesideTheirOperand) {
  for (const auto code : {tflite::BuiltinOperator_MUL, tflite::BuiltinOperator_SUB,
                          tflite::BuiltinOperator_DIV, tflite::BuiltinOperator_MAXIMUM}) {
    for (const bool swapped : {false, true}) {
      GraphMaker m;
      const int x = m.Conv(m.Input({1, 5, 4, 6}), 7, 1, {});
      const int f = m.Logistic(x);
      const std::vector<int32_t> operands = {swapped ? f : x, swapped ? x : f};
      // No quotient by what is near zero.
      if (code == tflite::BuiltinOperator_DIV && swapped) continue;
      m.Output(m.Node(code, operands, {1, 5, 4, 7}));
      CheckModel(m.Finish(
          StrCat(tflite::EnumNameBuiltinOperator(code), swapped ? " f(x), x" : " x, f(x)")));
    }
  }
}

TEST(ElementwiseGpu, OperandsMadeLater) {
  GraphMaker m;
  const int x = m.Input({1, 3, 3, 5});
  const int early = m.Pool(x, true, {});
  const int late = m.Conv(x, 5, 1, {});
  const int sum = m.Sum(early, late);
  CheckModel(m.Finish("operand made later", m.Product(sum, m.Sum(early, m.Relu(late)))));
}

}  // namespace
}  // namespace tern::testing
