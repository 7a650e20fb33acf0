// SPDX-License-Identifier: Apache-2.0
// Rows of bytes against their definition, number by number, to the last bit.
#include "cpu/byte_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "cpu/instruction_set.h"

namespace tern {
namespace {

// v * f / 2^(31 - shift) as the header says, in integers of 64 bits.
int64_t Scaled(int64_t v, const Multiplier& f) {
  const int left = std::max(f.shift, 0), right = std::max(-f.shift, 0);
  const int64_t product = (v * (int64_t{1} << left) * f.value + (int64_t{1} << 30)) >> 31;
  if (right == 0) return product;
  const int64_t half = int64_t{1} << (right - 1);
  return product >= 0 ? (product + half) >> right : -((-product + half) >> right);
}

template <class T>
T Limited(int64_t v, const BytePair& p) {
  return static_cast<T>(std::clamp<int64_t>(v + p.zero_out, p.low, p.high));
}

// All pairs of bytes, then ends of rows, each operand moving or not.
template <class T, class Pairs, class Form, class Exact>
void CheckPairs(const Pairs& pairs, Form form, const Exact& exact) {
  std::vector<T> a, b;
  for (int i = 0; i < 65536; ++i) {
    a.push_back(static_cast<T>(i & 255));
    b.push_back(static_cast<T>(i >> 8));
  }
  std::vector<T> out(a.size());
  form(pairs, a.data(), true, b.data(), true, out.data(), static_cast<int64_t>(a.size()));
  for (size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(int{out[i]}, int{exact(a[i], b[i])}) << int{a[i]} << ", " << int{b[i]};
  }
  for (int64_t count = 1; count < 70; ++count) {
    for (const int moves : {1, 2, 3}) {
      std::vector<T> row(static_cast<size_t>(count) + 70, T{9});
      const T *x = a.data() + 200, *y = b.data() + 70 * 256;
      form(pairs, x, (moves & 1) != 0, y, (moves & 2) != 0, row.data(), count);
      for (int64_t i = 0; i < static_cast<int64_t>(row.size()); ++i) {
        const T v = x[(moves & 1) != 0 ? i : 0], w = y[(moves & 2) != 0 ? i : 0];
        ASSERT_EQ(int{row[i]}, i < count ? int{exact(v, w)} : 9) << count << " " << moves;
      }
    }
  }
}

template <class T>
BytePair Zeros(int a, int b, int out) {
  constexpr int kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  return {kLow + a, kLow + b, kLow + out, kLow, kHigh};
}

template <class T>
void CheckSums() {
  const Multiplier half{1 << 30, 0};
  const Multiplier others[] = {
      half, {1 << 30, -1}, {1973741824, -3}, {2147483647, 0}, {1431655765, -20}, {0, 0}};
  // Sums of half steps make ties: with 2^-19 each odd sum is one.
  const Multiplier outs[] = {{1 << 30, -18}, {1 << 30, -17}, {1518500250, -18}, {1999999999, -16}};
  for (const Multiplier& other : others) {
    for (const Multiplier& out : outs) {
      for (const int form : {0, 1, 2, 3}) {
        ByteSum sum{Zeros<T>(3, 250, 128), (form & 1) != 0, half, other, out};
        if ((form & 2) != 0) std::swap(sum.scale_a, sum.scale_b);
        sum.pair.high -= form;
        ASSERT_TRUE(TakesSum(sum));
        CheckPairs<T>(sum, FastBytes<T>()->sum, [&](T v, T w) {
          const int64_t x = Scaled((int64_t{v} - sum.pair.zero_a) * (1 << 20), sum.scale_a);
          const int64_t y = Scaled((int64_t{w} - sum.pair.zero_b) * (1 << 20), sum.scale_b);
          return Limited<T>(Scaled(sum.subtract ? x - y : x + y, sum.scale_out), sum.pair);
        });
      }
    }
  }
}

TEST(ByteRows, Sums) {
  if (!HasOptimizedKernels()) GTEST_SKIP() << "no vectors";
  CheckSums<int8_t>();
  CheckSums<uint8_t>();
}

template <class T>
void CheckProducts() {
  const Multiplier factors[] = {{1 << 30, -7},   {1 << 30, -6},    {1518500250, -8},
                                {1999999999, 0}, {1234567890, 13}, {2147483647, -31},
                                {0, 0}};
  for (const Multiplier& factor : factors) {
    for (const int zero : {0, 128, 255}) {
      const ByteProduct product{Zeros<T>(zero, 255 - zero, 100), factor};
      ASSERT_TRUE(TakesProduct(product));
      CheckPairs<T>(product, FastBytes<T>()->product, [&](T v, T w) {
        const int64_t real =
            (int64_t{v} - product.pair.zero_a) * (int64_t{w} - product.pair.zero_b);
        return Limited<T>(Scaled(real, factor), product.pair);
      });
    }
  }
}

TEST(ByteRows, Products) {
  if (!HasOptimizedKernels()) GTEST_SKIP() << "no vectors";
  CheckProducts<int8_t>();
  CheckProducts<uint8_t>();
}

TEST(ByteRows, ScalesThatNeedMoreBits) {
  const Multiplier half{1 << 30, 0};
  EXPECT_FALSE(TakesSum({{}, true, half, half, {1 << 30, 1}}));
  EXPECT_FALSE(TakesSum({{}, true, half, {1 << 30, 1}, half}));
  EXPECT_FALSE(TakesSum({{}, true, {1 << 30, -1}, {1 << 30, -1}, half}));
  EXPECT_FALSE(TakesProduct({{}, {1 << 30, 14}}));
}

template <class T>
void CheckFloats() {
  constexpr int kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  std::vector<float> in = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e30f, -1e30f, 8388609.0f};
  for (int i = -700; i < 700; ++i) {
    const float tie = static_cast<float>(i) * 0.5f;
    for (const float v : {tie, std::nextafter(tie, 1e9f), std::nextafter(tie, -1e9f)}) {
      in.push_back(v);
      in.push_back(v * 0.037f);
    }
  }
  for (const float scale : {1.0f, 0.037f}) {
    for (const int zero : {kLow, kLow + 77, kHigh}) {
      std::vector<T> out(in.size());
      FastBytes<T>()->quantize(in.data(), out.data(), static_cast<int64_t>(in.size()), scale, zero,
                               kLow, kHigh);
      for (size_t i = 0; i < in.size(); ++i) {
        const float scaled = std::round(in[i] / scale) + static_cast<float>(zero);
        const float limited = !(scaled > kLow) ? kLow : std::min<float>(scaled, kHigh);
        ASSERT_EQ(int{out[i]}, static_cast<int>(limited)) << in[i] << " / " << scale;
      }
      std::vector<T> all(256);
      for (int i = 0; i < 256; ++i) all[i] = static_cast<T>(kLow + i);
      std::vector<float> real(256);
      FastBytes<T>()->dequantize(all.data(), real.data(), 256, scale, zero);
      for (int i = 0; i < 256; ++i) {
        ASSERT_EQ(real[i], static_cast<float>(double{scale} * (all[i] - zero)));
      }
    }
  }
}

TEST(ByteRows, Floats) {
  if (!HasOptimizedKernels()) GTEST_SKIP() << "no vectors";
  CheckFloats<int8_t>();
  CheckFloats<uint8_t>();
}

TEST(ByteRows, Tables) {
  std::mt19937 random(5);
  std::vector<uint8_t> table(256);
  for (uint8_t& v : table) v = static_cast<uint8_t>(random());
  for (const int64_t count : {0, 1, 15, 16, 31, 63, 64, 65, 130, 1000}) {
    std::vector<uint8_t> in(static_cast<size_t>(count)), out(in.size() + 64, 9);
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint8_t>(i * 7 + i / 256);
    MapBytes(table.data(), in.data(), out.data(), count);
    for (size_t i = 0; i < out.size(); ++i) {
      ASSERT_EQ(out[i], i < in.size() ? table[in[i]] : 9) << count << " " << i;
    }
  }
}

}  // namespace
}  // namespace tern
