// SPDX-License-Identifier: Apache-2.0
// Sums that become quantized numbers by a factor in double, against std::round; sums of short rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "cpu/instruction_set.h"
#include "cpu/integer_kernels.h"

namespace tern {
namespace {

constexpr int64_t kSlack = 16;  // the kernels read whole vectors

struct Case {
  int64_t rows, units;
  std::vector<int32_t> sums;    // [rows, units], padded
  std::vector<double> factors;  // padded, or one
  int32_t zero_point, low, high;
};

int64_t Want(const Case& c, int64_t row, int64_t unit) {
  const double sum = c.sums[static_cast<size_t>(row * c.units + unit)];
  const double rounded =
      std::round(sum * c.factors[c.factors.size() == 1 ? 0 : static_cast<size_t>(unit)]);
  return static_cast<int64_t>(std::clamp<double>(rounded + c.zero_point, c.low, c.high));
}

template <class T>
void Check(const Case& c, IntegerType type) {
  SCOPED_TRACE(::testing::Message() << c.rows << " x " << c.units << ", " << sizeof(T));
  constexpr T kUntouched = 99;
  const int64_t stride = c.units + 3;
  std::vector<T> got(static_cast<size_t>(c.rows * stride), kUntouched);
  OutputStage stage;
  stage.type = type;
  stage.zero_point = c.zero_point;
  stage.range = {c.low, c.high};
  stage.per_column = c.factors.size() > 1;
  stage.factors = c.factors;
  stage.output = got.data();
  stage.columns = stride;
  GetIntegerKernels()->real(stage, {c.sums.data(), c.units, 0, c.rows, 0, c.units});
  for (int64_t row = 0; row < c.rows; ++row) {
    for (int64_t unit = 0; unit < stride; ++unit) {
      const int64_t want = unit < c.units ? Want(c, row, unit) : kUntouched;
      ASSERT_EQ(got[static_cast<size_t>(row * stride + unit)], want) << row << ", " << unit;
    }
  }
}

class IntegerRowsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!HasOptimizedKernels())
      GTEST_SKIP() << "no optimized kernels on this processor or in this build";
  }
  static Case Make(int64_t rows, int64_t units) {
    return {rows,
            units,
            std::vector<int32_t>(static_cast<size_t>(rows * units + kSlack)),
            std::vector<double>(static_cast<size_t>(units + kSlack)),
            0,
            0,
            0};
  }
  static void CheckAll(Case& c, int32_t zero_point) {
    c.zero_point = zero_point;
    c.low = -128;
    c.high = 127;
    Check<int8_t>(c, IntegerType::kInt8);
    c.low = -100;
    c.high = 90;
    Check<int8_t>(c, IntegerType::kInt8);
    c.low = 0;
    c.high = 255;
    Check<uint8_t>(c, IntegerType::kUInt8);
    c.low = -32768;
    c.high = 32767;
    Check<int16_t>(c, IntegerType::kInt16);
  }
};

TEST_F(IntegerRowsTest, HalvesGoAwayFromZero) {
  for (const double unit : {0.5, 0.25, 0.125, 1.5}) {
    for (const double factor : {unit, std::nextafter(unit, 0.0), std::nextafter(unit, 2.0)}) {
      Case c = Make(1, 401);
      for (int32_t i = 0; i <= 400; ++i) c.sums[static_cast<size_t>(i)] = i - 200;
      std::fill(c.factors.begin(), c.factors.end(), factor);
      for (const int32_t zero_point : {0, -128, 127}) CheckAll(c, zero_point);
      c.factors.resize(1);
      CheckAll(c, 0);
    }
  }
}

// The largest number below one half stays 0.
TEST_F(IntegerRowsTest, JustBelowOneHalf) {
  Case c = Make(1, 20);
  for (size_t i = 0; i < 20; ++i) c.sums[i] = i % 2 == 0 ? 1 : -1;
  std::fill(c.factors.begin(), c.factors.end(), std::nextafter(0.5, 0.0));
  CheckAll(c, 0);
}

TEST_F(IntegerRowsTest, HugeSumsAndFactors) {
  const int32_t sums[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, INT32_MAX - 1, INT32_MAX};
  const double factors[] = {1e-300, 1e-10, 0x1p-31, 0.5, 1, 3, 1e10, 1e300};
  Case c = Make(7, 24);
  for (size_t i = 0; i < 7 * 24; ++i) c.sums[i] = sums[i / 24];
  for (size_t u = 0; u < 24; ++u) c.factors[u] = factors[u % 8];
  for (const int32_t zero_point : {0, -128, 255}) CheckAll(c, zero_point);
}

TEST_F(IntegerRowsTest, SizesOffTheWidthOfVectors) {
  std::minstd_rand engine(3);
  for (int64_t units = 1; units <= 40; ++units) {
    Case c = Make(units % 3 + 1, units);
    for (int32_t& sum : c.sums) sum = static_cast<int32_t>(engine() % 200000) - 100000;
    for (double& factor : c.factors) factor = static_cast<double>(engine() % 1000 + 1) * 1e-5;
    CheckAll(c, static_cast<int32_t>(units) - 20);
  }
}

