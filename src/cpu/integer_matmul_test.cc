// SPDX-License-Identifier: Apache-2.0
// Every integer kernel against fast loops, bit for bit, at sizes off the width of vectors.
#include "cpu/matmul.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "cpu/instruction_set.h"
#include "cpu/integer_depthwise.h"

namespace tern {
namespace {

class IntegerKernelsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!HasOptimizedKernels())
      GTEST_SKIP() << "no optimized kernels on this processor or in this build";
  }
  int Random(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  template <class T>
  std::vector<T> Numbers(int64_t count) {
    std::vector<T> numbers(static_cast<size_t>(count));
    const int low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    // A quarter of them extreme.
    for (T& n : numbers) {
      const int kind = Random(0, 7);
      n = static_cast<T>(kind == 0 ? low : (kind == 1 ? high : Random(low, high)));
    }
    return numbers;
  }

  // A convolution whose image is one row of `pixels` pixels, so a product of matrices.
  template <class A, class W>
  void CheckMatrix(int64_t pixels, int64_t depth, int64_t columns, int32_t zero,
                   int32_t weight_zero, bool transposed, ThreadPool* pool);
  template <class T>
  void CheckDepthwise(const ConvShape& shape, int32_t zero);

  std::minstd_rand engine_{7};
};

template <class T>
IntegerType TypeOf() {
  if (sizeof(T) == 2) return IntegerType::kInt16;
  return std::is_signed_v<T> ? IntegerType::kInt8 : IntegerType::kUInt8;
}

template <class Sum>
OutputStage SumsTo(Sum* output, int64_t columns, const std::vector<int32_t>& starts) {
  OutputStage stage;
  stage.wide = sizeof(Sum) == 8;
  stage.starts = starts.data();
  stage.output = output;
  stage.columns = columns;
  return stage;
}

template <class A, class W>
void IntegerKernelsTest::CheckMatrix(int64_t pixels, int64_t depth, int64_t columns, int32_t zero,
                                     int32_t weight_zero, bool transposed, ThreadPool* pool) {
  SCOPED_TRACE(::testing::Message() << pixels << " x " << depth << " x " << columns << ", zero "
                                    << zero << ", " << weight_zero);
  const std::vector<A> a = Numbers<A>(pixels * depth);
  const std::vector<W> w = Numbers<W>(columns * depth);
  std::vector<int32_t> bias(static_cast<size_t>(columns));
  for (int32_t& b : bias) b = Random(-100000, 100000);
  constexpr bool shorts = sizeof(A) == 2, is_unsigned = std::is_unsigned_v<W>;
  const auto matrix = IntegerMatrix::Pack(
      {w.data(), is_unsigned, 1, columns, depth, transposed, shorts, weight_zero}, nullptr);
  ASSERT_NE(matrix, nullptr);
  using Sum = std::conditional_t<shorts, int64_t, int32_t>;
  std::vector<Sum> got(static_cast<size_t>(pixels * columns), -1);
  const LeftView left = {MatrixShape(pixels, depth, columns), a.data(), TypeOf<A>(), zero};
  const std::vector<int32_t> starts =
      SumStarts(matrix->sums(), bias.data(), MatrixZeroPoint(*matrix, left));
  const OutputStage stage = SumsTo(got.data(), columns, starts);
  ASSERT_TRUE((MatMul{left, *matrix, stage}.Run(pool)));
  for (int64_t p = 0; p < pixels; ++p) {
    for (int64_t c = 0; c < columns; ++c) {
      int64_t want = shorts ? 0 : bias[c];
      for (int64_t k = 0; k < depth; ++k) {
        const int64_t weight = w[transposed ? k * columns + c : c * depth + k];
        want += (int64_t{a[p * depth + k]} - zero) * (weight - weight_zero);
      }
      ASSERT_EQ(got[p * columns + c], static_cast<Sum>(want)) << p << ", " << c;
    }
  }
}

TEST_F(IntegerKernelsTest, ProductsOfMatrices) {
  for (const int64_t depth : {1, 3, 5, 27, 64, 300, 1030}) {
    for (const int64_t columns : {1, 3, 7, 16, 17, 33, 70}) {
      const int64_t pixels = (depth + columns) % 16 + (depth == 27 ? 130 : 1);
      CheckMatrix<int8_t, int8_t>(pixels, depth, columns, -128, 0, false, nullptr);
      CheckMatrix<int8_t, int8_t>(pixels, depth, columns, 127, 0, true, nullptr);
      CheckMatrix<uint8_t, uint8_t>(pixels, depth, columns, 255, 0, false, nullptr);
      CheckMatrix<uint8_t, uint8_t>(pixels, depth, columns, 3, 255, true, nullptr);
      CheckMatrix<int16_t, int8_t>(pixels, depth, columns, 0, 0, false, nullptr);
    }
  }
}

