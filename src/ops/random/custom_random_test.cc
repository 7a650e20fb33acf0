// SPDX-License-Identifier: Apache-2.0
// The custom forms of random ops: the numbers of the C++ library's generator, ranges, and operands
// that do not fit.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"

namespace tern::testing {
namespace {

template <class T, template <class> class Distribution>
void CheckReals(TfLiteRegistration (*registration)(OpForm), TfLiteType type) {
  for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
    OpRunner run(registration(OpForm::kOptimized));
    run.Input<int32_t>({2}, {3, 5}, where);
    run.Output(type);
    ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
    std::default_random_engine generator;
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
      EXPECT_EQ(run.OutputShape(), (Shape{3, 5}));
      Distribution<T> distribution;
      for (const T v : run.Values<T>()) EXPECT_EQ(v, distribution(generator));
    }
  }
}

TEST(CustomRandom, Reals) {
  CheckReals<float, std::uniform_real_distribution>(CustomRandomUniformRegistration,
                                                    kTfLiteFloat32);
  CheckReals<double, std::uniform_real_distribution>(CustomRandomUniformRegistration,
                                                     kTfLiteFloat64);
  CheckReals<float, std::normal_distribution>(CustomRandomStandardNormalRegistration,
                                              kTfLiteFloat32);
  CheckReals<double, std::normal_distribution>(CustomRandomStandardNormalRegistration,
                                               kTfLiteFloat64);
}

template <class T>
std::string Integers(int64_t min, int64_t max, TfLiteType type, std::vector<T>& values) {
  OpRunner run(CustomRandomUniformIntRegistration(OpForm::kOptimized));
  run.Input<int64_t>({1}, {1000});
  run.Input<int64_t>({}, {min});
  run.Input<int64_t>({}, {max});
  run.Output(type);
  if (run.Run() != kTfLiteOk) return run.error();
  values = run.Values<T>();
  return "";
}

template <class T>
void CheckRange(T min, T max, TfLiteType type) {
  std::vector<T> values;
  ASSERT_EQ(Integers(min, max, type, values), "");
  for (const T v : values) EXPECT_TRUE(v >= min && v <= max);
  EXPECT_NE(std::count(values.begin(), values.end(), min), 0);
  EXPECT_NE(std::count(values.begin(), values.end(), max), 0) << "the largest is among them";
}

TEST(CustomRandom, Integers) {
  CheckRange<int8_t>(-3, 5, kTfLiteInt8);
  CheckRange<int32_t>(-1, 1, kTfLiteInt32);
  CheckRange<int64_t>(int64_t{1} << 40, (int64_t{1} << 40) + 7, kTfLiteInt64);
  std::vector<int8_t> bytes;
  EXPECT_EQ(Integers(3, 3, kTfLiteInt8, bytes),
            "RandomUniformInt: the least number must be below the largest (3, 3)");
  EXPECT_EQ(Integers(0, 128, kTfLiteInt8, bytes),
            "RandomUniformInt: the numbers do not fit INT8 (0, 128)");
  EXPECT_NE(Integers(0, 1, kTfLiteInt16, bytes), "");
}

TEST(CustomRandom, BadShapesAreErrors) {
  OpRunner run(CustomRandomUniformRegistration(OpForm::kOptimized));
  run.Input<int32_t>({1}, {-1});
  run.Output();
  EXPECT_EQ(run.Run(), kTfLiteError);
}

template <class Real>
std::string Classes(const std::vector<Real>& logits, int32_t count, std::vector<int64_t>& values) {
  OpRunner run(CustomMultinomialRegistration(OpForm::kOptimized));
  run.Input({1, static_cast<int>(logits.size())}, logits);
  run.Input<int32_t>({}, {count}, kTfLiteMmapRo);
  run.Output(kTfLiteInt64);
  if (run.Run() != kTfLiteOk) return run.error();
  EXPECT_EQ(run.OutputShape(), (Shape{1, count}));
  values = run.Values<int64_t>();
  return "";
}

TEST(CustomMultinomial, OftenAsLogitsSay) {
  constexpr int kCount = 100000;
  std::vector<int64_t> values;
  ASSERT_EQ(
      Classes<float>({std::log(0.5f), -INFINITY, std::log(0.3f), std::log(0.2f)}, kCount, values),
      "");
  double found[4] = {};
  for (const int64_t v : values) found[v] += 1.0 / kCount;
  EXPECT_NEAR(found[0], 0.5, 0.01);
  EXPECT_EQ(found[1], 0);
  EXPECT_NEAR(found[2], 0.3, 0.01);
  ASSERT_EQ(Classes<double>({-1e308, 700}, 10, values), "");
  EXPECT_EQ(values, std::vector<int64_t>(10, 1));
}

TEST(CustomMultinomial, BadOperandsAreErrors) {
  std::vector<int64_t> values;
  EXPECT_EQ(Classes<float>({1, NAN}, 1, values), "Multinomial: a logit of row 0 is not a number");
  EXPECT_NE(Classes<float>({1, INFINITY}, 1, values), "");
  EXPECT_NE(Classes<float>({}, 1, values), "");
  EXPECT_EQ(Classes<float>({1}, -1, values), "Multinomial: count must not be negative (-1)");
}

}  // namespace
}  // namespace tern::testing
