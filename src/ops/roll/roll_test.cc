// SPDX-License-Identifier: Apache-2.0
// Roll: every element against its place, strings, shifts beyond an axis, and bad axes.
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"

namespace tern::testing {
namespace {

void Check(const std::vector<int64_t>& shifts, const std::vector<int64_t>& axes,
           const std::vector<int64_t>& moved, TfLiteAllocationType where) {
  const std::vector<int> shape = {3, 4, 5};
  std::vector<int32_t> x(60);
  std::iota(x.begin(), x.end(), 0);
  OpRunner run(RollRegistration(OpForm::kOptimized));
  run.Input(shape, x);
  const auto count = static_cast<int>(shifts.size());
  run.Input({count}, shifts, where);
  run.Input({count}, std::vector<int32_t>(axes.begin(), axes.end()), where);
  run.Output(kTfLiteInt32);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.OutputShape(), (Shape{3, 4, 5}));
  const std::vector<int32_t> got = run.Values<int32_t>();
  for (int64_t i = 0; i < 60; ++i) {
    const int64_t a = (i / 20 + moved[0]) % 3, b = (i / 5 % 4 + moved[1]) % 4;
    const int64_t c = (i % 5 + moved[2]) % 5;
    EXPECT_EQ(got[static_cast<size_t>((a * 4 + b) * 5 + c)], i);
  }
}

TEST(Roll, ShiftsAndAxes) {
  for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
    Check({1}, {0}, {1, 0, 0}, where);
    Check({-1}, {-1}, {0, 0, 4}, where);
    Check({2, 3}, {2, 1}, {0, 3, 2}, where);
    Check({1, 7, -9}, {0, 1, 2}, {1, 3, 1}, where);
    Check({1, 1, 1}, {1, -2, 1}, {0, 3, 0}, where);
    Check({6, INT64_MIN}, {0, 1}, {0, 0, 0}, where);
    Check({}, {}, {0, 0, 0}, where);
  }
}

TEST(Roll, ScalarsAndStrings) {
  OpRunner run(RollRegistration(OpForm::kOptimized));
  run.InputStrings({3}, {"a", "", "ccc"});
  run.Input<int32_t>({}, {1});
  run.Input<int64_t>({}, {0});
  run.Output(kTfLiteString);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Strings(), (std::vector<std::string>{"ccc", "a", ""}));
}

TEST(Roll, NoElements) {
  OpRunner run(RollRegistration(OpForm::kOptimized));
  run.Input<float>({2, 0}, {});
  run.Input<int32_t>({2}, {1, 1});
  run.Input<int32_t>({2}, {0, 1});
  run.Output();
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.OutputShape(), (Shape{2, 0}));
}

std::string RollError(const std::vector<int32_t>& shifts, const std::vector<int32_t>& axes) {
  OpRunner run(RollRegistration(OpForm::kOptimized));
  run.Input<float>({2}, {1, 2});
  run.Input({static_cast<int>(shifts.size())}, shifts);
  run.Input({static_cast<int>(axes.size())}, axes);
  run.Output();
  EXPECT_EQ(run.Run(), kTfLiteError);
  return run.error();
}

TEST(Roll, BadOperandsAreErrors) {
  EXPECT_EQ(RollError({1}, {1}), "Roll: axis is out of range (1, rank 1)");
  EXPECT_EQ(RollError({1}, {-2}), "Roll: axis is out of range (-2, rank 1)");
  EXPECT_EQ(RollError({1, 2}, {0}), "Roll: there must be a shift per axis (2, 1)");
}

}  // namespace
}  // namespace tern::testing