TEST_F(IntegerKernelsTest, ProductsOnThreads) {
  ThreadPool pool(3);
  for (int64_t rows = 1; rows <= 20; ++rows) {
    CheckMatrix<int8_t, int8_t>(rows, 520, 64 * 5 + 3, 5, 0, false, &pool);
  }
  CheckMatrix<uint8_t, uint8_t>(1000, 64, 33, 5, 77, false, &pool);
}

template <class T>
void IntegerKernelsTest::CheckDepthwise(const ConvShape& shape, int32_t zero) {
  const int64_t channels = shape.OutChannels(), taps = shape.Depth();
  SCOPED_TRACE(::testing::Message() << channels << " channels, zero " << zero);
  const WindowAxis &h = shape.height, &w = shape.width;
  const std::vector<T> in = Numbers<T>(shape.batch * h.in * w.in * shape.groups);
  std::vector<int16_t> weights(static_cast<size_t>(taps * channels));
  for (int16_t& v : weights) v = static_cast<int16_t>(Random(-128, sizeof(T) == 2 ? 127 : 255));
  std::vector<int32_t> bias(static_cast<size_t>(channels), 17);
  std::vector<int32_t> got(static_cast<size_t>(shape.OutPixels() * channels), -1);
  ThreadPool pool(2);
  const auto packed = PackDepthwise(weights.data(), taps, channels);
  const std::vector<int32_t> starts = SumStarts(packed->sums, bias.data(), zero);
  ASSERT_TRUE(RunIntegerDepthwise({shape, in.data(), TypeOf<T>(), zero}, *packed,
                                  SumsTo(got.data(), channels, starts), &pool));
  for (int64_t p = 0; p < shape.OutPixels(); ++p) {
    const int64_t x = p % w.out * w.stride - w.pad_before;
    const int64_t y = p / w.out % h.out * h.stride - h.pad_before;
    for (int64_t c = 0; c < channels; ++c) {
      int64_t want = 17;
      for (int64_t t = 0; t < taps; ++t) {
        const int64_t xi = x + t % w.filter * w.dilation, yi = y + t / w.filter * h.dilation;
        if (xi < 0 || yi < 0 || xi >= w.in || yi >= h.in) continue;
        const int64_t pixel = (p / (w.out * h.out) * h.in + yi) * w.in + xi;
        want += (int64_t{in[pixel * shape.groups + c / shape.group_out]} - zero) *
                weights[t * channels + c];
      }
      ASSERT_EQ(got[p * channels + c], static_cast<int32_t>(want)) << p << ", " << c;
    }
  }
}

TEST_F(IntegerKernelsTest, DepthwiseConvolutions) {
  for (const int64_t channels : {2, 3, 4, 7, 8, 15, 16, 17, 33, 64, 70}) {
    for (const int64_t multiplier : {1, 3}) {
      ConvShape shape;
      shape.batch = 2;
      shape.groups = channels;
      shape.group_out = multiplier;
      shape.height = {.in = 7, .filter = 3, .stride = 2, .out = 4, .pad_before = 1};
      shape.width = {.in = 9, .filter = 5, .stride = 1, .dilation = 2, .out = 9, .pad_before = 4};
      CheckDepthwise<int8_t>(shape, -128);
      CheckDepthwise<int8_t>(shape, 127);
      CheckDepthwise<uint8_t>(shape, 255);
      CheckDepthwise<uint8_t>(shape, 0);
      CheckDepthwise<int16_t>(shape, 0);
    }
  }
}

int32_t Requantized(int32_t sum, int32_t value, int left, int right) {
  const auto shifted = static_cast<int32_t>(static_cast<uint32_t>(sum) << left);
  // Ties of the product go up, ties of the shift away from zero.
  const auto product = static_cast<int32_t>((int64_t{shifted} * value + (int64_t{1} << 30)) >> 31);
  return static_cast<int32_t>(std::round(std::ldexp(static_cast<double>(product), -right)));
}

