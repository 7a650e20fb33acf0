// SPDX-License-Identifier: Apache-2.0
// One-operand elementwise ops on the CPU: functions, number types, and refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/tensor/half.h"
#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/operand_scales.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

constexpr float kPositiveInfinity = std::numeric_limits<float>::infinity();
using Make = TfLiteRegistration (*)(OpForm);

std::vector<float> RunFloats(Make make, const std::vector<float>& in, void* params = nullptr) {
  OpRunner run(make(OpForm::kOptimized), params);
  run.Input({static_cast<int>(in.size())}, in);
  run.Output();
  EXPECT_EQ(run.Run(), kTfLiteOk) << run.error();
  return run.Values();
}

struct UnaryCase {
  const char* name;
  Make make;
  double (*truth)(double);
  double low, high;
};

const UnaryCase kUnaryCases[] = {
    {"ABS", AbsRegistration, [](double v) { return std::fabs(v); }, -9, 9},
    {"CEIL", CeilRegistration, [](double v) { return std::ceil(v); }, -9, 9},
    {"COS", CosRegistration, [](double v) { return std::cos(v); }, -9, 9},
    {"ELU", EluRegistration, [](double v) { return v < 0 ? std::expm1(v) : v; }, -9, 9},
    {"EXP", ExpRegistration, [](double v) { return std::exp(v); }, -9, 9},
    {"FLOOR", FloorRegistration, [](double v) { return std::floor(v); }, -9, 9},
    {"HARD_SWISH", HardSwishRegistration,
     [](double v) { return v * std::min(std::max(v + 3, 0.0), 6.0) / 6; }, -9, 9},
    {"LOG", LogRegistration, [](double v) { return std::log(v); }, 0.01, 9},
    {"NEG", NegRegistration, [](double v) { return -v; }, -9, 9},
    {"RELU_0_TO_1", Relu0To1Registration, [](double v) { return std::min(std::max(v, 0.0), 1.0); },
     -3, 3},
    {"RELU_N1_TO_1", ReluN1To1Registration,
     [](double v) { return std::min(std::max(v, -1.0), 1.0); }, -3, 3},
    {"ROUND", RoundRegistration, [](double v) { return std::nearbyint(v); }, -9, 9},
    {"RSQRT", RsqrtRegistration, [](double v) { return 1 / std::sqrt(v); }, 0.01, 9},
    {"SIGN", SignRegistration, [](double v) { return v > 0 ? 1.0 : (v < 0 ? -1.0 : 0.0); }, -9, 9},
    {"SIN", SinRegistration, [](double v) { return std::sin(v); }, -9, 9},
    {"SQRT", SqrtRegistration, [](double v) { return std::sqrt(v); }, 0, 9},
    {"SQUARE", SquareRegistration, [](double v) { return v * v; }, -9, 9},
    {"TANH", TanhRegistration, [](double v) { return std::tanh(v); }, -9, 9},
};

TEST(Unary, FloatsInEveryForm) {
  Random random(3);
  for (const UnaryCase& c : kUnaryCases) {
    for (const int size : {0, 1, 5, 40000}) {
      const std::vector<float> in = random.Floats(size, c.low, c.high);
      for (const Way& way : kWays) {
        OpRunner run(c.make(way.form), nullptr, way.threads);
        run.Input({size}, in);
        run.Output();
        ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
        const std::vector<float> got = run.Values();
        for (size_t i = 0; i < got.size(); ++i) {
          const double want = c.truth(in[i]);
          ASSERT_NEAR(got[i], want, 4e-7 * std::max(1.0, std::fabs(want)))
              << c.name << " of " << in[i] << ", " << way.name;
        }
      }
    }
  }
}

TEST(Unary, NarrowFloats) {
  Random random(4);
  for (const UnaryCase& c : kUnaryCases) {
    const std::vector<float> in = random.Floats(700, c.low, c.high);
    std::vector<uint16_t> halves, bfloats;
    for (const float v : in) {
      halves.push_back(FloatToHalf(v));
      bfloats.push_back(FloatToBfloat16(v));
    }
    for (const TfLiteType type : {kTfLiteFloat16, kTfLiteBFloat16}) {
      const bool is_half = type == kTfLiteFloat16;
      OpRunner run(c.make(OpForm::kOptimized));
      run.InputAs(type, {700}, is_half ? halves : bfloats);
      run.Output(type);
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      const std::vector<uint16_t> got = run.Values<uint16_t>();
      for (size_t i = 0; i < got.size(); ++i) {
        const float v = is_half ? HalfToFloat(halves[i]) : Bfloat16ToFloat(bfloats[i]);
        const double want = c.truth(v);
        const float result = is_half ? HalfToFloat(got[i]) : Bfloat16ToFloat(got[i]);
        ASSERT_NEAR(result, want, std::fabs(want) * (is_half ? 6e-4 : 5e-3) + 1e-7) << c.name;
      }
    }
  }
}

