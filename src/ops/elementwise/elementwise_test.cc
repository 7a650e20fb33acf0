// SPDX-License-Identifier: Apache-2.0
// The elementwise ops in every form: values, broadcasting, integers, activations, and refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/cpu_registry.h"
#include "ops/rules_kit/broadcast.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
using Make = TfLiteRegistration (*)(OpForm);

void CheckUnary(Make make, void* params, double (*truth)(double), double tolerance) {
  Random random(3);
  for (const int size : {0, 1, 3, 4, 7, 16, 1000, 40000}) {
    const std::vector<float> in = random.Floats(size, -12, 12);
    for (const Way& way : kWays) {
      OpRunner run(make(way.form), params, way.threads);
      run.Input({size}, in);
      run.Output();
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      const std::vector<float> got = run.Values();
      ASSERT_EQ(got.size(), in.size());
      for (size_t i = 0; i < got.size(); ++i) {
        const double want = truth(in[i]);
        ASSERT_NEAR(got[i], want, tolerance * std::fabs(want)) << way.name << " of " << in[i];
      }
    }
  }
}

TEST(Elementwise, Unary) {
  TfLiteLeakyReluParams leaky{0.3f};
  CheckUnary(
      ReluRegistration, nullptr, [](double v) { return std::max(v, 0.0); }, 0);
  CheckUnary(
      Relu6Registration, nullptr, [](double v) { return std::min(std::max(v, 0.0), 6.0); }, 0);
  CheckUnary(
      LeakyReluRegistration, &leaky, [](double v) { return v >= 0 ? v : double{0.3f} * v; }, 6e-8);
  CheckUnary(
      LogisticRegistration, nullptr, [](double v) { return 1 / (1 + std::exp(-v)); }, 4e-7);
}

TEST(Elementwise, LogisticOfExtremes) {
  for (const Way& way : kWays) {
    OpRunner run(LogisticRegistration(way.form), nullptr, way.threads);
    run.Input<float>({7}, {-1e30f, 1e30f, -kInfinity, kInfinity, 0, -104, 89});
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk);
    const std::vector<float> got = run.Values();
    EXPECT_EQ(got, (std::vector<float>{0, 1, 0, 1, 0.5f, got[5], 1})) << way.name;
    EXPECT_NEAR(got[5], 0, 1e-37);
    OpRunner nan(LogisticRegistration(way.form), nullptr, way.threads);
    nan.Input<float>({1}, {std::nanf("")});
    nan.Output();
    ASSERT_EQ(nan.Run(), kTfLiteOk);
    EXPECT_TRUE(std::isnan(nan.Values()[0])) << way.name;
  }
}

TEST(Elementwise, BinaryBroadcasts) {
  const std::vector<std::pair<std::vector<int>, std::vector<int>>> cases = {
      {{}, {}},
      {{1}, {1}},
      {{7}, {7}},
      {{2, 3, 5, 7}, {2, 3, 5, 7}},
      {{2, 3, 5, 7}, {7}},
      {{7}, {2, 3, 5, 7}},
      {{2, 3, 5, 7}, {}},
      {{2, 3, 5, 7}, {1, 1, 1, 1}},
      {{2, 3, 5, 7}, {2, 1, 1, 7}},
      {{2, 3, 5, 7}, {2, 3, 1, 1}},
      {{2, 3, 1, 7}, {1, 3, 5, 1}},
      {{2, 1, 3, 1, 5, 1}, {1, 4, 1, 2, 1, 3}},
      {{2, 1, 2, 1, 3, 1, 2, 1}, {1, 2, 1, 2, 1, 2, 1, 3}},
      {{0, 3}, {1, 3}},
      {{2, 0}, {2, 1}},
      {{3, 128, 130}, {3, 128, 130}},
  };
  TfLiteAddParams add{};
  TfLiteMulParams mul{};
  Random random(9);
  for (const auto& [a_shape, b_shape] : cases) {
    const std::vector<float> a = random.Floats(Count(a_shape));
    const std::vector<float> b = random.Floats(Count(b_shape));
    const Shape sa(a_shape.begin(), a_shape.end()), sb(b_shape.begin(), b_shape.end());
    const Shape shape = *BroadcastShape(sa, sb);
    const std::vector<int> dims = Dims(shape);
    auto at = [&](const std::vector<int>& operand, const std::vector<float>& values, int64_t flat) {
      int64_t index = 0, stride = 1;
      for (size_t i = 0; i < dims.size(); ++i) {
        const int64_t position = flat % dims[dims.size() - 1 - i];
        flat /= dims[dims.size() - 1 - i];
        if (i >= operand.size()) continue;
        const int size = operand[operand.size() - 1 - i];
        index += (size == 1 ? 0 : position) * stride;
        stride *= size;
      }
      return values[static_cast<size_t>(index)];
    };
    for (const Way& way : kWays) {
      for (const auto where : {kTfLiteArenaRw, kTfLiteMmapRo, kTfLiteCustom}) {
        OpRunner sum(AddRegistration(way.form), &add, way.threads);
        OpRunner product(MulRegistration(way.form), &mul, way.threads);
        for (OpRunner* run : {&sum, &product}) {
          run->Input(a_shape, a);
          run->Input(b_shape, b, where);
          run->Output();
          ASSERT_EQ(run->Run(), kTfLiteOk) << run->error();
          ASSERT_EQ(run->OutputShape(), shape);
        }
        const std::vector<float> sums = sum.Values(), products = product.Values();
        for (int64_t i = 0; i < Count(dims); ++i) {
          const float x = at(a_shape, a, i), y = at(b_shape, b, i);
          ASSERT_EQ(sums[i], x + y) << way.name << " " << ShapeText(sa) << ShapeText(sb) << i;
          ASSERT_EQ(products[i], x * y) << way.name << " " << ShapeText(sa) << ShapeText(sb) << i;
        }
      }
    }
  }
}

