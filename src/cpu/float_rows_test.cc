// SPDX-License-Identifier: Apache-2.0
// Functions of float rows against the same in double, over every exponent and every length of a
// row's end.
#include "cpu/float_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "cpu/instruction_set.h"

namespace tern {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Numbers of both signs in every binade, denormal ones included, and the special ones.
std::vector<float> Numbers() {
  std::vector<float> numbers = {0.0f, -0.0f, kInfinity, -kInfinity, std::nanf("")};
  for (int exponent = -149; exponent < 128; ++exponent) {
    for (int i = 0; i < 37; ++i) {
      const float v = std::ldexp(1.0f + static_cast<float>(i) / 37.0f, exponent);
      numbers.push_back(v);
      numbers.push_back(-v);
    }
  }
  for (int i = -4000; i < 4000; ++i) numbers.push_back(static_cast<float>(i) * 0.0263f);
  return numbers;
}

struct Case {
  FloatFunction function;
  std::function<double(double)> exact;
  double ulps;
};

const double kSlope = -0.3;

double Clamp(double v, double low, double high) { return v < low ? low : (v > high ? high : v); }

// The product comes first, as in the reference, and may be infinite.
double HardSwish(double v) {
  const double product = v * Clamp(v + 3, 0, 6);
  const bool fits = !(product > std::numeric_limits<float>::max());
  return fits ? product / 6 : std::numeric_limits<double>::infinity();
}

std::vector<Case> Cases() {
  return {
      {FloatFunction::kAbs, [](double v) { return std::fabs(v); }, 0},
      {FloatFunction::kElu, [](double v) { return v < 0 ? std::expm1(v) : v; }, 3},
      {FloatFunction::kExp, [](double v) { return std::exp(v); }, 2},
      {FloatFunction::kHardSwish, HardSwish, 3},
      {FloatFunction::kLeakyRelu, [](double v) { return v < 0 ? float(kSlope) * v : v; }, 0.5},
      {FloatFunction::kLogistic, [](double v) { return 1 / (1 + std::exp(-v)); }, 3},
      {FloatFunction::kNeg, [](double v) { return -v; }, 0},
      {FloatFunction::kRelu, [](double v) { return v < 0 ? 0 : v; }, 0},
      {FloatFunction::kRelu0To1, [](double v) { return Clamp(v, 0, 1); }, 0},
      {FloatFunction::kRelu6, [](double v) { return Clamp(v, 0, 6); }, 0},
      {FloatFunction::kReluN1To1, [](double v) { return Clamp(v, -1, 1); }, 0},
      {FloatFunction::kRsqrt, [](double v) { return 1 / std::sqrt(v); }, 1.5},
      {FloatFunction::kSqrt, [](double v) { return std::sqrt(v); }, 0.5},
      {FloatFunction::kSquare, [](double v) { return v * v; }, 0.5},
      {FloatFunction::kTanh, [](double v) { return std::tanh(v); }, 3},
  };
}

// How far `got` lies from `want` in units of the last place of want.
double Ulps(float got, double want) {
  const auto nearest = static_cast<float>(want);
  if (std::isnan(want)) return std::isnan(got) ? 0 : kInfinity;
  if (std::isinf(nearest) || std::isinf(got)) return got == nearest ? 0 : kInfinity;
  const int exponent = std::max(std::ilogb(nearest == 0 ? 1e-45f : nearest), -126);
  return std::fabs(got - want) / std::ldexp(1.0, exponent - 23);
}

TEST(FloatRows, WithinTheLastPlaces) {
  if (!HasOptimizedKernels()) GTEST_SKIP() << "no vectors";
  const std::vector<float> in = Numbers();
  for (const Case& c : Cases()) {
    std::vector<float> out(in.size());
    FastFunction(c.function)(in.data(), out.data(), static_cast<int64_t>(in.size()),
                             static_cast<float>(kSlope));
    for (size_t i = 0; i < in.size(); ++i) {
      // The sum within hard swish and the numbers that a clamp in float meets are floats.
      if (c.function == FloatFunction::kHardSwish && std::fabs(in[i]) < 3 && in[i] < -2.9f) {
        continue;
      }
      // Results below the normal range: logistic's are 0.
      const double want = c.exact(double{in[i]});
      if (c.function == FloatFunction::kLogistic && std::fabs(want) < 1.2e-38) {
        EXPECT_LT(out[i], 1.2e-38f) << in[i];
        continue;
      }
      ASSERT_LE(Ulps(out[i], want), c.ulps) << "function " << static_cast<int>(c.function) << " of "
                                            << in[i] << ": " << out[i] << ", not " << want;
    }
  }
}

TEST(FloatRows, KeepTheSignOfZero) {
  if (!HasOptimizedKernels()) GTEST_SKIP() << "no vectors";
  const float zero = -0.0f;
  for (const auto function : {FloatFunction::kTanh, FloatFunction::kElu, FloatFunction::kRelu,
                              FloatFunction::kRelu6, FloatFunction::kLeakyRelu}) {
    float out = 1;
    FastFunction(function)(&zero, &out, 1, 0.5f);
    EXPECT_TRUE(out == 0 && std::signbit(out)) << static_cast<int>(function);
  }
}

// Rows of each length write themselves and nothing after them.
TEST(FloatRows, Ends) {
  if (!HasOptimizedKernels()) GTEST_SKIP() << "no vectors";
  for (int64_t count = 0; count < 70; ++count) {
    std::vector<float> in(static_cast<size_t>(count)), out(in.size() + 40, 7.0f);
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i) + 0.5f;
    FastFunction(FloatFunction::kNeg)(in.data(), out.data(), count, 0);
    for (size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], i < in.size() ? -in[i] : 7.0f);
  }
}

