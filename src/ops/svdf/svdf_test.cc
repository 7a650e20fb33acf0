// SPDX-License-Identifier: Apache-2.0
// SVDF against its equation, in floats and in full integers with 8 and 16 bits of memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/operand_scales.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

constexpr int kSvdfBatch = 3, kSvdfInputs = 5;

TEST(Svdf, RanksAndBadOperands) {
  constexpr int kMemory = 4;
  for (const int rank : {1, 2, 3}) {
    const int filters = 2 * rank;
    const std::vector<float> x = Random(1).Floats(kSvdfBatch * kSvdfInputs, -2, 2),
                             feature = Random(2).Floats(filters * kSvdfInputs, -1, 1),
                             time = Random(3).Floats(filters * kMemory, -1, 1),
                             bias = Random(4).Floats(2, -1, 1);
    TfLiteSVDFParams params{rank, kTfLiteActNone, false};
    OpRunner run(SvdfRegistration(OpForm::kReference), &params);
    run.Input({kSvdfBatch, kSvdfInputs}, x);
    run.Input({filters, kSvdfInputs}, feature, kTfLiteMmapRo);
    run.Input({filters, kMemory}, time, kTfLiteMmapRo);
    run.Input({2}, bias, kTfLiteMmapRo);
    run.Input({kSvdfBatch, filters * kMemory},
              std::vector<float>(static_cast<size_t>(kSvdfBatch * filters * kMemory)));
    run.input(4).is_variable = true;
    run.Output();
    ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
    // The same input each time: a filter's memory holds the same product in its last places.
    for (int pass = 1; pass <= kMemory + 1; ++pass) {
      ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
      for (int b = 0; b < kSvdfBatch; ++b) {
        for (int u = 0; u < 2; ++u) {
          double want = bias[static_cast<size_t>(u)];
          for (int f = u * rank; f < (u + 1) * rank; ++f) {
            double product = 0, weight = 0;
            for (int i = 0; i < kSvdfInputs; ++i) {
              product += double{feature[static_cast<size_t>(f * kSvdfInputs + i)]} *
                         x[static_cast<size_t>(b * kSvdfInputs + i)];
            }
            for (int m = std::max(0, kMemory - pass); m < kMemory; ++m) {
              weight += time[static_cast<size_t>(f * kMemory + m)];
            }
            want += product * weight;
          }
          EXPECT_NEAR(run.Values()[static_cast<size_t>(b * 2 + u)], want, 1e-5);
        }
      }
    }
    for (const int bad : {0, -1, filters + 1}) {
      params.rank = bad;
      EXPECT_EQ(run.Prepare(), kTfLiteError) << bad;
    }
    params.rank = rank;
    run.input(4).dims->data[1] += 1;
    EXPECT_EQ(run.Prepare(), kTfLiteError);
  }
}

// A step of one filter and one input: the products of scale 1/4 go into a memory of scale 1/2, and
// sums of scale 1/8 (with time weights of scale 1/4) to an output of scale 1.
template <class T>
struct OneFilter {
  static constexpr int kInputZero = 3, kOutputZero = 10;

  explicit OneFilter(int state_zero, T oldest, T newest, int bias) {
    run.Input({1, 1}, std::vector<int8_t>(1));
    run.Input({1, 1}, std::vector<int8_t>{100}, kTfLiteMmapRo);
    run.Input({1, 2}, std::vector<T>{oldest, newest}, kTfLiteMmapRo);
    run.Input({1}, std::vector<int32_t>{bias}, kTfLiteMmapRo);
    run.Input({1, 2}, std::vector<T>(2, static_cast<T>(state_zero)));
    run.input(4).is_variable = true;
    run.Output(kTfLiteInt8);
    scales.Give(run.input(0), {0.5f}, kInputZero);
    scales.Give(run.input(1), {0.5f});
    scales.Give(run.input(2), {0.25f});
    scales.Give(run.input(4), {0.5f}, state_zero);
    scales.Give(run.output(), {1.0f}, kOutputZero);
  }

  // The output for an input relative to its zero point.
  int Step(int relative) {
    MutableData<int8_t>(&run.input(0))[0] = static_cast<int8_t>(relative + kInputZero);
    EXPECT_EQ(run.Eval(), kTfLiteOk) << run.error();
    return run.Values<int8_t>()[0];
  }
  int Newest() { return Data<T>(&run.input(4))[1]; }

  TfLiteSVDFParams params{1, kTfLiteActRelu, false};
  OperandScales scales;
  OpRunner run{SvdfRegistration(OpForm::kReference), &params};
};

TEST(Svdf, MemoryOf8BitsHasAZeroPoint) {
  OneFilter<int8_t> one(-20, 2, 4, 8);
  ASSERT_EQ(one.run.Prepare(), kTfLiteOk) << one.run.error();
  // 100 / 2 is the new number; (50 * 4 + 8) / 8 comes out.
  EXPECT_EQ(one.Step(1), 26 + one.kOutputZero);
  EXPECT_EQ(one.Newest(), 50 - 20);
  // The 50 is now the older: (100 - 400 + 8) / 8, ties away from zero, and no RELU.
  EXPECT_EQ(one.Step(-2), -37 + one.kOutputZero);
  EXPECT_EQ(one.Newest(), -100 - 20);
  // 200 is cut at 127 before its zero point is added: (-200 + 508 + 8) / 8.
  EXPECT_EQ(one.Step(4), 40 + one.kOutputZero);
  EXPECT_EQ(one.Newest(), 127 - 20);
  // -200 at -128, whose sum with the zero point wraps to 128 - 20: (254 + 512 + 8) / 8.
  EXPECT_EQ(one.Step(-4), 97 + one.kOutputZero);
  EXPECT_EQ(one.Newest(), -128 - 20 + 256);
}

TEST(Svdf, MemoryOf16BitsSaturatesLater) {
  OneFilter<int16_t> one(0, 2, 4, 8);
  ASSERT_EQ(one.run.Prepare(), kTfLiteOk) << one.run.error();
  EXPECT_EQ(one.Step(4), 101 + one.kOutputZero);
  EXPECT_EQ(one.Newest(), 200);
}

TEST(Svdf, QuotientsOfScalesAreFloats) {
  OneFilter<int16_t> one(0, 2, 4, 8);
  one.scales.Give(one.run.input(0), {0.03f}, one.kInputZero);
  one.scales.Give(one.run.input(1), {0.1f});
  one.scales.Give(one.run.input(4), {0.002f});
  MutableData<int8_t>(&one.run.input(1))[0] = 107;
  ASSERT_EQ(one.run.Prepare(), kTfLiteOk) << one.run.error();
  one.Step(109);
  EXPECT_EQ(one.Newest(), 17495);  // 17494.4990 as doubles
}

TEST(Svdf, TimeWeightsAndStateHaveOneType) {
  for (const TfLiteType time : {kTfLiteInt8, kTfLiteInt16, kTfLiteUInt8, kTfLiteFloat32}) {
    for (const TfLiteType state : {kTfLiteInt8, kTfLiteInt16, kTfLiteFloat32}) {
      OneFilter<int8_t> one(0, 2, 4, 8);
      one.run.input(2).type = time;
      one.run.input(4).type = state;
      const bool good = time == state && time != kTfLiteFloat32;
      EXPECT_EQ(one.run.Prepare(), good ? kTfLiteOk : kTfLiteError) << time << ", " << state;
    }
  }
}

}  // namespace
}  // namespace tern::testing