TEST(Elementwise, BinaryActivations) {
  TfLiteAddParams params{};
  const std::vector<std::pair<TfLiteFusedActivation, std::vector<float>>> cases = {
      {kTfLiteActNone, {-kInfinity, -3, 0.5f, 9, kInfinity}},
      {kTfLiteActRelu, {0, 0, 0.5f, 9, kInfinity}},
      {kTfLiteActReluN1To1, {-1, -1, 0.5f, 1, 1}},
      {kTfLiteActRelu6, {0, 0, 0.5f, 6, 6}},
      {kTfLiteActTanh, {-kInfinity, -3, 0.5f, 9, kInfinity}},
      {kTfLiteActSignBit, {-kInfinity, -3, 0.5f, 9, kInfinity}},
  };
  for (const auto& [activation, want] : cases) {
    params.activation = activation;
    for (const Way& way : kWays) {
      OpRunner run(AddRegistration(way.form), &params, way.threads);
      run.Input<float>({5}, {-kInfinity, -3, 0.5f, 9, kInfinity});
      run.Input<float>({1}, {0});
      run.Output();
      ASSERT_EQ(run.Run(), kTfLiteOk);
      EXPECT_EQ(run.Values(), want) << way.name << " activation " << static_cast<int>(activation);
    }
  }
}

TEST(Elementwise, IntegersWrap) {
  TfLiteAddParams add{};
  TfLiteMulParams mul{};
  mul.activation = kTfLiteActRelu6;
  OpRunner sum(AddRegistration(OpForm::kOptimized), &add);
  sum.Input<int32_t>({3}, {INT32_MAX, INT32_MIN, 5});
  sum.Input<int32_t>({3}, {1, -1, -9});
  sum.Output(kTfLiteInt32);
  ASSERT_EQ(sum.Run(), kTfLiteOk) << sum.error();
  EXPECT_EQ(sum.Values<int32_t>(), (std::vector<int32_t>{INT32_MIN, INT32_MAX, -4}));
  OpRunner product(MulRegistration(OpForm::kOptimized), &mul);
  product.Input<int64_t>({4}, {INT64_MAX, 2, 1000, -1});
  product.Input<int64_t>({1}, {2});
  product.Output(kTfLiteInt64);
  ASSERT_EQ(product.Run(), kTfLiteOk) << product.error();
  EXPECT_EQ(product.Values<int64_t>(), (std::vector<int64_t>{0, 4, 6, 0}));
}

TEST(Elementwise, BadOperandsAreErrors) {
  TfLiteAddParams params{};
  struct Bad {
    std::vector<int> a, b;
    TfLiteType type_a, type_b, type_out;
  };
  const Bad cases[] = {
      {{2}, {3}, kTfLiteFloat32, kTfLiteFloat32, kTfLiteFloat32},
      {{0}, {3}, kTfLiteFloat32, kTfLiteFloat32, kTfLiteFloat32},
      {{2, 3}, {3, 2}, kTfLiteFloat32, kTfLiteFloat32, kTfLiteFloat32},
      {{2}, {2}, kTfLiteFloat32, kTfLiteInt32, kTfLiteFloat32},
      {{2}, {2}, kTfLiteInt8, kTfLiteInt8, kTfLiteInt8},
      {{1 << 20, 1}, {1, 1 << 20}, kTfLiteFloat32, kTfLiteFloat32, kTfLiteFloat32},
  };
  for (const Bad& bad : cases) {
    OpRunner run(AddRegistration(OpForm::kOptimized), &params);
    run.EmptyInput(bad.a, bad.type_a);
    run.EmptyInput(bad.b, bad.type_b);
    run.Output(bad.type_out);
    EXPECT_EQ(run.Prepare(), kTfLiteError);
    EXPECT_EQ(run.error().rfind("ADD: ", 0), 0u) << run.error();
  }
  OpRunner no_options(LeakyReluRegistration(OpForm::kOptimized));
  no_options.EmptyInput({2}, kTfLiteFloat32);
  no_options.Output();
  EXPECT_EQ(no_options.Prepare(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
