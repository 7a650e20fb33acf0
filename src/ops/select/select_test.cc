// SPDX-License-Identifier: Apache-2.0
// SELECT and SELECT_V2 on the CPU.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

using Make = TfLiteRegistration (*)(OpForm);

void AddCondition(OpRunner& run, const std::vector<int>& shape, const std::vector<uint8_t>& bits) {
  run.InputAs(kTfLiteBool, shape, bits);
}

TEST(Select, ConditionPerElementRowAndTensor) {
  const std::vector<float> x = {1, 2, 3, 4}, y = {-1, -2, -3, -4};
  struct Case {
    std::vector<int> shape;
    std::vector<uint8_t> condition;
    std::vector<float> want;
  };
  const Case cases[] = {{{2, 2}, {1, 0, 0, 3}, {1, -2, -3, 4}},
                        {{2}, {0, 1}, {-1, -2, 3, 4}},
                        {{}, {1}, x},
                        {{}, {0}, y}};
  for (const Case& c : cases) {
    for (const Way& way : kWays) {
      OpRunner run(SelectRegistration(way.form), nullptr, way.threads);
      AddCondition(run, c.shape, c.condition);
      run.Input({2, 2}, x);
      run.Input({2, 2}, y);
      run.Output();
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      EXPECT_EQ(run.Values(), c.want) << way.name;
    }
  }
}

TEST(Select, BroadcastsAllThree) {
  OpRunner run(SelectV2Registration(OpForm::kOptimized));
  AddCondition(run, {2, 1, 1}, {1, 0});
  run.Input<int64_t>({3, 1}, {1, 2, 3});
  run.Input<int64_t>({2}, {-1, -2});
  run.Output(kTfLiteInt64);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.OutputShape(), (Shape{2, 3, 2}));
  EXPECT_EQ(run.Values<int64_t>(),
            (std::vector<int64_t>{1, 1, 2, 2, 3, 3, -1, -2, -1, -2, -1, -2}));
}

TEST(Select, EveryWidthOfElement) {
  const auto check = [](TfLiteType type, auto zero) {
    using T = decltype(zero);
    OpRunner run(SelectV2Registration(OpForm::kOptimized));
    AddCondition(run, {2}, {1, 0});
    std::vector<T> x(2), y(2);
    std::memset(x.data(), 0x11, 2 * sizeof(T));
    std::memset(y.data(), 0x22, 2 * sizeof(T));
    run.InputAs(type, {2}, x);
    run.InputAs(type, {2}, y);
    run.Output(type);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    const auto got = run.Values<T>();
    EXPECT_EQ(std::memcmp(&got[0], &x[0], sizeof(T)), 0);
    EXPECT_EQ(std::memcmp(&got[1], &y[1], sizeof(T)), 0);
  };
  check(kTfLiteInt8, int8_t{});
  check(kTfLiteBFloat16, uint16_t{});
  check(kTfLiteUInt32, uint32_t{});
  check(kTfLiteComplex64, double{});
  check(kTfLiteComplex128, std::array<double, 2>{});
}

TEST(Select, Strings) {
  OpRunner run(SelectV2Registration(OpForm::kOptimized));
  AddCondition(run, {3}, {1, 0, 1});
  run.InputStrings({3}, {"a", "bb", ""});
  run.InputStrings({1}, {"other"});
  run.Output(kTfLiteString);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Strings(), (std::vector<std::string>{"a", "other", ""}));
}

TEST(Select, OneElementKeepsTheDeclaredShape) {
  OpRunner run(SelectRegistration(OpForm::kOptimized));
  AddCondition(run, {}, {1});
  run.Input<float>({1, 1}, {4});
  run.Input<float>({1}, {5});
  run.Output(kTfLiteFloat32, {1, 1, 1});
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.OutputShape(), (Shape{1, 1, 1}));
  EXPECT_EQ(run.Values(), std::vector<float>{4});
}

TEST(Select, Refusals) {
  struct Bad {
    Make make;
    std::vector<int> condition, x, y;
    TfLiteType condition_type = kTfLiteBool, type_y = kTfLiteFloat32;
  };
  const Bad cases[] = {{SelectRegistration, {1}, {2, 2}, {2, 2}},
                       {SelectRegistration, {2, 1}, {2, 2}, {2, 2}},
                       {SelectRegistration, {2, 2}, {2, 2}, {2}},
                       {SelectRegistration, {2}, {2}, {2}, kTfLiteInt32},
                       {SelectV2Registration, {2}, {2}, {2}, kTfLiteBool, kTfLiteInt32},
                       {SelectV2Registration, {3}, {2}, {2}},
                       {SelectV2Registration, {0}, {2}, {2}},
                       {SelectV2Registration, {1 << 20, 1}, {1 << 20}, {1}}};
  for (const Bad& c : cases) {
    OpRunner run(c.make(OpForm::kOptimized));
    run.EmptyInput(c.condition, c.condition_type);
    run.EmptyInput(c.x, kTfLiteFloat32);
    run.EmptyInput(c.y, c.type_y);
    run.Output(kTfLiteFloat32, {7});
    EXPECT_EQ(run.Prepare(), kTfLiteError) << run.error();
  }
  OpRunner empty(SelectV2Registration(OpForm::kOptimized));
  AddCondition(empty, {1}, {1});
  empty.Input<float>({0, 2}, {});
  empty.Input<float>({1, 1}, {1});
  empty.Output();
  ASSERT_EQ(empty.Run(), kTfLiteOk) << empty.error();
  EXPECT_EQ(empty.OutputShape(), (Shape{0, 2}));
}

}  // namespace
}  // namespace tern::testing
