// SPDX-License-Identifier: Apache-2.0
// Table: every INT8 and INT16 number, and operands that do not fit.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"

namespace tern::testing {
namespace {

template <class T, class R>
std::vector<R> Lookup(const std::vector<T>& in, const std::vector<R>& table) {
  OpRunner run(TableRegistration(OpForm::kOptimized));
  run.Input({static_cast<int>(in.size())}, in);
  run.Input({static_cast<int>(table.size())}, table, kTfLiteMmapRo);
  run.Output(sizeof(R) == 1 ? kTfLiteInt8 : kTfLiteInt16);
  EXPECT_EQ(run.Run(), kTfLiteOk) << run.error();
  return run.Values<R>();
}

TEST(Table, BytesAreIndices) {
  // -128 is number 128 of the table, -1 the last.
  std::vector<int8_t> in, small;
  std::vector<int16_t> wide;
  for (int i = 0; i < 256; ++i) {
    in.push_back(static_cast<int8_t>(i < 128 ? i : i - 256));
    small.push_back(static_cast<int8_t>(127 - i));
    wide.push_back(static_cast<int16_t>(i * 200 - 20000));
  }
  EXPECT_EQ(Lookup(in, small), small);
  EXPECT_EQ(Lookup(in, wide), wide);
}

template <class R>
void CheckInterpolation(double scale) {
  std::vector<R> table;
  for (int i = 0; i < 513; ++i) {
    table.push_back(static_cast<R>(std::lround(scale * std::sin(0.02 * i))));
  }
  std::vector<int16_t> in;
  for (int v = INT16_MIN; v <= INT16_MAX; ++v) in.push_back(static_cast<int16_t>(v));
  const std::vector<R> got = Lookup(in, table);
  for (size_t i = 0; i < in.size(); ++i) {
    const double share = static_cast<double>(i % 128) / 128;
    const double want = table[i / 128] * (1 - share) + table[i / 128 + 1] * share;
    ASSERT_EQ(got[i], static_cast<R>(std::floor(want + 0.5))) << in[i];
  }
}

TEST(Table, Int16Interpolates) {
  CheckInterpolation<int8_t>(100);
  CheckInterpolation<int16_t>(30000);
}

TEST(Table, BadOperandsAreErrors) {
  const auto prepare = [](TfLiteType input, int size, TfLiteType table, int zero_point = 0) {
    OpRunner run(TableRegistration(OpForm::kOptimized));
    run.EmptyInput({4}, input);
    run.input(0).params.zero_point = zero_point;
    run.EmptyInput({size}, table);
    run.Output(kTfLiteInt8);
    return run.Prepare() == kTfLiteOk ? std::string() : run.error();
  };
  EXPECT_EQ(prepare(kTfLiteInt8, 256, kTfLiteInt8), "");
  EXPECT_EQ(prepare(kTfLiteInt8, 513, kTfLiteInt8),
            "Table: the table must have 256 elements (513)");
  EXPECT_EQ(prepare(kTfLiteInt16, 512, kTfLiteInt8),
            "Table: the table must have 513 elements (512)");
  EXPECT_EQ(prepare(kTfLiteInt16, 513, kTfLiteInt8, 3),
            "Table: the zero point of INT16 must be 0 (3)");
  EXPECT_NE(prepare(kTfLiteUInt8, 256, kTfLiteInt8), "");
  EXPECT_NE(prepare(kTfLiteInt8, 256, kTfLiteInt16), "");
}

}  // namespace
}  // namespace tern::testing
