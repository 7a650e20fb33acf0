// SPDX-License-Identifier: Apache-2.0
// aeq.hadamard_rotation against the matrix, and which elements it leaves alone.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/testing/flex_options.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

// The first `rotated` elements change.
void Check(const std::vector<int>& shape, int size, size_t rotated) {
  int64_t count = 1;
  for (const int n : shape) count *= n;
  const std::vector<float> x = Random(3).Floats(count);
  OpRunner run(HadamardRotationRegistration(OpForm::kOptimized), nullptr, 2);
  run.SetCustomOptions(IntegerOptions({{"hadamard_size", size}}));
  run.Input(shape, x);
  run.Output();
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.OutputShape(), Shape(shape.begin(), shape.end()));
  const std::vector<float> got = run.Values();
  const auto n = static_cast<size_t>(size);
  for (size_t i = 0; i < x.size(); ++i) {
    double want = x[i];
    if (i < rotated) {
      want = 0;
      for (size_t k = 0; k < n; ++k) {
        const bool minus = std::popcount(k & i % n) % 2 != 0;
        want += (minus ? -1 : 1) * double{x[i / n * n + k]} / std::sqrt(size);
      }
    }
    EXPECT_NEAR(got[i], want, 2e-6) << i;
  }
}

TEST(HadamardRotation, PiecesOfRows) {
  Check({3, 8}, 8, 24);
  Check({3, 8}, 4, 24);
  Check({3, 8}, 1, 24);
  Check({2, 3, 16}, 2, 96);
  Check({0, 8}, 8, 0);
}

TEST(HadamardRotation, WhatIsLeftOver) {
  Check({2, 12}, 8, 16);       // one whole piece per row, from the first element on
  Check({2, 3, 2, 4}, 8, 0);   // the second axis holds no piece
  Check({2, 9, 2, 4}, 8, 16);  // and here one per entry of the first
}

TEST(HadamardRotation, BadOptionsAreErrors) {
  for (const int size : {-8, 0, 3}) {
    OpRunner run(HadamardRotationRegistration(OpForm::kOptimized));
    run.SetCustomOptions(IntegerOptions({{"hadamard_size", size}}));
    run.Input({1, 8}, std::vector<float>(8));
    run.Output();
    EXPECT_EQ(run.Prepare(), kTfLiteError);
    EXPECT_EQ(run.error(), "aeq.hadamard_rotation: hadamard_size must be a power of two (" +
                               std::to_string(size) + ")");
  }
  OpRunner rank(HadamardRotationRegistration(OpForm::kOptimized));
  rank.SetCustomOptions(IntegerOptions({{"hadamard_size", 8}}));
  rank.Input({8}, std::vector<float>(8));
  rank.Output();
  EXPECT_EQ(rank.Prepare(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
