// SPDX-License-Identifier: Apache-2.0
// Comparisons and logic on the CPU.
#include <gtest/gtest.h>

#include <cmath>

#include "base/tensor/half.h"
#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/operand_scales.h"

namespace tern::testing {
namespace {

using Make = TfLiteRegistration (*)(OpForm);
using Bools = std::vector<uint8_t>;

// EQUAL, NOT_EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL.
const Make kAll[] = {EqualRegistration,        NotEqualRegistration, GreaterRegistration,
                     GreaterEqualRegistration, LessRegistration,     LessEqualRegistration};

Bools Finish(OpRunner& run) {
  run.Output(kTfLiteBool);
  EXPECT_EQ(run.Run(), kTfLiteOk) << run.error();
  return run.Values<uint8_t>();
}

template <class T>
void CheckAll(const std::vector<T>& a, const std::vector<T>& b, TfLiteType type,
              const std::vector<Bools>& want) {
  for (size_t i = 0; i < want.size(); ++i) {
    OpRunner run(kAll[i](OpForm::kOptimized));
    run.InputAs(type, {static_cast<int>(a.size())}, a);
    run.InputAs(type, {static_cast<int>(b.size())}, b);
    EXPECT_EQ(Finish(run), want[i]) << "op " << i << " of " << TypeText(type);
  }
}

TEST(Compare, EveryPlainType) {
  const std::vector<Bools> want = {{0, 1, 0}, {1, 0, 1}, {0, 0, 1},
                                   {0, 1, 1}, {1, 0, 0}, {1, 1, 0}};
  CheckAll<float>({1, 2, 3}, {2, 2, 2}, kTfLiteFloat32, want);
  CheckAll<int32_t>({-1, 2, 3}, {2, 2, 2}, kTfLiteInt32, want);
  CheckAll<int64_t>({1, 1LL << 40, 3}, {2, 1LL << 40, 2}, kTfLiteInt64, want);
  CheckAll<int16_t>({-1, 2, 3}, {2, 2, 2}, kTfLiteInt16, want);
  const uint16_t two = FloatToHalf(2);
  CheckAll<uint16_t>({FloatToHalf(-1), two, FloatToHalf(3)}, {two, two, two}, kTfLiteFloat16, want);
  CheckAll<uint8_t>({1, 0, 7}, {0, 0, 1}, kTfLiteBool, {{0, 1, 1}, {1, 0, 0}});
}

TEST(Compare, NanIsDifferentFromEverything) {
  const float nan = std::nanf("");
  CheckAll<float>({nan, 1, nan}, {1, nan, nan}, kTfLiteFloat32,
                  {{0, 0, 0}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}});
}

TEST(Compare, QuantizedNumbersMeetOnOneScale) {
  // 2, -1 and 0.5 against 2, -2 and 1.
  const std::vector<Bools> want = {{1, 0, 0}, {0, 1, 1}, {0, 1, 0},
                                   {1, 1, 0}, {0, 0, 1}, {1, 0, 1}};
  for (size_t i = 0; i < want.size(); ++i) {
    OperandScales scales;
    OpRunner run(kAll[i](OpForm::kOptimized));
    run.Input<int8_t>({3}, {5, -1, 2});
    run.Input<int8_t>({3}, {-1, -9, -3});
    scales.Give(run.input(0), {0.5f}, 1);
    scales.Give(run.input(1), {0.5f}, -5);
    EXPECT_EQ(Finish(run), want[i]) << "op " << i;
  }
  // Of so small a scale that rounding leaves nothing, all numbers are equal.
  OperandScales scales;
  OpRunner run(EqualRegistration(OpForm::kOptimized));
  run.Input<uint8_t>({2}, {5, 7});
  run.Input<uint8_t>({2}, {5, 9});
  for (int i : {0, 1}) scales.Give(run.input(i), {1e-5f}, 0);
  EXPECT_EQ(Finish(run), (Bools{1, 1}));
}

TEST(Compare, Strings) {
  for (const bool equal : {true, false}) {
    OpRunner run((equal ? EqualRegistration : NotEqualRegistration)(OpForm::kOptimized));
    run.InputStrings({2, 2}, {"a", "", "ab", "a"});
    run.InputStrings({2}, {"a", "b"});
    EXPECT_EQ(Finish(run), equal ? (Bools{1, 0, 0, 0}) : (Bools{0, 1, 1, 1}));
  }
  OpRunner few(EqualRegistration(OpForm::kOptimized));
  few.InputStrings({2}, {"a"});
  few.InputStrings({2}, {"a", "b"});
  few.Output(kTfLiteBool);
  EXPECT_EQ(few.Run(), kTfLiteError);
}

TEST(Compare, Broadcasts) {
  OpRunner run(LessRegistration(OpForm::kOptimized));
  run.Input<int32_t>({2, 1, 2}, {0, 1, 2, 3});
  run.Input<int32_t>({2, 1}, {1, 3});
  EXPECT_EQ(Finish(run), (Bools{1, 0, 1, 1, 0, 0, 1, 0}));
  EXPECT_EQ(run.OutputShape(), (Shape{2, 2, 2}));
  OpRunner empty(LessRegistration(OpForm::kOptimized));
  empty.Input<float>({2, 0}, {});
  empty.Input<float>({2, 1}, {1, 2});
  EXPECT_EQ(Finish(empty), Bools{});
}

TEST(Compare, Refusals) {
  struct Bad {
    Make make;
    TfLiteType a, b, out;
  };
  const Bad cases[] = {{LessRegistration, kTfLiteBool, kTfLiteBool, kTfLiteBool},
                       {GreaterRegistration, kTfLiteString, kTfLiteString, kTfLiteBool},
                       {EqualRegistration, kTfLiteInt32, kTfLiteInt64, kTfLiteBool},
                       {EqualRegistration, kTfLiteInt32, kTfLiteInt32, kTfLiteInt32},
                       {EqualRegistration, kTfLiteInt8, kTfLiteInt8, kTfLiteBool},
                       {EqualRegistration, kTfLiteComplex64, kTfLiteComplex64, kTfLiteBool},
                       {LogicalAndRegistration, kTfLiteInt32, kTfLiteInt32, kTfLiteBool},
                       {LogicalOrRegistration, kTfLiteBool, kTfLiteInt8, kTfLiteBool}};
  for (const Bad& c : cases) {
    OpRunner run(c.make(OpForm::kOptimized));
    run.EmptyInput({2}, c.a);
    run.EmptyInput({2}, c.b);
    run.Output(c.out);
    EXPECT_EQ(run.Prepare(), kTfLiteError) << TypeText(c.a);
  }
}

TEST(Logical, AnyByteButZeroIsTrue) {
  for (const bool both : {true, false}) {
    OpRunner run((both ? LogicalAndRegistration : LogicalOrRegistration)(OpForm::kOptimized));
    run.InputAs<uint8_t>(kTfLiteBool, {2, 2}, {0, 1, 2, 0});
    run.InputAs<uint8_t>(kTfLiteBool, {2}, {0, 4});
    EXPECT_EQ(Finish(run), both ? (Bools{0, 1, 0, 0}) : (Bools{0, 1, 1, 1}));
  }
}

}  // namespace
}  // namespace tern::testing
