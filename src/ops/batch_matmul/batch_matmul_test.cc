// SPDX-License-Identifier: Apache-2.0
// BATCH_MATMUL of integers and of floats with 8-bit matrices, and its refusals.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/operand_scales.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

template <class T>
std::vector<T> Numbers(int64_t count, uint64_t seed, int64_t reach) {
  Random random(seed);
  std::vector<T> values(static_cast<size_t>(count));
  for (T& v : values) v = static_cast<T>(random.Integer(-reach, reach));
  return values;
}

// One batch of left matrices [2, 3, 5], one right matrix [5, 4] for both.
struct MatmulForm {
  bool adj_x, adj_y;

  std::vector<int> left() const {
    return adj_x ? std::vector<int>{2, 5, 3} : std::vector<int>{2, 3, 5};
  }
  std::vector<int> right() const { return adj_y ? std::vector<int>{4, 5} : std::vector<int>{5, 4}; }
  // term(left position, right position) summed along the depth, for each element of [2, 3, 4].
  template <class Term>
  auto Sums(const Term& term) const {
    std::vector<decltype(term(0, 0))> sums;
    for (int at = 0; at < 24; ++at) {
      const int row = at / 4 % 3, column = at % 4;
      decltype(term(0, 0)) sum = 0;
      for (int k = 0; k < 5; ++k) {
        sum += term(at / 12 * 15 + (adj_x ? k * 3 + row : row * 5 + k),
                    adj_y ? column * 5 + k : k * 4 + column);
      }
      sums.push_back(sum);
    }
    return sums;
  }
};

constexpr MatmulForm kMatmulForms[] = {{false, false}, {false, true}, {true, false}, {true, true}};

template <class A, class B>
void CheckScaled(TfLiteType output, int zero_left, int zero_right, int zero_out) {
  for (const MatmulForm& p : kMatmulForms) {
    const auto a = Numbers<A>(30, 3, 100);
    const auto b = Numbers<B>(20, 4, 100);
    const auto sums = p.Sums(
        [&](int i, int j) { return (int64_t{a[i]} - zero_left) * (int64_t{b[j]} - zero_right); });
    TfLiteBatchMatMulParams params{p.adj_x, p.adj_y, false};
    for (const Way& way : kWays) {
      OperandScales given;
      OpRunner run(BatchMatmulRegistration(way.form), &params, way.threads);
      run.Input(p.left(), a);
      run.Input(p.right(), b, kTfLiteMmapRo);
      run.Output(output);
      given.Give(run.input(0), {0.5f}, zero_left);
      given.Give(run.input(1), {0.25f}, zero_right);
      given.Give(run.output(), {64.0f}, zero_out);
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      for (size_t i = 0; i < sums.size(); ++i) {
        // An eighth over 64 is exact; halves go away from zero or up.
        const double real = static_cast<double>(sums[i]) / 512;
        const double got =
            output == kTfLiteInt16 ? 1.0 * run.Values<int16_t>()[i] : 1.0 * run.Values<int8_t>()[i];
        const double high = output == kTfLiteInt16 ? 32767 : 127;
        EXPECT_NEAR(got, std::clamp(real + zero_out, -high - 1, high), 0.5) << i;
      }
    }
  }
}

TEST(BatchMatmul, ScaledNumbers) {
  CheckScaled<int8_t, int8_t>(kTfLiteInt8, 3, -7, 11);
  CheckScaled<int8_t, int8_t>(kTfLiteInt8, -128, 0, -128);
  CheckScaled<int16_t, int8_t>(kTfLiteInt16, 0, 0, 0);
  CheckScaled<int16_t, int16_t>(kTfLiteInt16, 0, 0, 0);
}

TEST(BatchMatmul, RawSums) {
  for (const MatmulForm& p : kMatmulForms) {
    const auto a = Numbers<int8_t>(30, 3, 127);
    const auto b = Numbers<int8_t>(20, 4, 127);
    TfLiteBatchMatMulParams params{p.adj_x, p.adj_y, false};
    OpRunner run(BatchMatmulRegistration(OpForm::kOptimized), &params);
    run.Input(p.left(), a);
    run.Input(p.right(), b);
    run.Output(kTfLiteInt32);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values<int32_t>(),
              p.Sums([&](int i, int j) { return int32_t{a[i]} * int32_t{b[j]}; }));
  }
}

TEST(BatchMatmul, FloatsByBytes) {
  for (const MatmulForm& p : kMatmulForms) {
    for (const bool asymmetric : {false, true}) {
      const std::vector<float> a = Random(3).Floats(30);
      const auto b = Numbers<int8_t>(20, 4, 127);
      TfLiteBatchMatMulParams params{p.adj_x, p.adj_y, asymmetric};
      OperandScales given;
      OpRunner run(BatchMatmulRegistration(OpForm::kOptimized), &params);
      run.Input(p.left(), a);
      run.Input(p.right(), b);
      run.Output();
      given.Give(run.input(1), {0.5f});
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      const auto want = p.Sums([&](int i, int j) { return 0.5 * a[i] * b[j]; });
      // Half a step of each activation, of which ranges are below 4.
      const auto reach = p.Sums([&](int, int j) { return 0.5 * std::fabs(b[j]) * 2 / 127; });
      for (size_t i = 0; i < want.size(); ++i) {
        EXPECT_NEAR(run.Values()[i], want[i], reach[i] + 1e-5) << i;
      }
    }
  }
}

