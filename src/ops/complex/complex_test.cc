// SPDX-License-Identifier: Apache-2.0
// REAL, IMAG, COMPLEX_ABS and RFFT2D, and BUCKETIZE.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

TEST(ComplexParts, BothWidths) {
  const std::vector<float> pairs = {3, -4, 0, 5, -1, 0};
  const std::vector<double> wide(pairs.begin(), pairs.end());
  const struct {
    TfLiteRegistration (*op)(OpForm);
    std::vector<float> want;
  } cases[] = {{RealRegistration, {3, 0, -1}},
               {ImagRegistration, {-4, 5, 0}},
               {ComplexAbsRegistration, {5, 5, 1}}};
  for (const auto& c : cases) {
    OpRunner run(c.op(OpForm::kReference));
    run.InputAs(kTfLiteComplex64, {3, 1}, pairs);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values(), c.want);
    OpRunner doubles(c.op(OpForm::kReference));
    doubles.InputAs(kTfLiteComplex128, {3}, wide);
    doubles.Output(kTfLiteFloat64);
    ASSERT_EQ(doubles.Run(), kTfLiteOk) << doubles.error();
    EXPECT_EQ(doubles.Values<double>(), std::vector<double>(c.want.begin(), c.want.end()));
    doubles.output().type = kTfLiteFloat32;
    EXPECT_EQ(doubles.Prepare(), kTfLiteError);
  }
}

void CheckTransform(int images, int height, int width, int rows, int columns,
                    TfLiteAllocationType where) {
  const std::vector<float> x = Random(1).Floats(images * height * width, -2, 2);
  OpRunner run(Rfft2dRegistration(OpForm::kReference));
  run.Input({images, height, width}, x);
  run.Input<int32_t>({2}, {rows, columns}, where);
  run.Output(kTfLiteComplex64);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  const int kept = columns / 2 + 1;
  ASSERT_EQ(run.OutputShape(), (Shape{images, rows, kept}));
  const std::vector<float> got = run.Values();
  for (int i = 0; i < images * rows * kept; ++i) {
    const int image = i / (rows * kept), v = i / kept % rows, u = i % kept;
    std::complex<double> sum = 0;
    for (int y = 0; y < std::min(height, rows); ++y) {
      for (int xx = 0; xx < std::min(width, columns); ++xx) {
        const double turns = double(v) * y / rows + double(u) * xx / columns;
        sum += double{x[static_cast<size_t>((image * height + y) * width + xx)]} *
               std::polar(1.0, -2 * std::acos(-1.0) * turns);
      }
    }
    EXPECT_NEAR(got[static_cast<size_t>(2 * i)], sum.real(), 1e-4);
    EXPECT_NEAR(got[static_cast<size_t>(2 * i + 1)], sum.imag(), 1e-4);
  }
}

TEST(Rfft2d, CutAndFilledImages) {
  CheckTransform(1, 4, 8, 4, 8, kTfLiteMmapRo);
  CheckTransform(3, 5, 7, 4, 4, kTfLiteArenaRw);
  CheckTransform(2, 3, 3, 8, 16, kTfLiteMmapRo);
  CheckTransform(1, 1, 2, 1, 2, kTfLiteMmapRo);
  CheckTransform(0, 4, 4, 4, 4, kTfLiteMmapRo);
  const std::vector<int32_t> bad[] = {{3, 4}, {4, 6}, {0, 4}, {4, 0}, {-4, 4}, {4, 1}};
  for (const auto& lengths : bad) {
    OpRunner run(Rfft2dRegistration(OpForm::kReference));
    run.Input<float>({2, 2}, {1, 2, 3, 4});
    run.Input({2}, lengths, kTfLiteMmapRo);
    run.Output(kTfLiteComplex64);
    EXPECT_EQ(run.Run(), kTfLiteError);
  }
}

// Of rows that repeat all but every eighth number of the transform vanish, and so does what is
// imaginary where a number is its own conjugate.
TEST(Rfft2d, SumsThatCancelAreExactlyZero) {
  for (const int n : {4, 8, 16, 64}) {
    const std::vector<float> random = Random(n).Floats(n * n, -9, 9);
    std::vector<float> repeated;
    for (int i = 0; i < n * n; ++i) repeated.push_back(std::round(random[i % std::min(n, 8)]));
    const std::vector<float>* const images[] = {&repeated, &random};
    for (const std::vector<float>* x : images) {
      OpRunner run(Rfft2dRegistration(OpForm::kReference));
      run.Input({n, n}, *x);
      run.Input<int32_t>({2}, {n, n});
      run.Output(kTfLiteComplex64);
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      const std::vector<float> got = run.Values();
      const int kept = n / 2 + 1;
      for (int v = 0; v < n; ++v) {
        for (int u = 0; u < kept; ++u) {
          const size_t at = static_cast<size_t>(2 * (v * kept + u));
          if (v % (n / 2) == 0 && u % (n / 2) == 0) {
            EXPECT_EQ(got[at + 1], 0);
          }
          if (x == &random || (v == 0 && u % std::max(n / 8, 1) == 0)) continue;
          EXPECT_EQ(got[at], 0) << n << ", " << v << ", " << u;
          EXPECT_EQ(got[at + 1], 0) << n << ", " << v << ", " << u;
        }
      }
    }
  }
}

TEST(Bucketize, BoundariesBelongToTheUpperBucket) {
  const float boundaries[] = {-2.5f, 0, 0, 3};
  TfLiteBucketizeParams params{4, boundaries};
  OpRunner run(BucketizeRegistration(OpForm::kReference), &params);
  run.Input<float>({2, 3}, {-3, -2.5f, -1, 0, 3, std::nanf("")});
  run.Output(kTfLiteInt32);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values<int32_t>(), (std::vector<int32_t>{0, 1, 1, 3, 4, 4}));
  OpRunner integers(BucketizeRegistration(OpForm::kReference), &params);
  integers.Input<int64_t>({3}, {INT64_MIN, 0, INT64_MAX});
  integers.Output(kTfLiteInt32);
  ASSERT_EQ(integers.Run(), kTfLiteOk) << integers.error();
  EXPECT_EQ(integers.Values<int32_t>(), (std::vector<int32_t>{0, 3, 4}));
  const float unsorted[] = {1, 0};
  params = {2, unsorted};
  EXPECT_EQ(integers.Prepare(), kTfLiteError);
  params = {2, nullptr};
  EXPECT_EQ(integers.Prepare(), kTfLiteError);
  params = {0, nullptr};
  EXPECT_EQ(integers.Run(), kTfLiteOk);
}

}  // namespace
}  // namespace tern::testing
