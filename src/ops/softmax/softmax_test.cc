// SPDX-License-Identifier: Apache-2.0
// SOFTMAX and LOG_SOFTMAX in every form and type: values, ranks, beta, extremes, and refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/tensor/half.h"
#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/operand_scales.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

std::vector<Expected> Oracle(const std::vector<float>& in, int count, float beta) {
  std::vector<Expected> out(in.size());
  for (size_t row = 0; row < in.size(); row += static_cast<size_t>(count)) {
    const float max = *std::max_element(in.begin() + row, in.begin() + row + count);
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += std::exp((double{in[row + i]} - max) * beta);
    for (int i = 0; i < count; ++i) {
      const double value = std::exp((double{in[row + i]} - max) * beta) / sum;
      // The exponent's own rounding grows with the distance to the maximum.
      const double distance = std::fabs((double{in[row + i]} - max) * beta);
      out[row + i] = {value, value * (1 + distance / 4), count};
    }
  }
  return out;
}

void Check(const std::vector<int>& shape, float beta, double low, double high) {
  Random random(21);
  const std::vector<float> in = random.Floats(Count(shape), low, high);
  TfLiteSoftmaxParams params{beta};
  for (const Way& way : kWays) {
    OpRunner run(SoftmaxRegistration(way.form), &params, way.threads);
    run.Input(shape, in);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.OutputShape(), Shape(shape.begin(), shape.end()));
    ExpectClose(run.Values(), Oracle(in, shape.back(), beta),
                StrCat(way.name, " row ", shape.back(), " beta ", beta));
  }
}

TEST(Softmax, RanksAndSizes) {
  Check({1}, 1, -5, 5);
  Check({1001}, 1, -5, 5);
  Check({2, 3}, 1, -5, 5);
  Check({3, 1, 17}, 1, -5, 5);
  Check({7, 2, 3, 5}, 1, -5, 5);
  Check({1, 2, 1, 2, 9}, 1, -5, 5);
  Check({0, 4}, 1, -5, 5);
  Check({40, 300}, 1, -30, 10);
}

TEST(Softmax, Beta) {
  Check({3, 8}, 0.5f, -5, 5);
  Check({3, 8}, 2, -5, 5);
  Check({3, 8}, 0, -5, 5);
}

TEST(Softmax, Extremes) {
  const float inf = std::numeric_limits<float>::infinity();
  TfLiteSoftmaxParams params{1};
  for (const Way& way : kWays) {
    OpRunner run(SoftmaxRegistration(way.form), &params, way.threads);
    run.Input<float>({5, 3}, {1e30f, -1e30f, 0, 3e38f, -3e38f, 3e38f, -inf, 2, 2, -inf, -inf, -inf,
                              -1e30f, -1e30f, -1e30f});
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk);
    const std::vector<float> got = run.Values();
    EXPECT_EQ(std::vector<float>(got.begin(), got.begin() + 9),
              (std::vector<float>{1, 0, 0, 0.5f, 0, 0.5f, 0, 0.5f, 0.5f}))
        << way.name;
    for (int i = 9; i < 12; ++i) EXPECT_TRUE(std::isnan(got[i])) << way.name;
    EXPECT_NEAR(got[13], 1.0 / 3, 1e-7) << way.name;
  }
}

TEST(Softmax, Halves) {
  Random random(22);
  const std::vector<float> in = random.Floats(60, -5, 5);
  std::vector<uint16_t> halves;
  std::vector<float> rounded;
  for (const float v : in) {
    halves.push_back(FloatToHalf(v));
    rounded.push_back(HalfToFloat(halves.back()));
  }
  TfLiteSoftmaxParams params{0.5f};
  OpRunner run(SoftmaxRegistration(OpForm::kOptimized), &params);
  run.InputAs(kTfLiteFloat16, {4, 15}, halves);
  run.Output(kTfLiteFloat16);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  const std::vector<Expected> want = Oracle(rounded, 15, 0.5f);
  const std::vector<uint16_t> got = run.Values<uint16_t>();
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(HalfToFloat(got[i]), want[i].value, 6e-4 * want[i].value + 1e-7);
  }
}

