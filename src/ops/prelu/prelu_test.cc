// SPDX-License-Identifier: Apache-2.0
// PRELU: broadcasts of alpha, quantized numbers, the GPU engines, and refusals.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/cpu_registry.h"
#include "ops/testing/graph_maker.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/operand_scales.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

const std::vector<int> kAlphas[] = {{},        {1},          {5},          {1, 5},      {4, 1},
                                    {3, 1, 5}, {2, 3, 4, 5}, {1, 1, 1, 1}, {2, 1, 1, 5}};

// The element of alpha that belongs to element i of a tensor [2, 3, 4, 5].
int64_t AlphaAt(const std::vector<int>& alpha, int64_t i) {
  const std::vector<int> shape = {2, 3, 4, 5};
  int64_t at = 0, stride = 1;
  for (size_t d = 0; d < 4; ++d) {
    const int64_t index = i % shape[3 - d];
    i /= shape[3 - d];
    if (d >= alpha.size()) continue;
    const int size = alpha[alpha.size() - 1 - d];
    at += (size == 1 ? 0 : index) * stride;
    stride *= size;
  }
  return at;
}

TEST(Prelu, FloatsInEveryForm) {
  Random random(5);
  const std::vector<float> in = random.Floats(120);
  for (const std::vector<int>& shape : kAlphas) {
    const std::vector<float> alpha = random.Floats(Count(shape));
    for (const Way& way : kWays) {
      OpRunner run(PreluRegistration(way.form), nullptr, way.threads);
      run.Input({2, 3, 4, 5}, in);
      run.Input(shape, alpha, kTfLiteMmapRo);
      run.Output();
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      const std::vector<float> got = run.Values();
      for (int64_t i = 0; i < 120; ++i) {
        ASSERT_EQ(got[i], in[i] >= 0 ? in[i] : in[i] * alpha[AlphaAt(shape, i)]) << way.name;
      }
    }
  }
}

template <class T>
void CheckQuantized(TfLiteType alpha_type, int zero_point) {
  Random random(6);
  std::vector<T> in;
  std::vector<int8_t> alpha;
  for (int i = 0; i < 120; ++i) in.push_back(static_cast<T>(random.Integer(-128, 127)));
  for (int i = 0; i < 5; ++i) alpha.push_back(static_cast<int8_t>(random.Integer(-128, 127)));
  OperandScales scales;
  OpRunner run(PreluRegistration(OpForm::kOptimized));
  run.Input({2, 3, 4, 5}, in);
  run.InputAs(alpha_type, {5}, alpha);
  run.Output(run.input(0).type);
  scales.Give(run.input(0), {0.1f}, zero_point);
  scales.Give(run.input(1), {0.01f}, alpha_type == kTfLiteUInt8 ? 128 : -3);
  scales.Give(run.output(), {0.15f}, zero_point);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  const std::vector<T> got = run.Values<T>();
  for (int i = 0; i < 120; ++i) {
    const double v = 0.1 * (in[i] - zero_point);
    const double slope = alpha_type == kTfLiteUInt8
                             ? 0.01 * (static_cast<uint8_t>(alpha[i % 5]) - 128)
                             : 0.01 * (alpha[i % 5] + 3);
    const double want = (v >= 0 ? v : v * slope) / 0.15 + zero_point;
    const double low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    ASSERT_NEAR(got[i], std::min(std::max(want, low), high), 0.51) << i;
  }
}

TEST(Prelu, QuantizedNumbers) {
  CheckQuantized<int8_t>(kTfLiteInt8, 7);
  CheckQuantized<uint8_t>(kTfLiteUInt8, 120);
  CheckQuantized<int16_t>(kTfLiteInt8, 0);
}

TEST(Prelu, BadOperandsAreErrors) {
  struct Bad {
    std::vector<int> x, alpha;
    TfLiteType type_x, type_alpha;
  };
  const Bad cases[] = {
      {{2, 3}, {2}, kTfLiteFloat32, kTfLiteFloat32},
      {{3}, {2, 3}, kTfLiteFloat32, kTfLiteFloat32},
      {{1, 3}, {2, 3}, kTfLiteFloat32, kTfLiteFloat32},
      {{3}, {3}, kTfLiteFloat32, kTfLiteInt8},
      {{3}, {3}, kTfLiteInt16, kTfLiteInt16},
      {{3}, {3}, kTfLiteInt8, kTfLiteInt8},  // without quantization
      {{3}, {3}, kTfLiteInt32, kTfLiteInt32},
  };
  for (const Bad& bad : cases) {
    OpRunner run(PreluRegistration(OpForm::kOptimized));
    run.EmptyInput(bad.x, bad.type_x);
    run.EmptyInput(bad.alpha, bad.type_alpha);
    run.Output(bad.type_x);
    EXPECT_EQ(run.Prepare(), kTfLiteError);
    EXPECT_EQ(run.error().rfind("PRELU: ", 0), 0u) << run.error();
  }
}

int Prelu(GraphMaker& m, int x, int alpha) {
  m.SetOpVersion(1);
  return m.Op(tflite::BuiltinOperator_PRELU, {x, alpha}, {m.Tensor(m.ShapeOf(x))});
}

TEST(PreluGpu, AlphasOfEveryShape) {
  for (const std::vector<int>& shape : kAlphas) {
    for (const Origin where : {Origin::kConstant, Origin::kRuntime}) {
      GraphMaker m;
      const int x = m.Input({2, 3, 4, 5});
      const int y = Prelu(m, x, m.Operand(Sizes(shape.begin(), shape.end()), where));
      CheckModel(m.Finish(StrCat("alpha of rank ", shape.size()), y));
    }
  }
}

TEST(PreluGpu, HighRanksAndChains) {
  GraphMaker high;
  const int x = high.Input({2, 1, 3, 2, 2, 5});
  CheckModel(high.Finish("alpha along a folded axis", Prelu(high, x, high.Constant({3, 1, 1, 5}))));
  GraphMaker chain;
  const int in = chain.Input({2, 5, 4, 3});
  const int conv = chain.Conv(in, 9, 1, {});
  CheckModel(chain.Finish("after a convolution", Prelu(chain, conv, chain.Constant({9}))));
}

}  // namespace
}  // namespace tern::testing
