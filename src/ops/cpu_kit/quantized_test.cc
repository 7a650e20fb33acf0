// SPDX-License-Identifier: Apache-2.0
// Worked examples of the arithmetic, and refusals of broken parameters.
#include "ops/cpu_kit/quantized.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

namespace tern {
namespace {

TEST(Quantized, Multipliers) {
  struct Example {
    double real;
    int32_t value;
    int shift;
    std::vector<std::pair<int32_t, int32_t>> results;
  };
  const Example examples[] = {
      {0.5, 1073741824, 0, {{5, 3}, {-5, -2}, {3, 2}, {-3, -1}, {1, 1}, {-1, 0}}},
      {0.25, 1073741824, -1, {{1, 1}, {2, 1}, {-2, -1}, {5, 2}, {-6, -2}, {-10, -3}, {-406, -102}}},
      {0.1, 1717986918, -3, {{5, 1}, {-5, -1}, {135, 14}, {-135, -14}}},
      {0.0037, 2034096511, -8, {{135, 1}, {405, 2}, {1216, 5}}},
      {1.5, 1610612736, 1, {{1, 2}, {-1, -1}, {3, 5}, {-3, -4}, {7, 11}, {-7, -10}}},
      {0.75, 1610612736, 0, {{1, 1}, {-1, -1}, {3, 2}, {-3, -2}, {7, 5}, {-7, -5}}},
      {1.0, 1073741824, 1, {{0, 0}, {9, 9}, {-123456, -123456}}},
      {1e-12, 0, 0, {{1000000, 0}}},
      {0.0, 0, 0, {{7, 0}}},
      {NAN, 0, 0, {{7, 0}}},
      {1e30, INT32_MAX, 30, {}},
  };
  for (const Example& e : examples) {
    const Multiplier made = MakeMultiplier(e.real);
    EXPECT_EQ(made.value, e.value) << e.real;
    EXPECT_EQ(made.shift, e.shift) << e.real;
    for (const auto& [in, out] : e.results) EXPECT_EQ(Scale(in, made), out) << in << "*" << e.real;
  }
  EXPECT_EQ(MultiplyHigh(INT32_MIN, INT32_MIN), INT32_MAX);
  EXPECT_EQ(RoundingShiftRight(INT32_MIN, 31), -1);
  EXPECT_EQ(RoundingShiftRight(INT32_MAX, 31), 1);
}

TEST(Quantized, WideSums) {
  for (const double real : {0.5, 0.1, 0.0037, 1.5, 90.0, 1e-6}) {
    for (const int64_t v :
         {int64_t{0}, int64_t{1}, int64_t{-77}, int64_t{123456}, int64_t{1} << 24}) {
      // Sixteen bits of multiplier: relative error 2^-16, plus half a unit.
      EXPECT_NEAR(ScaleWide(v, MakeMultiplier(real)), static_cast<double>(v) * real,
                  0.5 + std::fabs(static_cast<double>(v)) * real * 0x1p-15)
          << v << " * " << real;
    }
  }
}

TEST(Quantized, WideSumsSaturate) {
  const Multiplier small = MakeMultiplier(0.999999 * 0x1p-20);
  EXPECT_EQ(ScaleWide(INT64_MAX, small), ScaleWide(kLargestWideSum, small));
  EXPECT_EQ(ScaleWide(INT64_MIN, small), ScaleWide(-kLargestWideSum, small));
  EXPECT_NEAR(ScaleWide(INT64_MAX, small), 0x1p27, 0x1p13);
  EXPECT_TRUE(CheckWideMultiplier(MakeMultiplier(127)).ok());
  EXPECT_EQ(Message(CheckWideMultiplier(MakeMultiplier(129))),
            "scale of output is too small for its inputs (a factor of 2^8, at most 2^7)");
}

TEST(Quantized, ActivationRanges) {
  const auto range = [](TfLiteFusedActivation activation, float scale, int zero_point) {
    const IntRange r = ActivationRange(activation, kTfLiteInt8, {scale, zero_point});
    return std::make_pair(r.min, r.max);
  };
  EXPECT_EQ(range(kTfLiteActRelu6, 0.05f, -128), std::make_pair(-128, -8));
  EXPECT_EQ(range(kTfLiteActReluN1To1, 0.02f, 3), std::make_pair(-47, 53));
  EXPECT_EQ(range(kTfLiteActRelu, 0.05f, 10), std::make_pair(10, 127));
  EXPECT_EQ(range(kTfLiteActNone, 0.05f, 10), std::make_pair(-128, 127));
  EXPECT_EQ(range(kTfLiteActRelu6, 1e-20f, 0), std::make_pair(0, 127));
}

TEST(Quantized, ByteTables) {
  const auto sigmoid = [](float v) { return 1.0f / (1.0f + std::exp(-v)); };
  const ByteTable logistic = MakeByteTable(kTfLiteInt8, {0.1f, 0}, {1.0f / 256, -128}, sigmoid);
  const ByteTable tanh =
      MakeByteTable(kTfLiteInt8, {0.1f, 0}, {1.0f / 128, 0}, [](float v) { return std::tanh(v); });
  const int in[] = {-128, -50, -10, 0, 10, 50, 127};
  const int want_logistic[] = {-128, -126, -59, 0, 59, 126, 127};
  const int want_tanh[] = {-128, -128, -97, 0, 97, 127, 127};
  for (int i = 0; i < 7; ++i) {
    EXPECT_EQ(static_cast<int8_t>(logistic[static_cast<uint8_t>(in[i])]), want_logistic[i]);
    EXPECT_EQ(static_cast<int8_t>(tanh[static_cast<uint8_t>(in[i])]), want_tanh[i]);
  }
}

TEST(Quantized, NumbersSaturate) {
  const IntRange range = TypeRange(kTfLiteUInt8);
  const Quantization q{0.5f, 3};
  EXPECT_EQ(Quantize(0.25f, q, range), 4);  // tie, away from zero
  EXPECT_EQ(Quantize(-0.25f, q, range), 2);
  EXPECT_EQ(Quantize(INFINITY, q, range), 255);
  EXPECT_EQ(Quantize(-1e30f, q, range), 0);
  EXPECT_EQ(Quantize(NAN, q, range), 0);
  EXPECT_EQ(Dequantize(7, q), 2.0f);
  EXPECT_EQ(RoundToInt32(1e12), INT32_MAX);
  EXPECT_EQ(RoundToInt32(-2.5), -3);
}

class BrokenParameters : public ::testing::Test {
 protected:
  BrokenParameters() {
    affine_.scale = TfLiteFloatArrayCreate(2);
    affine_.zero_point = TfLiteIntArrayCreate(2);
    for (int i = 0; i < 2; ++i) {
      affine_.scale->data[i] = 0.5f;
      affine_.zero_point->data[i] = 0;
    }
    tensor_.type = kTfLiteInt8;
    tensor_.quantization = {kTfLiteAffineQuantization, &affine_};
  }
  ~BrokenParameters() override {
    TfLiteFloatArrayFree(affine_.scale);
    TfLiteIntArrayFree(affine_.zero_point);
  }
  void OneScale(float scale, int zero_point) {
    affine_.scale->size = 1;
    affine_.scale->data[0] = scale;
    affine_.zero_point->data[0] = zero_point;
  }

