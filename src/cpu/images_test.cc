// SPDX-License-Identifier: Apache-2.0
// Pooling, resizing, sums and transposition against loops over single numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "cpu/instruction_set.h"
#include "cpu/pool.h"
#include "cpu/resize.h"
#include "cpu/sums.h"
#include "cpu/transpose.h"

namespace tern {
namespace {

template <class T>
std::vector<T> RandomNumbers(int64_t count) {
  std::mt19937 random(3);
  std::vector<T> numbers(static_cast<size_t>(count));
  for (T& v : numbers) {
    const auto bits = static_cast<uint8_t>(random() >> 8);
    v = std::is_same_v<T, float> ? static_cast<T>(bits / 16.0f - 8.0f) : static_cast<T>(bits);
  }
  return numbers;
}

// A window of 3 x 2 pixels in lines of 5.
template <class T, class Limit, class Exact>
void CheckPool(PoolKernel<T, Limit> form, Limit low, Limit high, const Exact& exact) {
  const double tolerance = std::is_same_v<T, float> ? 1e-5 : 0;
  for (int64_t channels = 1; channels < 140; ++channels) {
    const std::vector<T> in = RandomNumbers<T>(3 * 5 * channels);
    std::vector<T> out(static_cast<size_t>(channels) + 1, T{9});
    form({in.data() + channels, 3, 2, 5 * channels, channels}, out.data(), low, high);
    for (int64_t c = 0; c < channels; ++c) {
      std::vector<double> numbers;
      for (int y = 0; y < 3; ++y) {
        for (int x = 1; x < 3; ++x) numbers.push_back(in[(y * 5 + x) * channels + c]);
      }
      const double want =
          std::clamp<double>(exact(numbers), static_cast<double>(low), static_cast<double>(high));
      ASSERT_NEAR(static_cast<double>(out[c]), want, tolerance) << channels << " channels";
    }
    EXPECT_EQ(out.back(), T{9});
  }
}

double Largest(const std::vector<double>& v) { return *std::max_element(v.begin(), v.end()); }
double Mean(const std::vector<double>& v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}
double RoundedMean(const std::vector<double>& v) { return std::round(Mean(v)); }
double Length(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum / static_cast<double>(v.size()));
}

TEST(FastPool, Windows) {
  if (!HasOptimizedKernels()) GTEST_SKIP() << "no vectors";
  CheckPool<float>(FastFloatPool(PoolKind::kAverage), -INFINITY, INFINITY, Mean);
  CheckPool<float>(FastFloatPool(PoolKind::kMax), 0.0f, 6.0f, Largest);
  CheckPool<float>(FastFloatPool(PoolKind::kL2), -INFINITY, INFINITY, Length);
  CheckPool<int8_t>(FastSignedPool(PoolKind::kAverage), -128, 127, RoundedMean);
  CheckPool<int8_t>(FastSignedPool(PoolKind::kMax), -128, 90, Largest);
  CheckPool<uint8_t>(FastUnsignedPool(PoolKind::kAverage), 3, 200, RoundedMean);
  CheckPool<uint8_t>(FastUnsignedPool(PoolKind::kMax), 0, 255, Largest);
  EXPECT_EQ(FastSignedPool(PoolKind::kL2), nullptr);
}

// The largest windows: sums near 2^23 and quotients beside integers.
TEST(FastPool, LargeWindowsOfBytes) {
  if (!HasOptimizedKernels()) GTEST_SKIP() << "no vectors";
  for (const int64_t pixels : {kMaxPooledBytes, kMaxPooledBytes - 1, int64_t{32749}}) {
    for (int64_t ones = 0; ones < 40; ++ones) {
      std::vector<uint8_t> in(static_cast<size_t>(pixels), 255);
      for (int64_t i = 0; i < pixels / 2 - 20 + ones; ++i) in[i] = 254;
      const int64_t sum = std::accumulate(in.begin(), in.end(), int64_t{0});
      uint8_t out = 0;
      FastUnsignedPool(PoolKind::kAverage)({in.data(), 1, pixels, 0, 1}, &out, 0, 255);
      ASSERT_EQ(out, (sum + pixels / 2) / pixels) << pixels << " " << ones;
    }
  }
}

TEST(FastPool, NaN) {
  if (!HasOptimizedKernels()) GTEST_SKIP() << "no vectors";
  const std::vector<float> in = {1, NAN, 3, 4, 5, -INFINITY};  // three pixels of two channels
  float out[2];
  FastFloatPool(PoolKind::kMax)({in.data(), 1, 3, 0, 2}, out, -INFINITY, INFINITY);
  EXPECT_EQ(out[0], 5);
  EXPECT_EQ(out[1], 4);
  FastFloatPool(PoolKind::kAverage)({in.data(), 1, 3, 0, 2}, out, -INFINITY, INFINITY);
  EXPECT_EQ(out[0], 3);
  EXPECT_TRUE(std::isnan(out[1]));
}

template <class T, class Number, class Exact>
void CheckResize(ResizeKernel<T, Number> form, Number one, double tolerance, const Exact& exact) {
  const std::vector<Number> fractions = {Number(0), Number(one / 4), Number(one * 3 / 8)};
  for (int64_t channels = kMinResizedChannels; channels < 70; ++channels) {
    const std::vector<T> in = RandomNumbers<T>(6 * channels);
    std::vector<PixelTap<Number>> taps;
    for (int64_t x = 0; x < 6; ++x) {
      taps.push_back({x / 3 * channels, (x / 3 + 1) * channels, fractions[x % 3]});
    }
    for (const Number fraction : fractions) {
      std::vector<T> out(static_cast<size_t>(6 * channels) + 1, T{9});
      const T *upper = in.data(), *lower = in.data() + 3 * channels;
      form({upper, lower, fraction, taps.data(), 6, channels}, out.data());
      for (int64_t i = 0; i < 6 * channels; ++i) {
        const PixelTap<Number>& tap = taps[i / channels];
        const int64_t c = i % channels;
        const double y = double(fraction) / double(one), x = double(tap.fraction) / double(one);
        const double sum = upper[tap.low + c] * (1 - y) * (1 - x) +
                           lower[tap.low + c] * y * (1 - x) + upper[tap.high + c] * (1 - y) * x +
                           lower[tap.high + c] * y * x;
        ASSERT_NEAR(static_cast<double>(out[i]), exact(sum), tolerance) << channels << " " << i;
      }
      EXPECT_EQ(out.back(), T{9});
    }
  }
}

TEST(FastResize, Rows) {
  if (!HasOptimizedKernels()) GTEST_SKIP() << "no vectors";
  CheckResize<float, float>(FastFloatResize(), 1.0f, 1e-5, [](double v) { return v; });
  CheckResize<uint8_t, float>(FastUnsignedResize(), 1.0f, 0,
                              [](double v) { return std::floor(v + 0.5); });
  CheckResize<int8_t, int32_t>(FastSignedResize(), 1024, 0, [](double v) { return std::round(v); });
}

TEST(FastSums, RowsAndLines) {
  if (!HasOptimizedKernels()) GTEST_SKIP() << "no vectors";
  const SumForms& forms = *FastSums();
  const std::vector<float> in = RandomNumbers<float>(20000);
  for (const int64_t count : {0, 1, 7, 16, 63, 64, 65, 1000, 20000}) {
    const double want = std::accumulate(in.begin(), in.begin() + count, 0.0);
    EXPECT_NEAR(forms.row(in.data(), count), want, 1e-9 + 1e-6 * static_cast<double>(count));
  }
  const std::vector<int64_t> offsets = {5, 700, 91, 4000};
  for (int64_t count = 1; count < 70; ++count) {
    std::vector<double> sums(static_cast<size_t>(count) + 1, 2.0);
    forms.add_lines(in.data(), offsets.data(), 4, count, sums.data());
    for (int64_t i = 0; i < count; ++i) {
      double want = 2;
      for (const int64_t offset : offsets) want += double{in[offset + i]};
      EXPECT_NEAR(sums[i], want, 1e-5);
    }
    EXPECT_EQ(sums.back(), 2.0);
  }
}

TEST(FastTranspose, Fours) {
  if (!HasOptimizedKernels()) GTEST_SKIP() << "no vectors";
  std::vector<uint32_t> from(40 * 50), to(40 * 50, 1000000);
  std::iota(from.begin(), from.end(), 0);
  FastTranspose()(from.data(), 50, to.data(), 40, 28, 36);
  for (int64_t i = 0; i < 50; ++i) {
    for (int64_t j = 0; j < 40; ++j) {
      EXPECT_EQ(to[i * 40 + j], i < 28 && j < 36 ? from[j * 50 + i] : 1000000u);
    }
  }
}

}  // namespace
}  // namespace tern
