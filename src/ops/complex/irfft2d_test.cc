// SPDX-License-Identifier: Apache-2.0
// Irfft2d: turns RFFT2D back, cuts and fills as it does, and bad lengths.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

TEST(Irfft2d, TurnsRfft2dBack) {
  const std::vector<std::vector<int>> shapes = {{1, 2}, {1, 8}, {2, 2}, {4, 8}, {16, 4}};
  for (const auto& shape : shapes) {
    const std::vector<float> x = Random(1).Floats(3 * shape[0] * shape[1], -2, 2);
    OpRunner there(Rfft2dRegistration(OpForm::kOptimized));
    there.Input({3, shape[0], shape[1]}, x);
    there.Input<int32_t>({2}, {shape[0], shape[1]});
    there.Output(kTfLiteComplex64);
    ASSERT_EQ(there.Run(), kTfLiteOk) << there.error();
    for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
      OpRunner back(Irfft2dRegistration(OpForm::kOptimized), nullptr, 2);
      // A double has the size of a complex number.
      back.InputAs(kTfLiteComplex64, {3, shape[0], shape[1] / 2 + 1}, there.Values<double>());
      back.Input<int32_t>({2}, {shape[0], shape[1]}, where);
      back.Output();
      ASSERT_EQ(back.Run(), kTfLiteOk) << back.error();
      EXPECT_EQ(back.OutputShape(), (Shape{3, shape[0], shape[1]}));
      const std::vector<float> got = back.Values();
      ASSERT_EQ(got.size(), x.size());
      for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(got[i], x[i], 1e-6);
    }
  }
}

// Numbers of the columns that are their own mirrors count once: the upper rows of the first and the
// lower ones of the last column.
TEST(Irfft2d, CutsFillsAndMirrors) {
  constexpr int kHeight = 3, kWidth = 4, kRows = 4, kColumns = 8, kKept = 5;
  const std::vector<float> in = Random(2).Floats(2 * kHeight * kWidth, -2, 2);
  OpRunner run(Irfft2dRegistration(OpForm::kOptimized));
  std::vector<double> pairs(kHeight * kWidth);
  std::memcpy(pairs.data(), in.data(), in.size() * sizeof(float));
  run.InputAs(kTfLiteComplex64, {kHeight, kWidth}, pairs);
  run.Input<int32_t>({2}, {kRows, kColumns});
  run.Output();
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  std::complex<double> whole[kRows][kColumns] = {};
  for (int v = 0; v < kHeight; ++v) {
    for (int u = 0; u < kWidth; ++u) {
      const auto at = static_cast<size_t>(2 * (v * kWidth + u));
      whole[v][u] = {in[at], in[at + 1]};
    }
  }
  whole[3][0] = std::conj(whole[1][0]);
  for (const int v : {0, 2}) whole[v][0] = whole[v][0].real();
  for (int v = 0; v < kRows; ++v) {
    for (int u = kKept; u < kColumns; ++u) {
      whole[v][u] = std::conj(whole[(kRows - v) % kRows][kColumns - u]);
    }
  }
  const std::vector<float> got = run.Values();
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kColumns; ++x) {
      std::complex<double> sum = 0;
      for (int v = 0; v < kRows; ++v) {
        for (int u = 0; u < kColumns; ++u) {
          const double turns = double(v) * y / kRows + double(u) * x / kColumns;
          sum += whole[v][u] * std::polar(1.0, 2 * std::acos(-1.0) * turns);
        }
      }
      EXPECT_NEAR(sum.imag(), 0, 1e-9);
      EXPECT_NEAR(got[static_cast<size_t>(y * kColumns + x)], sum.real() / (kRows * kColumns),
                  1e-6);
    }
  }
}

TEST(Irfft2d, BadLengthsAreErrors) {
  for (const std::vector<int32_t>& lengths :
       std::vector<std::vector<int32_t>>{{3, 4}, {4, 0}, {-4, 4}, {4, 1}}) {
    OpRunner run(Irfft2dRegistration(OpForm::kOptimized));
    run.InputAs<double>(kTfLiteComplex64, {1, 1}, {0});
    run.Input<int32_t>({2}, lengths);
    run.Output();
    EXPECT_EQ(run.Run(), kTfLiteError);
  }
}

}  // namespace
}  // namespace tern::testing
