// SPDX-License-Identifier: Apache-2.0
// L2_NORMALIZATION and LOCAL_RESPONSE_NORMALIZATION: values, integers, the GPU engines, refusals.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/cpu_registry.h"
#include "ops/testing/graph_maker.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/operand_scales.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

TEST(L2Normalization, FloatsInEveryForm) {
  Random random(31);
  TfLiteL2NormParams params{kTfLiteActNone};
  for (const std::vector<int>& shape : std::vector<std::vector<int>>{
           {1}, {9}, {2, 3, 5}, {3, 1, 2, 17}, {1, 2, 1, 2, 6}, {0, 4}, {4, 0}}) {
    const std::vector<float> in = random.Floats(Count(shape));
    const size_t count = static_cast<size_t>(shape.back());
    for (const Way& way : kWays) {
      OpRunner run(L2NormalizationRegistration(way.form), &params, way.threads);
      run.Input(shape, in);
      run.Output();
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      const std::vector<float> got = run.Values();
      for (size_t i = 0; i < got.size(); ++i) {
        double sum = 0;
        for (size_t c = i / count * count; c < (i / count + 1) * count; ++c) {
          sum += double{in[c]} * double{in[c]};
        }
        ASSERT_NEAR(got[i], in[i] / std::sqrt(sum), 1e-7);
      }
    }
  }
}

TEST(L2Normalization, ShortAndLongRows) {
  TfLiteL2NormParams params{kTfLiteActNone};
  OpRunner run(L2NormalizationRegistration(OpForm::kOptimized), &params);
  run.Input<float>({3, 2}, {0, 0, 3e-8f, 4e-8f, 3e30f, 4e30f});
  run.Output();
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  const float want[] = {0, 0, 0.03f, 0.04f, 0.6f, 0.8f};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(run.Values()[i], want[i], 1e-7);
}

TEST(L2Normalization, QuantizedNumbers) {
  TfLiteL2NormParams params{kTfLiteActNone};
  for (const bool is_signed : {true, false}) {
    const int zero_point = is_signed ? -5 : 120;
    std::vector<int8_t> in;
    for (int i = 0; i < 60; ++i) in.push_back(static_cast<int8_t>(i * 29 % 256));
    const TfLiteType type = is_signed ? kTfLiteInt8 : kTfLiteUInt8;
    OperandScales scales;
    OpRunner run(L2NormalizationRegistration(OpForm::kOptimized), &params);
    run.InputAs(type, {5, 12}, in);
    run.Output(type);
    scales.Give(run.input(0), {0.06f}, zero_point);
    scales.Give(run.output(), {1.0f / 128}, is_signed ? 0 : 128);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    const auto number = [&](uint8_t bits) -> int {
      return is_signed ? static_cast<int8_t>(bits) : bits;
    };
    const std::vector<uint8_t> got = run.Values<uint8_t>();
    for (int i = 0; i < 60; ++i) {
      double sum = 0;
      for (int c = i / 12 * 12; c < (i / 12 + 1) * 12; ++c) {
        sum += std::pow(number(static_cast<uint8_t>(in[c])) - zero_point, 2);
      }
      const double want = (number(static_cast<uint8_t>(in[i])) - zero_point) / std::sqrt(sum) * 128;
      EXPECT_NEAR(number(got[i]) - (is_signed ? 0 : 128), std::min(want, 127.0), 0.51) << i;
    }
  }
}

TEST(L2Normalization, BadOperandsAreErrors) {
  TfLiteL2NormParams none{kTfLiteActNone}, relu{kTfLiteActRelu};
  OpRunner activation(L2NormalizationRegistration(OpForm::kOptimized), &relu);
  activation.EmptyInput({4}, kTfLiteFloat32);
  activation.Output();
  EXPECT_EQ(activation.Prepare(), kTfLiteError);
  OpRunner scalar(L2NormalizationRegistration(OpForm::kOptimized), &none);
  scalar.EmptyInput({}, kTfLiteFloat32);
  scalar.Output();
  EXPECT_EQ(scalar.Prepare(), kTfLiteError);
  OpRunner bare(L2NormalizationRegistration(OpForm::kOptimized), &none);
  bare.EmptyInput({4}, kTfLiteInt8);
  bare.Output(kTfLiteInt8);
  EXPECT_EQ(bare.Prepare(), kTfLiteError);
  OperandScales scales;
  OpRunner output(L2NormalizationRegistration(OpForm::kOptimized), &none);
  output.EmptyInput({4}, kTfLiteInt8);
  output.Output(kTfLiteInt8);
  scales.Give(output.input(0), {1});
  scales.Give(output.output(), {1.0f / 128}, 3);
  EXPECT_EQ(output.Prepare(), kTfLiteError);
}