template <class From, class To>
void CheckQuantized(TfLiteType from, TfLiteType to, float scale, float out_scale, int zero_point,
                    int low, double steps) {
  Random random(23);
  for (const int count : {1, 2, 7, 33, 300}) {
    std::vector<From> in;
    for (int i = 0; i < 3 * count; ++i) {
      in.push_back(static_cast<From>(random.Integer(low, low + 255)));
    }
    TfLiteSoftmaxParams params{1.5f};
    OperandScales scales;
    OpRunner run(SoftmaxRegistration(OpForm::kOptimized), &params, 2);
    run.Input({3, count}, in);
    run.Output(to);
    scales.Give(run.input(0), {scale});
    scales.Give(run.output(), {out_scale}, zero_point);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error() << TypeText(from);
    const std::vector<To> got = run.Values<To>();
    std::vector<float> real;
    for (const From q : in) real.push_back(scale * static_cast<float>(q));
    const std::vector<Expected> want = Oracle(real, count, 1.5f);
    for (size_t i = 0; i < got.size(); ++i) {
      const double exact = want[i].value / out_scale + zero_point;
      const double limited = std::min<double>(exact, std::numeric_limits<To>::max());
      ASSERT_NEAR(got[i], limited, steps) << TypeText(from) << " row " << count;
    }
  }
}

TEST(Softmax, QuantizedNumbers) {
  CheckQuantized<int8_t, int8_t>(kTfLiteInt8, kTfLiteInt8, 0.05f, 1.0f / 256, -128, -128, 1.01);
  CheckQuantized<uint8_t, uint8_t>(kTfLiteUInt8, kTfLiteUInt8, 0.05f, 1.0f / 256, 0, 0, 1.01);
  CheckQuantized<int8_t, int16_t>(kTfLiteInt8, kTfLiteInt16, 0.05f, 1.0f / 65536, -32768, -128, 9);
  CheckQuantized<uint8_t, int16_t>(kTfLiteUInt8, kTfLiteInt16, 0.05f, 1.0f / 65536, -32768, 0, 9);
  CheckQuantized<int16_t, int16_t>(kTfLiteInt16, kTfLiteInt16, 0.01f, 1.0f / 32768, 0, -128, 9);
}

TEST(Softmax, KnownQuantizedRow) {
  TfLiteSoftmaxParams params{1};
  OperandScales scales;
  OpRunner run(SoftmaxRegistration(OpForm::kOptimized), &params);
  run.Input<int8_t>({3}, {10, 20, 30});
  run.Output(kTfLiteInt8);
  scales.Give(run.input(0), {0.1f});
  scales.Give(run.output(), {1.0f / 256}, -128);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values<int8_t>(), (std::vector<int8_t>{-105, -65, 42}));
}

// Beside a UINT8 input the output's quantization says nothing.
template <class T>
void CheckByteRow(TfLiteType type, const std::vector<T>& want) {
  for (const auto& [scale, zero_point] : std::vector<std::pair<float, int>>{
           {1.0f / 256, 0}, {1.0f / 128, 0}, {0.01f, 10}, {1.0f / 256, 128}, {1e-5f, 3}}) {
    TfLiteSoftmaxParams params{1};
    OperandScales given;
    OpRunner run(SoftmaxRegistration(OpForm::kOptimized), &params);
    run.Input<uint8_t>({2, 4}, {10, 20, 30, 40, 5, 5, 5, 9});
    run.Output(type);
    given.Give(run.input(0), {0.1f});
    given.Give(run.output(), {scale}, zero_point);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values<T>(), want);
  }
}

TEST(Softmax, BytesIgnoreTheOutputsQuantization) {
  CheckByteRow<uint8_t>(kTfLiteUInt8, {8, 22, 61, 165, 57, 57, 57, 85});
  CheckByteRow<int16_t>(kTfLiteInt16,
                        {-30667, -27057, -17244, 9432, -18178, -18178, -18178, -11002});
}

