// SPDX-License-Identifier: Apache-2.0
// CUMSUM of integers, and its refusals.
#include <gtest/gtest.h>

#include <limits>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

template <class T>
std::vector<T> Sums(const std::vector<int>& shape, const std::vector<T>& in, int32_t axis,
                    bool exclusive, bool reverse, TfLiteAllocationType where) {
  TfLiteCumsumParams params{exclusive, reverse};
  OpRunner run(CumsumRegistration(OpForm::kOptimized), &params, 2);
  run.Input(shape, in);
  run.Input<int32_t>({}, {axis}, where);
  run.Output(run.input(0).type);
  EXPECT_EQ(run.Run(), kTfLiteOk) << run.error();
  return run.Values<T>();
}

template <class T>
void Check() {
  for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
    const std::vector<T> in = {1, 2, 3, 4, 5, 6};
    EXPECT_EQ(Sums<T>({2, 3}, in, 1, false, false, where), (std::vector<T>{1, 3, 6, 4, 9, 15}));
    EXPECT_EQ(Sums<T>({2, 3}, in, -1, true, false, where), (std::vector<T>{0, 1, 3, 0, 4, 9}));
    EXPECT_EQ(Sums<T>({2, 3}, in, 1, false, true, where), (std::vector<T>{6, 5, 3, 15, 11, 6}));
    EXPECT_EQ(Sums<T>({2, 3}, in, 1, true, true, where), (std::vector<T>{5, 3, 0, 11, 6, 0}));
    EXPECT_EQ(Sums<T>({2, 3}, in, 0, false, false, where), (std::vector<T>{1, 2, 3, 5, 7, 9}));
    EXPECT_EQ(Sums<T>({3, 1, 2}, in, -3, true, true, where), (std::vector<T>{8, 10, 5, 6, 0, 0}));
    EXPECT_TRUE(Sums<T>({0, 3}, {}, 0, false, false, where).empty());
  }
}

TEST(Cumsum, AllTypesAndForms) {
  Check<float>();
  Check<int32_t>();
  Check<int64_t>();
  constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(Sums<int32_t>({2}, {kMax, 1}, 0, false, false, kTfLiteMmapRo),
            (std::vector<int32_t>{kMax, std::numeric_limits<int32_t>::min()}));
}

// Beside an axis of 0 the product of the others does not matter.
TEST(Cumsum, EmptyInputOfHugeAxes) {
  for (const std::vector<int>& shape : {std::vector<int>{0, 65536, 65536}, {65536, 65536, 0}}) {
    for (const int32_t axis : {0, 1, 2}) {
      TfLiteCumsumParams params{};
      OpRunner run(CumsumRegistration(OpForm::kOptimized), &params, 2);
      run.Input<float>(shape, {});
      run.Input<int32_t>({}, {axis});
      run.Output();
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      EXPECT_EQ(run.OutputShape(), Shape(shape.begin(), shape.end()));
    }
  }
}

TEST(Cumsum, BadOperandsAreErrors) {
  for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
    for (const std::vector<int32_t>& axis :
         {std::vector<int32_t>{2}, {-3}, {1 << 30}, {0, 0}, {}}) {
      TfLiteCumsumParams params{};
      OpRunner run(CumsumRegistration(OpForm::kOptimized), &params);
      run.Input<float>({2, 2}, {1, 2, 3, 4});
      run.Input<int32_t>({static_cast<int>(axis.size())}, axis, where);
      run.Output();
      EXPECT_EQ(run.Run(), kTfLiteError);
    }
  }
  TfLiteCumsumParams params{};
  OpRunner run(CumsumRegistration(OpForm::kOptimized), &params);
  run.Input<int16_t>({2}, {1, 2});
  run.Input<int32_t>({}, {0});
  run.Output(kTfLiteInt16);
  EXPECT_EQ(run.Run(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