template <class T>
void CheckWholeRange(std::minstd_rand& engine, IntegerType type) {
  constexpr int64_t kRows = 2, kUnits = 45, kPadded = 48;
  using Limits = std::numeric_limits<T>;
  std::vector<int32_t> value(kPadded), left(kPadded), right(kPadded), sums(kRows * kPadded);
  for (size_t c = 0; c < kPadded; ++c) {
    value[c] = static_cast<int32_t>(engine() % (1u << 30)) + (1 << 30);
    right[c] = static_cast<int32_t>(engine() % 22) + 1;
  }
  const uint32_t bits = engine() % 27 + 3;
  for (int32_t& sum : sums) {
    sum = static_cast<int32_t>(engine() % (1u << bits)) - (1 << (bits - 1));
    if (engine() % 16 == 0) sum = INT32_MIN >> 2;
    if (engine() % 16 == 0) sum = INT32_MAX >> 2;
  }
  const auto zero = static_cast<int32_t>(engine() % 256) - (Limits::min() == 0 ? 0 : 128);
  std::vector<T> got(kRows * kUnits), want(kRows * kUnits);
  std::vector<int64_t> start(kPadded);
  for (size_t c = 0; c < kPadded; ++c) {
    start[c] = ((int64_t{1} << (right[c] - 1)) + (int64_t{zero} << right[c])) * (int64_t{1} << 31) +
               (int64_t{1} << 30);
  }
  OutputStage stage;
  stage.type = type;
  stage.zero_point = zero;
  stage.range = {Limits::min(), Limits::max()};
  stage.arrays = {value, left, right, false, value, right, start};
  stage.columns = kUnits;
  const SumBlock<int32_t> block = {sums.data(), kPadded, 0, kRows, 0, kUnits};
  stage.output = got.data();
  GetIntegerKernels()->fixed_point(stage, block);
  stage.arrays.fast_start.assign(kPadded, kNoFusedForm);
  stage.output = want.data();
  GetIntegerKernels()->fixed_point(stage, block);
  ASSERT_EQ(got, want) << zero << ", " << bits;
}

// The quicker form leaves the bounds of a type to its conversion.
TEST_F(IntegerRowsTest, BothFormsSaturateAlike) {
  std::minstd_rand engine(17);
  for (int round = 0; round < 300; ++round) {
    CheckWholeRange<int8_t>(engine, IntegerType::kInt8);
    CheckWholeRange<uint8_t>(engine, IntegerType::kUInt8);
    CheckWholeRange<int16_t>(engine, IntegerType::kInt16);
  }
}

TEST_F(IntegerRowsTest, ShortRowsTimesWeights) {
  std::minstd_rand engine(9);
  for (const int64_t depth : {0, 1, 2, 5, 10, 15, 16, 17, 31, 32, 60, 214, 255, 256}) {
    for (const int64_t units : {1, 2, 3, 4, 5, 8, 33, 70}) {
      const int64_t rows = units % 5 + 1;
      std::vector<int16_t> a(static_cast<size_t>(rows * depth));
      std::vector<uint8_t> w(static_cast<size_t>(units * depth));
      const bool extreme = units % 2 == 0;
      for (int16_t& v : a) v = extreme ? INT16_MIN : static_cast<int16_t>(engine());
      for (uint8_t& v : w) v = extreme ? 255 : static_cast<uint8_t>(engine());
      std::vector<int64_t> got(static_cast<size_t>(rows * units), -1);
      GetIntegerKernels()->dots(a.data(), rows, w.data(), true, units, depth, got.data(), units);
      for (int64_t i = 0; i < rows * units; ++i) {
        int64_t want = 0;
        for (int64_t k = 0; k < depth; ++k) {
          want += int64_t{a[static_cast<size_t>(i / units * depth + k)]} *
                  w[static_cast<size_t>(i % units * depth + k)];
        }
        ASSERT_EQ(got[static_cast<size_t>(i)], want) << depth << ", " << units << ", " << i;
      }
    }
  }
}

TEST_F(IntegerRowsTest, RowsOfBytes) {
  const auto byte_dots = GetIntegerKernels()->byte_dots;
  if (byte_dots == nullptr) GTEST_SKIP() << "no instruction multiplies bytes";
  std::minstd_rand engine(11);
  for (const size_t depth : {1, 10, 63, 64, 65, 128, 214, 1000}) {
    for (const size_t units : {1, 2, 3, 4, 5, 31}) {
      for (const int32_t zero_point : {-128, -1, 0, 127}) {
        std::vector<int8_t> x(depth), w(units * depth);
        const bool extreme = units % 2 == 0;
        for (int8_t& v : x) v = static_cast<int8_t>(extreme ? 127 : engine());
        for (int8_t& v : w) v = static_cast<int8_t>(extreme ? -128 : engine());
        std::vector<int32_t> got(units, -1);
        byte_dots(x.data(), zero_point, w.data(), static_cast<int64_t>(units),
                  static_cast<int64_t>(depth), got.data());
        for (size_t unit = 0; unit < units; ++unit) {
          int32_t want = 0;
          for (size_t i = 0; i < depth; ++i) want += (x[i] - zero_point) * w[unit * depth + i];
          ASSERT_EQ(got[unit], want) << depth << ", " << units << ", " << zero_point;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tern
