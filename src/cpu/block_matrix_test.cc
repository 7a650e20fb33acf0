// SPDX-License-Identifier: Apache-2.0
// Weights of few bits with scales by block against plain loops in double.
#include "cpu/block_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "cpu/instruction_set.h"

namespace tern {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Product {
  int bits = 4;
  int64_t rows = 1, units = 1, depth = 32, block = 32;
  bool biased = true, extreme = false;
  float low = -kInfinity, high = kInfinity;
};

class BlockMatrixTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!HasOptimizedKernels())
      GTEST_SKIP() << "no optimized kernels on this processor or in this build";
  }
  int Random(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  std::vector<float> Floats(int64_t count, float low, float high) {
    std::vector<float> values(static_cast<size_t>(count));
    for (float& v : values) v = std::uniform_real_distribution<float>(low, high)(engine_);
    return values;
  }
  void Check(const Product& p, ThreadPool* pool = nullptr);

 private:
  std::minstd_rand engine_{7};
};

void BlockMatrixTest::Check(const Product& p, ThreadPool* pool) {
  SCOPED_TRACE(::testing::Message() << p.bits << " bits, " << p.rows << " x " << p.depth << " x "
                                    << p.units << ", blocks of " << p.block);
  const int64_t blocks = p.depth / p.block;
  const int min = -(1 << (p.bits - 1)), max = -min - 1;
  std::vector<int> w(static_cast<size_t>(p.units * p.depth));
  std::vector<uint8_t> packed(w.size() * p.bits / 8, 0);
  for (size_t i = 0; i < w.size(); ++i) {
    w[i] = p.extreme ? (i % 2 == 0 ? max : min) : Random(min, max);
    const size_t bit = i * p.bits;
    packed[bit / 8] |= static_cast<uint8_t>((w[i] & (max - min)) << (bit % 8));
  }
  std::vector<int8_t> x(static_cast<size_t>(p.rows * p.depth));
  for (int8_t& v : x) v = static_cast<int8_t>(p.extreme ? -128 : Random(-128, 127));
  const std::vector<float> scales = Floats(p.units * blocks, 0.01f, 0.1f);
  const std::vector<float> bias = Floats(p.units, -1, 1), row_scale = Floats(p.rows, 0.01f, 0.02f);
  std::vector<int32_t> zero(static_cast<size_t>(p.rows));
  for (int32_t& z : zero) z = p.extreme ? 127 : Random(-128, 127);
  const auto matrix =
      BlockMatrix::Pack({packed.data(), p.bits, p.units, p.depth, p.block,
                         [&](int64_t unit, int64_t b) { return scales[unit * blocks + b]; }},
                        pool);
  ASSERT_NE(matrix, nullptr);
  std::vector<float> got(static_cast<size_t>(p.rows * p.units), -77);
  ASSERT_TRUE(matrix->Multiply({x.data(), row_scale.data(), zero.data(), p.rows},
                               p.biased ? bias.data() : nullptr, p.low, p.high, got.data(), pool));
  for (int64_t r = 0; r < p.rows; ++r) {
    for (int64_t u = 0; u < p.units; ++u) {
      // Sums of products and sums of weights are rounded apart, before they are put together.
      double sum = 0, magnitude = 0;
      for (int64_t i = 0; i < p.depth; ++i) {
        const double weight =
            w[u * p.depth + i] * double{scales[u * blocks + i / p.block]} * row_scale[r];
        sum += (x[r * p.depth + i] - zero[r]) * weight;
        magnitude += (std::abs(x[r * p.depth + i]) + std::abs(zero[r])) * std::fabs(weight);
      }
      if (p.biased) sum += bias[u];
      const double want = std::clamp<double>(sum, p.low, p.high);
      const double tolerance =
          static_cast<double>(blocks + 4) * std::ldexp(magnitude + std::fabs(sum), -24);
      ASSERT_NEAR(got[r * p.units + u], want, tolerance) << r << ", " << u;
    }
  }
}

TEST_F(BlockMatrixTest, BlocksOfEverySize) {
  for (const int64_t block : {8, 16, 24, 32, 40, 64, 128, 256, 1024}) {
    for (const int64_t blocks : {1, 2, 5}) {
      Check({.rows = blocks, .units = 19, .depth = block * blocks, .block = block});
    }
  }
}

TEST_F(BlockMatrixTest, RowsAndUnitsOffTheWidthOfVectors) {
  for (const int64_t units : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 33}) {
    for (int64_t rows = 1; rows <= 9; ++rows) {
      Check({.rows = rows, .units = units, .depth = 96, .block = 32, .biased = rows % 2 == 0});
    }
  }
}

TEST_F(BlockMatrixTest, WeightsOfTwoBits) {
  Check({.bits = 2, .rows = 3, .units = 21, .depth = 128, .block = 32});
  Check({.bits = 2, .rows = 1, .units = 8, .depth = 64, .block = 8});
}

TEST_F(BlockMatrixTest, LargestNumbersFit) {
  for (const int64_t block : {32, 128, 4096, 65536}) {
    Check({.rows = 2, .units = 9, .depth = block, .block = block, .extreme = true});
  }
}

TEST_F(BlockMatrixTest, ResultsAreClamped) {
  Check({.rows = 5, .units = 30, .depth = 64, .block = 32, .low = 0, .high = 0.5f});
}

TEST_F(BlockMatrixTest, Threads) {
  ThreadPool pool(3);
  Check({.rows = 40, .units = 200, .depth = 512, .block = 128}, &pool);
  Check({.rows = 1, .units = 515, .depth = 512, .block = 64}, &pool);
}

TEST_F(BlockMatrixTest, NothingIsPackedWithoutAnOptimizedKernel) {
  EXPECT_TRUE(BlockMatrix::Suits(4, 128, 64));
  EXPECT_FALSE(BlockMatrix::Suits(8, 128, 64));
  EXPECT_FALSE(BlockMatrix::Suits(4, 128, 4));
  EXPECT_FALSE(BlockMatrix::Suits(4, 128, 48));
  EXPECT_FALSE(BlockMatrix::Suits(4, 128, 0));
  EXPECT_FALSE(BlockMatrix::Suits(4, 0, 32));
  EXPECT_FALSE(BlockMatrix::Suits(4, kMaxBlock * 2, kMaxBlock * 2));
}

}  // namespace
}  // namespace tern