TEST(Unary, Gelu) {
  const std::vector<float> in = {-10, -3, -1, -0.0f, 0, 0.5f, 2, 6, 1e30f};
  for (const bool approximate : {false, true}) {
    TfLiteGeluParams params{approximate};
    const std::vector<float> got = RunFloats(GeluRegistration, in, &params);
    for (size_t i = 0; i < in.size(); ++i) {
      const double v = in[i];
      const double inner = 0.7978845608 * (v + 0.044715 * v * v * v);
      const double want =
          approximate ? 0.5 * v * (1 + std::tanh(inner)) : 0.5 * v * std::erfc(-v / std::sqrt(2.0));
      EXPECT_NEAR(got[i], want, 2e-6 + 1e-6 * std::fabs(want)) << v;
    }
  }
}

TEST(Unary, TiesInfinitiesAndNan) {
  EXPECT_EQ(RunFloats(RoundRegistration, {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, 0.49999997f}),
            (std::vector<float>{0, 2, 2, 0, -2, 0}));
  EXPECT_EQ(RunFloats(ReluN1To1Registration, {-kPositiveInfinity, kPositiveInfinity}),
            (std::vector<float>{-1, 1}));
  EXPECT_EQ(RunFloats(RsqrtRegistration, {0, kPositiveInfinity}),
            (std::vector<float>{kPositiveInfinity, 0}));
  for (const UnaryCase& c : kUnaryCases) {
    EXPECT_TRUE(std::isnan(RunFloats(c.make, {std::nanf("")})[0])) << c.name;
  }
}

template <class T>
std::vector<T> RunIntegers(Make make, const std::vector<T>& in, TfLiteType type) {
  OpRunner run(make(OpForm::kOptimized));
  run.Input({static_cast<int>(in.size())}, in);
  run.Output(type);
  EXPECT_EQ(run.Run(), kTfLiteOk) << run.error();
  return run.Values<T>();
}

TEST(Unary, PlainIntegersWrap) {
  EXPECT_EQ(RunIntegers<int8_t>(NegRegistration, {-128, 5, 0}, kTfLiteInt8),
            (std::vector<int8_t>{-128, -5, 0}));
  EXPECT_EQ(RunIntegers<int64_t>(NegRegistration, {INT64_MIN, 1}, kTfLiteInt64),
            (std::vector<int64_t>{INT64_MIN, -1}));
  EXPECT_EQ(RunIntegers<int32_t>(AbsRegistration, {INT32_MIN, -7, 7}, kTfLiteInt32),
            (std::vector<int32_t>{INT32_MIN, 7, 7}));
  EXPECT_EQ(RunIntegers<int16_t>(AbsRegistration, {-7, 7}, kTfLiteInt16),
            (std::vector<int16_t>{7, 7}));
  EXPECT_EQ(RunIntegers<int32_t>(SignRegistration, {-7, 0, 9}, kTfLiteInt32),
            (std::vector<int32_t>{-1, 0, 1}));
  EXPECT_EQ(RunIntegers<double>(SignRegistration, {-0.5, 0, 9}, kTfLiteFloat64),
            (std::vector<double>{-1, 0, 1}));
}

TEST(Unary, LogicalNot) {
  OpRunner run(LogicalNotRegistration(OpForm::kOptimized));
  run.InputAs<uint8_t>(kTfLiteBool, {3}, {0, 1, 2});
  run.Output(kTfLiteBool);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values<uint8_t>(), (std::vector<uint8_t>{1, 0, 0}));
}

TEST(Unary, BadOperandsAreErrors) {
  for (const UnaryCase& c : kUnaryCases) {
    OpRunner text(c.make(OpForm::kOptimized));
    text.EmptyInput({2}, kTfLiteString);
    text.Output(kTfLiteString);
    EXPECT_EQ(text.Prepare(), kTfLiteError) << c.name;
    EXPECT_EQ(text.error().rfind(std::string(c.name) + ": ", 0), 0u) << text.error();
    OpRunner mixed(c.make(OpForm::kOptimized));
    mixed.EmptyInput({2}, kTfLiteFloat32);
    mixed.Output(kTfLiteInt8);
    EXPECT_EQ(mixed.Prepare(), kTfLiteError) << c.name;
    OpRunner two(c.make(OpForm::kOptimized));
    two.EmptyInput({2}, kTfLiteFloat32);
    two.EmptyInput({2}, kTfLiteFloat32);
    two.Output();
    EXPECT_EQ(two.Prepare(), kTfLiteError) << c.name;
    OpRunner absent(c.make(OpForm::kOptimized));
    absent.AbsentInput();
    absent.Output();
    EXPECT_EQ(absent.Prepare(), kTfLiteError) << c.name;
  }
  OpRunner no_scale(AbsRegistration(OpForm::kOptimized));
  no_scale.EmptyInput({2}, kTfLiteInt8);
  no_scale.Output(kTfLiteInt8);
  EXPECT_EQ(no_scale.Prepare(), kTfLiteError);
  OpRunner no_options(GeluRegistration(OpForm::kOptimized));
  no_options.EmptyInput({2}, kTfLiteFloat32);
  no_options.Output();
  EXPECT_EQ(no_options.Prepare(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