TEST(L2NormalizationGpu, ShapesAndChains) {
  for (const Sizes& shape : std::vector<Sizes>{{5},
                                               {2, 3, 17},
                                               {2, 5, 4, 33},
                                               {1, 70, 70, 3},
                                               {2, 2, 3, 4, 6},
                                               {7, 130},
                                               {3, 1, 1, 1}}) {
    GraphMaker m;
    const int x = m.Input(shape);
    m.SetOpVersion(1);
    const int y = m.Op(tflite::BuiltinOperator_L2_NORMALIZATION, {x}, {m.Tensor(m.ShapeOf(x))});
    m.op().builtin_options.Set(tflite::L2NormOptionsT());
    m.Output(m.LeakyRelu(y));  // a step after it
    CheckModel(m.Finish(StrCat("rows of ", shape.back())));
  }
}

TEST(LocalResponseNormalizationGpu, RadiiAndChannels) {
  for (const int channels : {1, 3, 16, 17, 40}) {
    for (const int radius : {0, 2, 5, 50}) {
      tflite::LocalResponseNormalizationOptionsT o;
      o.radius = radius;
      o.bias = 1;
      o.alpha = 0.5f;
      o.beta = 0.75f;
      GraphMaker m;
      const int x = m.LeakyRelu(m.Input({2, 3, 2, channels}));
      m.Output(m.LeakyRelu(m.Node(tflite::BuiltinOperator_LOCAL_RESPONSE_NORMALIZATION, {x},
                                  {2, 3, 2, channels}, o)));
      CheckModel(m.Finish(StrCat(channels, " channels, radius ", radius)));
    }
  }
}

TEST(LocalResponseNormalization, FloatsInEveryForm) {
  Random random(32);
  const std::vector<float> in = random.Floats(2 * 3 * 2 * 9);
  for (const int radius : {0, 1, 4, 100, INT32_MAX}) {
    TfLiteLocalResponseNormParams params{radius, 1.5f, 0.3f, 0.75f};
    for (const Way& way : kWays) {
      OpRunner run(LocalResponseNormalizationRegistration(way.form), &params, way.threads);
      run.Input({2, 3, 2, 9}, in);
      run.Output();
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      const std::vector<float> got = run.Values();
      for (int64_t i = 0; i < static_cast<int64_t>(got.size()); ++i) {
        double sum = 0;
        for (int64_t c = 0; c < 9; ++c) {
          const double v = in[i / 9 * 9 + c];
          if (std::abs(c - i % 9) <= radius) sum += v * v;
        }
        ASSERT_NEAR(got[i], in[i] * std::pow(1.5 + double{0.3f} * sum, -0.75), 4e-7);
      }
    }
  }
}

TEST(LocalResponseNormalization, BadOperandsAreErrors) {
  TfLiteLocalResponseNormParams params{1, 1, 1, 1}, negative{-1, 1, 1, 1};
  OpRunner rank(LocalResponseNormalizationRegistration(OpForm::kOptimized), &params);
  rank.EmptyInput({2, 3}, kTfLiteFloat32);
  rank.Output();
  EXPECT_EQ(rank.Prepare(), kTfLiteError);
  OpRunner radius(LocalResponseNormalizationRegistration(OpForm::kOptimized), &negative);
  radius.EmptyInput({1, 1, 2, 3}, kTfLiteFloat32);
  radius.Output();
  EXPECT_EQ(radius.Prepare(), kTfLiteError);
  OpRunner missing(LocalResponseNormalizationRegistration(OpForm::kOptimized));
  missing.EmptyInput({1, 1, 2, 3}, kTfLiteFloat32);
  missing.Output();
  EXPECT_EQ(missing.Prepare(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