TEST(LogSoftmax, FloatsInEveryForm) {
  Random random(24);
  for (const std::vector<int>& shape :
       std::vector<std::vector<int>>{{1}, {7}, {2, 3, 5}, {7, 1, 2, 17}, {3, 1001}, {0, 4}}) {
    const std::vector<float> in = random.Floats(Count(shape), -9, 9);
    for (const Way& way : kWays) {
      OpRunner run(LogSoftmaxRegistration(way.form), nullptr, way.threads);
      run.Input(shape, in);
      run.Output();
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      const std::vector<Expected> want = Oracle(in, shape.back(), 1);
      const std::vector<float> got = run.Values();
      for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], std::log(want[i].value), 3e-6);
    }
  }
}

TEST(LogSoftmax, QuantizedNumbers) {
  for (const bool is_signed : {true, false}) {
    std::vector<int8_t> in;
    std::vector<float> real;
    for (int i = 0; i < 40; ++i) {
      in.push_back(static_cast<int8_t>(i * 13 % 256));
      real.push_back(0.06f * static_cast<float>(is_signed ? in[i] : static_cast<uint8_t>(in[i])));
    }
    const TfLiteType type = is_signed ? kTfLiteInt8 : kTfLiteUInt8;
    OperandScales scales;
    OpRunner run(LogSoftmaxRegistration(OpForm::kOptimized));
    run.InputAs(type, {4, 10}, in);
    run.Output(type);
    scales.Give(run.input(0), {0.06f});
    scales.Give(run.output(), {16.0f / 256}, is_signed ? 127 : 255);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    const std::vector<Expected> want = Oracle(real, 10, 1);
    const std::vector<uint8_t> got = run.Values<uint8_t>();
    for (size_t i = 0; i < got.size(); ++i) {
      const int above = is_signed ? static_cast<int8_t>(got[i]) - 127 : got[i] - 255;
      EXPECT_NEAR(above, std::max(std::log(want[i].value) * 16, -255.0), 1.01) << i;
    }
  }
}

TEST(LogSoftmax, BadOperandsAreErrors) {
  OpRunner scalar(LogSoftmaxRegistration(OpForm::kOptimized));
  scalar.EmptyInput({}, kTfLiteFloat32);
  scalar.Output();
  EXPECT_EQ(scalar.Prepare(), kTfLiteError);
  OperandScales scales;
  OpRunner output(LogSoftmaxRegistration(OpForm::kOptimized));
  output.EmptyInput({4}, kTfLiteInt8);
  output.Output(kTfLiteInt8);
  scales.Give(output.input(0), {1});
  scales.Give(output.output(), {1}, 127);
  EXPECT_EQ(output.Prepare(), kTfLiteError);
  OpRunner type(LogSoftmaxRegistration(OpForm::kOptimized));
  type.EmptyInput({4}, kTfLiteInt16);
  type.Output(kTfLiteInt16);
  EXPECT_EQ(type.Prepare(), kTfLiteError);
}

TEST(Softmax, BadOperandsAreErrors) {
  TfLiteSoftmaxParams params{1};
  OpRunner scalar(SoftmaxRegistration(OpForm::kOptimized), &params);
  scalar.EmptyInput({}, kTfLiteFloat32);
  scalar.Output();
  EXPECT_EQ(scalar.Prepare(), kTfLiteError);
  OpRunner type(SoftmaxRegistration(OpForm::kOptimized), &params);
  type.EmptyInput({2}, kTfLiteInt32);
  type.Output(kTfLiteInt32);
  EXPECT_EQ(type.Prepare(), kTfLiteError);
  EXPECT_EQ(type.error(), "SOFTMAX: type INT32 is not supported yet (input)");
  OpRunner bare(SoftmaxRegistration(OpForm::kOptimized), &params);
  bare.EmptyInput({2}, kTfLiteInt8);
  bare.Output(kTfLiteInt8);
  EXPECT_EQ(bare.Prepare(), kTfLiteError);
  OperandScales scales;
  OpRunner output(SoftmaxRegistration(OpForm::kOptimized), &params);
  output.EmptyInput({2}, kTfLiteInt8);
  output.Output(kTfLiteInt8);
  scales.Give(output.input(0), {1});
  scales.Give(output.output(), {0.5f}, 0);
  EXPECT_EQ(output.Prepare(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