// Not a product, but what models that hold such matrices were made with.
TEST(BatchMatmul, SeveralScalesCountAsZero) {
  TfLiteBatchMatMulParams params{};
  for (const OpForm form : {OpForm::kReference, OpForm::kOptimized}) {
    OperandScales given;
    OpRunner run(BatchMatmulRegistration(form), &params);
    run.Input<int16_t>({2, 2}, {100, 200, 300, 400});
    run.Input<int8_t>({2, 2}, {1, 2, 3, 4}, kTfLiteMmapRo);
    run.Output(kTfLiteInt16);
    given.Give(run.input(0), {0.5f});
    given.Give(run.input(1), {0.25f, 0.5f}, 0, 1);
    given.Give(run.output(), {0.01f});
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values<int16_t>(), (std::vector<int16_t>{0, 0, 0, 0}));
  }
}

// A program that fills the right side after AllocateTensors may say then what its scale is.
TEST(BatchMatmul, ScaleOfBytesIsReadInEachRun) {
  TfLiteBatchMatMulParams params{false, false, true};
  for (const Way& way : kWays) {
    OpRunner run(BatchMatmulRegistration(way.form), &params, way.threads);
    run.Input<float>({1, 1}, {2});
    run.Input<int8_t>({1, 2}, {10, -20});
    run.SetScales(1, {0.5f}, 0);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_NEAR(run.Values()[0], 10, 1e-4) << way.name;
    run.SetScales(1, {0.25f}, 0);
    ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
    EXPECT_NEAR(run.Values()[0], 5, 1e-4) << way.name;
    EXPECT_NEAR(run.Values()[1], -10, 1e-4) << way.name;
  }
}

// An op in front computes the right side again at each Prepare, where it lay before.
TEST(BatchMatmul, ComputedRightSidesChangeWithAResize) {
  for (const bool adj_y : {false, true}) {
    TfLiteBatchMatMulParams params{false, adj_y, false};
    OpRunner run(BatchMatmulRegistration(OpForm::kOptimized), &params);
    run.Input<float>({1, 2}, {1, 10});
    run.Input<float>({2, 2}, {1, 2, 3, 4}, kTfLitePersistentRo);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values(), adj_y ? (std::vector<float>{21, 43}) : (std::vector<float>{31, 42}));
    run.input(1).data.f[0] = 5;
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values(), adj_y ? (std::vector<float>{25, 43}) : (std::vector<float>{35, 42}));
  }
}

// Sums beyond 47 bits saturate; times a multiplier of 15 bits this one would leave 64.
TEST(BatchMatmul, LargeSumsOfShorts) {
  TfLiteBatchMatMulParams params{false, true, false};
  const std::vector<int16_t> lowest(262160, -32768);
  const int depth = static_cast<int>(lowest.size());
  for (const float scale_out : {0x1p30f * 1.00001f, 1e-6f}) {
    OperandScales given;
    OpRunner run(BatchMatmulRegistration(OpForm::kOptimized), &params);
    run.Input({1, depth}, lowest);
    run.Input({1, depth}, lowest, kTfLiteMmapRo);
    run.Output(kTfLiteInt16);
    given.Give(run.input(0), {1});
    given.Give(run.input(1), {1});
    given.Give(run.output(), {scale_out});
    if (scale_out < 1) {
      EXPECT_EQ(run.Prepare(), kTfLiteError);
      EXPECT_NE(run.error().find("scale of output is too small"), std::string::npos);
      continue;
    }
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values<int16_t>(), std::vector<int16_t>{32767});
  }
}

TEST(BatchMatmul, BadOperandsAreErrors) {
  for (const auto& [left, right] :
       std::vector<std::pair<std::vector<int>, std::vector<int>>>{{{3, 5}, {4, 5}},
                                                                  {{5}, {5, 4}},
                                                                  {{3, 5}, {5}},
                                                                  {{2, 3, 5}, {3, 5, 4}},
                                                                  {{1, 1, 1, 1, 3, 5}, {5, 4}}}) {
    TfLiteBatchMatMulParams params{};
    OpRunner run(BatchMatmulRegistration(OpForm::kOptimized), &params);
    run.Input(left, std::vector<float>(Count(left)));
    run.Input(right, std::vector<float>(Count(right)));
    run.Output();
    EXPECT_EQ(run.Run(), kTfLiteError) << ShapeText(ShapeOf(&run.input(0)));
  }
  TfLiteBatchMatMulParams params{};
  OpRunner bytes(BatchMatmulRegistration(OpForm::kOptimized), &params);
  bytes.Input<int8_t>({1, 1}, {1});
  bytes.Input<int8_t>({1, 1}, {1});
  bytes.Output(kTfLiteInt8);
  EXPECT_EQ(bytes.Run(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
