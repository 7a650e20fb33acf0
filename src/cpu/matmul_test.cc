// SPDX-License-Identifier: Apache-2.0
// Float products and depthwise convolutions against sums in double precision.
#include "cpu/matmul.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "cpu/float_depthwise.h"
#include "cpu/instruction_set.h"
#include "cpu/packed_cache.h"

namespace tern {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr FloatRange kAll = {-kInfinity, kInfinity};

std::vector<float> Numbers(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> range(-1, 1);
  std::vector<float> numbers(static_cast<size_t>(count));
  for (float& n : numbers) n = range(random);
  return numbers;
}

WindowAxis Axis(int64_t in, int64_t filter, int64_t stride, int64_t dilation, int64_t before,
                int64_t after) {
  WindowAxis axis{in, filter, stride, dilation};
  axis.pad_before = before;
  axis.pad_after = after;
  axis.out = (in + before + after - axis.Extent()) / stride + 1;
  return axis;
}

struct Case {
  ConvShape shape;
  bool depthwise = false;
};

// Each result, and what rounding may add to it.
void Check(const Case& c, ThreadPool* pool) {
  const ConvShape& s = c.shape;
  const int64_t out = s.OutChannels(), in = s.InChannels();
  const std::vector<float> input = Numbers(s.batch * s.height.in * s.width.in * in, 1);
  const std::vector<float> filter = Numbers(out * s.Depth(), 2), bias = Numbers(out, 3);
  std::vector<float> output(static_cast<size_t>(s.OutPixels() * out), -100.0f);
  FloatProduct product;
  const FloatWeights weights = {filter.data(), bias.data(), true, c.depthwise};
  const FloatRange clamp = {-0.75f, 0.9f};
  ASSERT_TRUE(c.depthwise && s.groups > 1
                  ? RunFloatDepthwise(s, filter.data(), bias.data(), input.data(), clamp,
                                      output.data(), pool)
                  : product.Run({s, input.data()}, weights,
                                OutputStage::Clamp(clamp, output.data(), out), pool));
  const auto tap = [&](int64_t o, int64_t y, int64_t x, int64_t k) {
    const int64_t at = c.depthwise
                           ? (y * s.width.filter + x) * out + o
                           : ((o * s.height.filter + y) * s.width.filter + x) * s.group_in + k;
    return filter[static_cast<size_t>(at)];
  };
  for (int64_t pixel = 0; pixel < s.OutPixels(); ++pixel) {
    const int64_t item = pixel / (s.height.out * s.width.out);
    const auto ys = s.height.TapsAt(pixel / s.width.out % s.height.out);
    const auto xs = s.width.TapsAt(pixel % s.width.out);
    for (int64_t o = 0; o < out; ++o) {
      double sum = bias[static_cast<size_t>(o)], terms = std::fabs(sum);
      for (int64_t y = ys.begin; y < ys.end; ++y) {
        for (int64_t x = xs.begin; x < xs.end; ++x) {
          const int64_t row = ys.position + (y - ys.begin) * s.height.dilation;
          const int64_t column = xs.position + (x - xs.begin) * s.width.dilation;
          const int64_t first = ((item * s.height.in + row) * s.width.in + column) * in +
                                o / s.group_out * s.group_in;
          for (int64_t k = 0; k < s.group_in; ++k) {
            const double term = double{input[static_cast<size_t>(first + k)]} * tap(o, y, x, k);
            sum += term;
            terms += std::fabs(term);
          }
        }
      }
      const double want = std::min(0.9, std::max(-0.75, sum));
      ASSERT_NEAR(output[static_cast<size_t>(pixel * out + o)], want,
                  4 * std::sqrt(double(s.Depth() + 1)) * std::ldexp(terms, -24) + 1e-7)
          << "pixel " << pixel << " channel " << o;
    }
  }
}

class FloatProductTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!HasOptimizedKernels())
      GTEST_SKIP() << "no optimized kernels on this processor or in this build";
  }
};

TEST_F(FloatProductTest, Pointwise) {
  ThreadPool pool(2);
  for (const int64_t columns : {1, 3, 8, 15, 16, 17, 24, 31, 40, 48, 65, 100, 128}) {
    for (const int64_t depth : {1, 3, 16, 33}) {
      for (const int64_t width : {1, 2, 5, 6, 7, 13, 14, 15, 29}) {
        Check({{1, 1, depth, columns, Axis(1, 1, 1, 1, 0, 0), Axis(width, 1, 1, 1, 0, 0)}},
              nullptr);
      }
    }
  }
  Check({{2, 1, 1024, 70, Axis(7, 1, 1, 1, 0, 0), Axis(7, 1, 1, 1, 0, 0)}}, &pool);
}

TEST_F(FloatProductTest, Windows) {
  ThreadPool pool(3);
  for (ThreadPool* threads : {static_cast<ThreadPool*>(nullptr), &pool}) {
    Check({{1, 1, 3, 24, Axis(17, 3, 2, 1, 0, 1), Axis(15, 3, 2, 1, 1, 1)}}, threads);
    Check({{2, 1, 5, 7, Axis(9, 5, 1, 1, 2, 2), Axis(11, 1, 1, 1, 0, 0)}}, threads);
    Check({{1, 1, 16, 33, Axis(19, 3, 1, 4, 4, 4), Axis(19, 3, 1, 2, 2, 2)}}, threads);
    Check({{1, 3, 4, 5, Axis(8, 3, 1, 1, 1, 1), Axis(8, 3, 2, 1, 1, 1)}}, threads);
    Check({{1, 1, 40, 50, Axis(30, 3, 1, 1, 1, 1), Axis(30, 3, 1, 1, 1, 1)}}, threads);
    Check({{1, 1, 2, 3, Axis(2, 7, 1, 1, 3, 3), Axis(3, 5, 3, 1, 4, 4)}}, threads);
  }
}

