// SPDX-License-Identifier: Apache-2.0
// SOFTMAX in every form: values, ranks, beta, extremes, and refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
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

TEST(Softmax, BadOperandsAreErrors) {
  TfLiteSoftmaxParams params{1};
  OpRunner scalar(SoftmaxRegistration(OpForm::kFast), &params);
  scalar.EmptyInput({}, kTfLiteFloat32);
  scalar.Output();
  EXPECT_EQ(scalar.Prepare(), kTfLiteError);
  OpRunner type(SoftmaxRegistration(OpForm::kFast), &params);
  type.EmptyInput({2}, kTfLiteInt8);
  type.Output();
  EXPECT_EQ(type.Prepare(), kTfLiteError);
  EXPECT_EQ(type.error(), "SOFTMAX: type INT8 is not supported yet (input)");
}

}  // namespace
}  // namespace tern::testing