TEST(FloatRows, Softmax) {
  if (!HasOptimizedKernels()) GTEST_SKIP() << "no vectors";
  for (const float beta : {1.0f, 0.25f}) {
    for (int64_t count = 1; count < 70; ++count) {
      std::vector<float> in(static_cast<size_t>(count)), out(in.size() + 1, 7.0f), logs = out;
      double max = -1e9, sum = 0, log_sum = 0;
      for (size_t i = 0; i < in.size(); ++i) {
        in[i] = std::sin(static_cast<float>(i * 7 + 1)) * 20 - 30;
        max = std::max(max, double{in[i]});
      }
      for (const float v : in) sum += std::exp(double{beta} * (double{v} - max));
      for (const float v : in) log_sum += std::exp(double{v} - max);
      FastSoftmax()(in.data(), out.data(), count, beta);
      FastLogSoftmax()(in.data(), logs.data(), count);
      for (size_t i = 0; i < in.size(); ++i) {
        const double exact = std::exp(double{beta} * (double{in[i]} - max)) / sum;
        EXPECT_NEAR(out[i], exact, exact * 4e-6) << count;
        EXPECT_NEAR(logs[i], double{in[i]} - max - std::log(log_sum), 6e-6) << count;
      }
      EXPECT_EQ(out.back(), 7.0f);
      EXPECT_EQ(logs.back(), 7.0f);
    }
  }
}

TEST(FloatRows, SoftmaxOfSpecialNumbers) {
  if (!HasOptimizedKernels()) GTEST_SKIP() << "no vectors";
  const float nan = std::nanf("");
  for (const float special : {nan, kInfinity}) {
    for (size_t at = 0; at < 19; ++at) {
      std::vector<float> row(19, 1.0f), out(19), logs(19);
      row[at] = special;
      FastSoftmax()(row.data(), out.data(), 19, 1.0f);
      FastLogSoftmax()(row.data(), logs.data(), 19);
      EXPECT_TRUE(std::isnan(out[at]) && std::isnan(logs[at])) << at;
    }
  }
  std::vector<float> row(19, -kInfinity), out(19);
  row[3] = 1.0f;
  FastSoftmax()(row.data(), out.data(), 19, 1.0f);
  for (size_t i = 0; i < row.size(); ++i) EXPECT_EQ(out[i], i == 3 ? 1.0f : 0.0f);
}

}  // namespace
}  // namespace tern
