// SPDX-License-Identifier: Apache-2.0
// WHERE and UNIQUE.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

template <class T>
void CheckWhere(TfLiteType type, const std::vector<int>& shape, const std::vector<T>& condition,
                const std::vector<int64_t>& want) {
  for (const auto where : kPlaces) {
    OpRunner run(WhereRegistration(OpForm::kOptimized));
    run.InputAs(type, shape, condition, where);
    run.Output(kTfLiteInt64);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    const auto rank = static_cast<int64_t>(shape.size());
    EXPECT_EQ(run.OutputShape(), (Shape{static_cast<int64_t>(want.size()) / rank, rank}));
    EXPECT_EQ(run.Values<int64_t>(), want);
  }
}

TEST(Where, TypesAndRanks) {
  CheckWhere<uint8_t>(kTfLiteBool, {2, 3}, {1, 0, 0, 0, 1, 1}, {0, 0, 1, 1, 1, 2});
  CheckWhere<uint8_t>(kTfLiteBool, {2, 2}, {0, 0, 0, 0}, {});
  CheckWhere<uint8_t>(kTfLiteBool, {0, 2}, {}, {});
  CheckWhere<float>(kTfLiteFloat32, {5}, {NAN, -0.0f, 1e-45f, 0, -1}, {0, 2, 4});
  CheckWhere<int8_t>(kTfLiteInt8, {3}, {-1, 0, 1}, {0, 2});
  CheckWhere<int32_t>(kTfLiteInt32, {1, 2, 1, 2, 1}, {0, 9, 0, 9}, {0, 0, 0, 1, 0, 0, 1, 0, 1, 0});
  CheckWhere<int64_t>(kTfLiteInt64, {2}, {0, INT64_MIN}, {1});
  OpRunner scalar(WhereRegistration(OpForm::kOptimized));
  scalar.Input<float>({}, {1});
  scalar.Output(kTfLiteInt64);
  EXPECT_EQ(scalar.Prepare(), kTfLiteOk);
  EXPECT_EQ(scalar.Eval(), kTfLiteError);
  OpRunner half(WhereRegistration(OpForm::kOptimized));
  half.InputAs<int16_t>(kTfLiteFloat16, {1}, {1});
  half.Output(kTfLiteInt64);
  EXPECT_EQ(half.Run(), kTfLiteError);
}

template <class T, class I>
void CheckUnique(const std::vector<T>& input, const std::vector<T>& values,
                 const std::vector<I>& numbers, TfLiteType index_type) {
  TfLiteUniqueParams params{index_type};
  OpRunner run(UniqueRegistration(OpForm::kOptimized), &params);
  run.Input<T>({static_cast<int>(input.size())}, input);
  run.Output(run.input(0).type);
  run.Output(index_type);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values<T>(0), values);
  EXPECT_EQ(run.Values<I>(1), numbers);
}

TEST(Unique, FirstAppearancesInOrder) {
  CheckUnique<float, int32_t>({3, 1, 3, -0.0f, 0}, {3, 1, 0}, {0, 1, 0, 2, 2}, kTfLiteInt32);
  CheckUnique<int64_t, int64_t>({5, 5, 4}, {5, 4}, {0, 0, 1}, kTfLiteInt64);
  CheckUnique<int8_t, int32_t>({-1, 1}, {-1, 1}, {0, 1}, kTfLiteInt32);
  CheckUnique<uint8_t, int32_t>({200}, {200}, {0}, kTfLiteInt32);
  CheckUnique<int32_t, int32_t>({}, {}, {}, kTfLiteInt32);
  TfLiteUniqueParams params{kTfLiteInt32};
  OpRunner rank(UniqueRegistration(OpForm::kOptimized), &params);
  rank.Input<float>({1, 2}, {1, 2});
  rank.Output();
  rank.Output(kTfLiteInt32);
  EXPECT_EQ(rank.Run(), kTfLiteError);
  OpRunner type(UniqueRegistration(OpForm::kOptimized), &params);
  type.Input<float>({2}, {1, 2});
  type.Output();
  type.Output(kTfLiteInt64);
  EXPECT_EQ(type.Run(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