  TfLiteAffineQuantization affine_{};
  TfLiteTensor tensor_{};
};

TEST_F(BrokenParameters, OfWholeTensors) {
  EXPECT_FALSE(QuantizationOf(&tensor_, "input").ok()) << "two scales";
  OneScale(0.5f, -128);
  ASSERT_TRUE(QuantizationOf(&tensor_, "input").ok());
  EXPECT_EQ(QuantizationOf(&tensor_, "input")->zero_point, -128);
  OneScale(0.5f, 128);
  EXPECT_FALSE(QuantizationOf(&tensor_, "input").ok());
  for (const float scale : {0.0f, -1.0f, INFINITY, NAN}) {
    OneScale(scale, 0);
    EXPECT_FALSE(QuantizationOf(&tensor_, "input").ok()) << scale;
  }
  tensor_.quantization.type = kTfLiteNoQuantization;
  EXPECT_FALSE(QuantizationOf(&tensor_, "input").ok());
}

TEST_F(BrokenParameters, OfChannels) {
  EXPECT_EQ(ChannelScales(&tensor_, 2, 0, "filter")->size(), 2u);
  EXPECT_FALSE(ChannelScales(&tensor_, 3, 0, "filter").ok()) << "count";
  EXPECT_FALSE(ChannelScales(&tensor_, 2, 3, "filter").ok()) << "axis";
  affine_.zero_point->data[1] = 1;
  EXPECT_FALSE(ChannelScales(&tensor_, 2, 0, "filter").ok()) << "zero point";
  OneScale(0.25f, 0);
  EXPECT_EQ((*ChannelScales(&tensor_, 3, 3, "filter"))[2], 0.25f) << "one for all";
}

// The form with fewer steps, as output_stage.h writes it.
int32_t Fast(int32_t sum, const FastRequantization& fast, const IntRange& range) {
  const int64_t product = (int64_t{sum} * fast.value + fast.start) >> 31;
  const int64_t result = (product - (sum < 0 ? 1 : 0)) >> fast.right;
  return static_cast<int32_t>(std::clamp<int64_t>(result, range.min, range.max));
}

TEST(Quantized, FusedFormsGiveTheResultsOfTwoRoundings) {
  std::minstd_rand engine(5);
  const auto random = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() % static_cast<uint64_t>(high - low + 1));
  };
  int forms = 0, constants = 0;
  for (int round = 0; round < 20000; ++round) {
    const Multiplier multiplier = {static_cast<int32_t>(random(1 << 30, INT32_MAX)),
                                   static_cast<int>(random(-31, 2))};
    const int64_t middle = random(-1, 1) << random(0, 30), half = int64_t{1} << random(0, 29);
    const IntRange range = {static_cast<int32_t>(random(-128, 0)),
                            static_cast<int32_t>(random(0, 127))};
    const auto zero = static_cast<int32_t>(random(-128, 127));
    const FastRequantization fast =
        FusedForm(multiplier, middle - half, middle + half, zero, range);
    if (fast.start == kNoFusedForm) continue;
    ++forms;
    constants += fast.value == 0 ? 1 : 0;
    for (int i = 0; i < 8; ++i) {
      const auto sum = static_cast<int32_t>(random(middle - half, middle + half));
      const int64_t want = int64_t{Scale(sum, multiplier)} + zero;
      ASSERT_EQ(Fast(sum, fast, range), std::clamp<int64_t>(want, range.min, range.max))
          << multiplier.value << " " << multiplier.shift << " " << sum;
    }
  }
  EXPECT_GT(forms, 5000);
  EXPECT_GT(constants, 500);
}

}  // namespace
}  // namespace tern