TEST_F(FloatProductTest, Depthwise) {
  ThreadPool pool(2);
  for (ThreadPool* threads : {static_cast<ThreadPool*>(nullptr), &pool}) {
    for (const int64_t channels : {1, 2, 3, 4, 5, 8, 9, 16, 17, 24, 33, 96}) {
      for (const int64_t multiplier : {1, 3}) {
        Check({{1, channels, 1, multiplier, Axis(9, 3, 1, 1, 1, 1), Axis(23, 3, 1, 1, 1, 1)}, true},
              threads);
        Check(
            {{2, channels, 1, multiplier, Axis(12, 3, 2, 1, 0, 1), Axis(11, 5, 2, 1, 2, 2)}, true},
            threads);
      }
      // Two rows at a time, without borders, and images that are smaller than that.
      Check({{3, channels, 1, 1, Axis(7, 3, 1, 1, 0, 0), Axis(8, 3, 1, 1, 0, 0)}, true}, threads);
      Check({{2, channels, 1, 1, Axis(2, 3, 1, 1, 1, 1), Axis(1, 3, 1, 1, 1, 1)}, true}, threads);
      Check({{1, channels, 1, 1, Axis(40, 3, 1, 1, 1, 1), Axis(6, 3, 1, 1, 2, 0)}, true}, threads);
      Check({{1, channels, 1, 1, Axis(5, 5, 1, 3, 6, 6), Axis(4, 3, 1, 4, 4, 4)}, true}, threads);
      Check({{1, channels, 1, 1, Axis(1, 1, 1, 1, 0, 0), Axis(1, 1, 1, 1, 0, 0)}, true}, threads);
    }
  }
}

TEST_F(FloatProductTest, MatricesBothWays) {
  ThreadPool pool(2);
  for (const bool transposed : {false, true}) {
    for (const int64_t rows : {1, 2, 3, 4, 20}) {
      for (const int64_t columns : {1, 5, 64, 131}) {
        const int64_t depth = 77;
        const std::vector<float> a = Numbers(rows * depth, 1), b = Numbers(depth * columns, 2);
        std::vector<float> out(static_cast<size_t>(rows * columns));
        FloatProduct product;
        const LeftView left = {MatrixShape(rows, depth, columns), a.data()};
        const FloatWeights right = {b.data(), nullptr, false, transposed};
        const FloatMatrix* packed = product.PackMatrix(left.shape, right, &pool);
        EXPECT_EQ(packed == nullptr, !transposed && rows < 3);
        ASSERT_TRUE(FloatProduct::RunMatrix(packed, left, right,
                                            OutputStage::Clamp(kAll, out.data(), columns), &pool));
        for (int64_t i = 0; i < rows * columns; ++i) {
          double sum = 0;
          for (int64_t k = 0; k < depth; ++k) {
            const int64_t n = i % columns;
            sum += double{a[static_cast<size_t>(i / columns * depth + k)]} *
                   b[static_cast<size_t>(transposed ? k * columns + n : n * depth + k)];
          }
          ASSERT_NEAR(out[static_cast<size_t>(i)], sum, 1e-5);
        }
      }
    }
  }
}

TEST_F(FloatProductTest, NanStaysNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> input = {1, nan, 2, 3}, filter = {1, 1};
  std::vector<float> output(2);
  const ConvShape shape = {1, 1, 2, 1, Axis(1, 1, 1, 1, 0, 0), Axis(2, 1, 1, 1, 0, 0)};
  FloatProduct product;
  ASSERT_TRUE(product.Run({shape, input.data()}, {filter.data(), nullptr, false},
                          OutputStage::Clamp({0, 6}, output.data(), 1), nullptr));
  EXPECT_TRUE(std::isnan(output[0]));
  EXPECT_EQ(output[1], 5);
}

TEST_F(FloatProductTest, ConstantWeightsArePackedOncePerProcess) {
  const ConvShape shape = {1, 1, 8, 16, Axis(1, 1, 1, 1, 0, 0), Axis(4, 1, 1, 1, 0, 0)};
  const std::vector<float> input = Numbers(32, 1);
  std::vector<float> filter = Numbers(128, 2), first(64), second(64);
  const FloatWeights weights = {filter.data(), nullptr, true};
  const int64_t before = PackedCount();
  const LeftView left = {shape, input.data()};
  const OutputStage to_first = OutputStage::Clamp(kAll, first.data(), 16);
  const OutputStage to_second = OutputStage::Clamp(kAll, second.data(), 16);
  FloatProduct a, b;
  ASSERT_TRUE(a.Run(left, weights, to_first, nullptr));
  ASSERT_TRUE(a.Run(left, weights, to_first, nullptr));
  ASSERT_TRUE(b.Run(left, weights, to_second, nullptr));
  EXPECT_EQ(PackedCount(), before + 1);
  EXPECT_EQ(first, second);
  // Other values at the same address are another filter.
  filter[0] += 1;
  FloatProduct c;
  ASSERT_TRUE(c.Run(left, weights, to_second, nullptr));
  EXPECT_EQ(PackedCount(), before + 2);
  EXPECT_NE(first, second);
}

}  // namespace
}  // namespace tern
