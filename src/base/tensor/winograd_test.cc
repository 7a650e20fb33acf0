// SPDX-License-Identifier: Apache-2.0
// The matrices give the results of plain sums.
#include "base/tensor/winograd.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace tern::winograd {
namespace {

// left * middle * left^T.
template <int rows, int columns>
void Transform(const double (&left)[rows][columns], const double (&middle)[columns][columns],
               double (&to)[rows][rows]) {
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) {
      to[i][j] = 0;
      for (int k = 0; k < columns; ++k) {
        for (int l = 0; l < columns; ++l) to[i][j] += left[i][k] * middle[k][l] * left[j][l];
      }
    }
  }
}

TEST(Winograd, GivesTheResultsOfPlainSums) {
  constexpr double kTolerance = 1e-13;
  uint32_t state = 1;
  const auto next = [&] {
    state = state * 1664525 + 1013904223;
    return static_cast<double>(state >> 8) / (1 << 23) - 1;
  };
  double input[kPoints][kPoints], taps[kFilter][kFilter];
  for (auto& row : input) {
    for (double& v : row) v = next();
  }
  for (auto& row : taps) {
    for (double& v : row) v = next();
  }
  double d[kPoints][kPoints], g[kPoints][kPoints], products[kPoints][kPoints], got[kTile][kTile];
  Transform(kInputRows, input, d);
  Transform(kFilterRows, taps, g);
  for (int i = 0; i < kPoints; ++i) {
    for (int j = 0; j < kPoints; ++j) products[i][j] = d[i][j] * g[i][j];
  }
  Transform(kOutputRows, products, got);
  for (int y = 0; y < kTile; ++y) {
    for (int x = 0; x < kTile; ++x) {
      double want = 0;
      for (int i = 0; i < kFilter; ++i) {
        for (int j = 0; j < kFilter; ++j) want += taps[i][j] * input[y + i][x + j];
      }
      EXPECT_NEAR(got[y][x], want, kTolerance) << y << ", " << x;
    }
  }
}

}  // namespace
}  // namespace tern::winograd