TEST_F(IntegerKernelsTest, Requantization) {
  constexpr int64_t kRows = 3, kUnits = 45, kStride = 48, kPadded = 64;
  for (int round = 0; round < 400; ++round) {
    std::vector<int32_t> value(kPadded), left(kPadded), right(kPadded), sums(kRows * kPadded);
    const bool any_left = round % 4 == 0, fast = round % 4 == 1;
    for (int64_t c = 0; c < kPadded; ++c) {
      value[c] = Random(0, 9) == 0 ? 0 : Random(1 << 30, INT32_MAX);
      if (Random(0, 9) == 0) value[c] = 1 << 30;
      right[c] = Random(0, 31);
      if (any_left && c % 2 == 0) left[c] = Random(0, 31);
      if (left[c] != 0) right[c] = 0;
      if (fast) right[c] = Random(1, 22);
    }
    const int bits = Random(1, fast ? 29 : 31);
    for (int32_t& s : sums) {
      const int kind = Random(0, 15);
      s = Random(INT32_MIN, INT32_MAX) >> (31 - bits);
      if (kind == 0) s = INT32_MIN >> (fast ? 2 : 0);
      if (kind == 1) s = INT32_MAX >> (fast ? 2 : 0);
      if (kind == 2) s = -1;
    }
    const int32_t zero = Random(-128, 127);
    std::vector<int64_t> start(kPadded, kNoFusedForm);
    for (size_t c = 0; fast && c < kPadded; ++c) {
      start[c] =
          ((int64_t{1} << (right[c] - 1)) + (int64_t{zero} << right[c])) * (int64_t{1} << 31) +
          (int64_t{1} << 30);
    }
    std::vector<int8_t> got(kRows * kUnits, 99);
    OutputStage stage;
    stage.zero_point = zero;
    stage.range = {-100, 120};
    stage.arrays = {value, left, right, any_left, value, right, start};
    stage.output = got.data();
    stage.columns = kUnits;
    GetIntegerKernels()->fixed_point(stage, {sums.data(), kStride, 0, kRows, 0, kUnits});
    for (int64_t i = 0; i < kRows * kUnits; ++i) {
      const int64_t c = i % kUnits;
      const int64_t scaled =
          Requantized(sums[i / kUnits * kStride + c], value[c], left[c], right[c]);
      ASSERT_EQ(got[i], std::clamp<int64_t>(scaled + zero, -100, 120)) << i;
    }
  }
}

TEST_F(IntegerKernelsTest, RowsTimesWeightsAsTheyLie) {
  for (const int64_t depth : {1, 7, 31, 32, 33, 100, 9000}) {
    for (const int64_t units : {1, 4, 7}) {
      const int64_t rows = depth % 7 + 1;
      const std::vector<int16_t> a = Numbers<int16_t>(rows * depth);
      const std::vector<int8_t> w = Numbers<int8_t>(units * depth);
      for (const bool is_unsigned : {false, true}) {
        std::vector<int64_t> got(static_cast<size_t>(rows * units));
        GetIntegerKernels()->dots(a.data(), rows, w.data(), is_unsigned, units, depth, got.data(),
                                  units);
        for (int64_t i = 0; i < rows * units; ++i) {
          int64_t want = 0;
          for (int64_t k = 0; k < depth; ++k) {
            const int8_t weight = w[i % units * depth + k];
            want += int64_t{a[i / units * depth + k]} *
                    (is_unsigned ? int{static_cast<uint8_t>(weight)} : int{weight});
          }
          ASSERT_EQ(got[i], want) << depth << ", " << i;
        }
      }
    }
  }
}

TEST_F(IntegerKernelsTest, FloatsBecomeIntegers) {
  const IntegerKernels& kernels = *GetIntegerKernels();
  std::vector<float> values;
  for (int i = -700; i <= 700; ++i) values.push_back(static_cast<float>(i) * 0.25f);
  values.push_back(std::nextafter(0.5f, 0.0f));
  float low = 0, high = 0;
  EXPECT_TRUE(kernels.float_range(values.data(), static_cast<int64_t>(values.size()), &low, &high));
  EXPECT_EQ(low, -175.0f);
  EXPECT_EQ(high, 175.0f);
  std::vector<int16_t> got(values.size());
  kernels.quantize(values.data(), static_cast<int64_t>(values.size()), 1.0f, -128, 100, got.data());
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(got[i], std::clamp(std::round(values[i]), -128.0f, 100.0f)) << values[i];
  }
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    for (const size_t at : {size_t{0}, size_t{5}, values.size() - 1}) {
      std::vector<float> some = values;
      some[at] = bad;
      EXPECT_FALSE(
          kernels.float_range(some.data(), static_cast<int64_t>(some.size()), &low, &high));
    }
  }
}

}  // namespace
}  // namespace tern
