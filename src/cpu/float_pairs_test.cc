// SPDX-License-Identifier: Apache-2.0
// Pairs of floats: special numbers, limits, operands that stay, ends of rows.
#include "cpu/float_pairs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "cpu/instruction_set.h"

namespace tern {
namespace {

struct Case {
  PairFunction function;
  std::function<float(float, float)> exact;
};

const std::vector<Case>& Cases() {
  static const std::vector<Case> cases = {
      {PairFunction::kAdd, [](float v, float w) { return v + w; }},
      {PairFunction::kDiv, [](float v, float w) { return v / w; }},
      {PairFunction::kMaximum, [](float v, float w) { return v > w || std::isnan(v) ? v : w; }},
      {PairFunction::kMinimum, [](float v, float w) { return v < w || std::isnan(v) ? v : w; }},
      {PairFunction::kMul, [](float v, float w) { return v * w; }},
      {PairFunction::kPrelu, [](float v, float w) { return v < 0 ? v * w : v; }},
      {PairFunction::kSquaredDifference, [](float v, float w) { return (v - w) * (v - w); }},
      {PairFunction::kSub, [](float v, float w) { return v - w; }},
  };
  return cases;
}

bool Same(float a, float b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

TEST(FloatPairs, AreTheScalarOnes) {
  if (!HasOptimizedKernels()) GTEST_SKIP() << "no vectors";
  const float numbers[] = {0.0f,   -0.0f,    1.5f,      -2.5f, 1e-42f, 3e38f,
                           -3e38f, INFINITY, -INFINITY, NAN,   7.25f};
  std::vector<float> a, b;
  for (const float v : numbers) {
    for (const float w : numbers) {
      a.push_back(v);
      b.push_back(w);
    }
  }
  const auto max = static_cast<int64_t>(a.size());
  for (const Case& c : Cases()) {
    for (const int64_t count : {max, int64_t{1}, int64_t{7}, int64_t{16}, int64_t{33}}) {
      for (const int moves : {1, 2, 3}) {
        for (const float limit : {INFINITY, 6.0f}) {
          std::vector<float> out(a.size() + 1, 9.0f);
          FastPairs(c.function)(a.data(), (moves & 1) != 0, b.data(), (moves & 2) != 0, out.data(),
                                count, -limit, limit);
          for (int64_t i = 0; i < count; ++i) {
            const float v = c.exact(a[(moves & 1) != 0 ? i : 0], b[(moves & 2) != 0 ? i : 0]);
            const float want = v < -limit ? -limit : (v > limit ? limit : v);
            ASSERT_TRUE(Same(out[i], want))
                << static_cast<int>(c.function) << " of " << a[i] << ", " << b[i] << ": " << out[i];
          }
          EXPECT_EQ(out[count], 9.0f);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tern
