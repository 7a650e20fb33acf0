// SPDX-License-Identifier: Apache-2.0
// SHAPE, RANK, BROADCAST_ARGS, FILL, ZEROS_LIKE and RANGE.
#include <gtest/gtest.h>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

TEST(ShapeAndRank, AreKnownBeforeAnyRun) {
  TfLiteShapeParams narrow{kTfLiteInt32}, wide{kTfLiteInt64};
  OpRunner shape(ShapeRegistration(OpForm::kOptimized), &narrow);
  shape.EmptyInput({2, 0, 3}, kTfLiteFloat32);
  shape.Output(kTfLiteInt32);
  ASSERT_EQ(shape.Prepare(), kTfLiteOk) << shape.error();
  EXPECT_EQ(shape.output().allocation_type, kTfLitePersistentRo);
  EXPECT_EQ(shape.Values<int32_t>(), (std::vector<int32_t>{2, 0, 3}));
  OpRunner scalar(ShapeRegistration(OpForm::kOptimized), &wide);
  scalar.EmptyInput({}, kTfLiteString);
  scalar.Output(kTfLiteInt64);
  ASSERT_EQ(scalar.Prepare(), kTfLiteOk) << scalar.error();
  EXPECT_EQ(scalar.OutputShape(), Shape{0});
  OpRunner rank(RankRegistration(OpForm::kOptimized));
  rank.EmptyInput({1, 2, 1, 2, 1, 2}, kTfLiteInt64);
  rank.Output(kTfLiteInt32);
  ASSERT_EQ(rank.Prepare(), kTfLiteOk) << rank.error();
  EXPECT_EQ(rank.output().allocation_type, kTfLitePersistentRo);
  EXPECT_EQ(rank.OutputShape(), Shape());
  EXPECT_EQ(rank.Values<int32_t>(), std::vector<int32_t>{6});
  OpRunner types(ShapeRegistration(OpForm::kOptimized), &wide);
  types.EmptyInput({1}, kTfLiteFloat32);
  types.Output(kTfLiteInt32);
  EXPECT_EQ(types.Prepare(), kTfLiteError);
}

template <class T>
void CheckArgs(const std::vector<T>& a, const std::vector<T>& b, const std::vector<T>& want) {
  for (const auto where : kPlaces) {
    OpRunner run(BroadcastArgsRegistration(OpForm::kOptimized));
    run.Input<T>({static_cast<int>(a.size())}, a, where);
    run.Input<T>({static_cast<int>(b.size())}, b);
    run.Output(run.input(0).type);
    const bool ok = !want.empty() || a.empty();
    ASSERT_EQ(run.Run(), ok ? kTfLiteOk : kTfLiteError) << run.error();
    if (!ok) continue;
    EXPECT_EQ(run.Values<T>(), want);
  }
}

TEST(BroadcastArgs, Shapes) {
  CheckArgs<int32_t>({3, 1}, {2, 3, 4}, {2, 3, 4});
  CheckArgs<int64_t>({2, 3, 4}, {3, 1}, {2, 3, 4});
  CheckArgs<int64_t>({1, 0}, {5, 1}, {5, 0});
  CheckArgs<int32_t>({}, {}, {});
  CheckArgs<int32_t>({2}, {3}, {});
  CheckArgs<int32_t>({0}, {3}, {});
}

TEST(Fill, ShapesAndTypes) {
  for (const auto where : kPlaces) {
    OpRunner run(FillRegistration(OpForm::kOptimized));
    run.Input<int64_t>({3}, {2, 1, 3}, where);
    run.Input<int16_t>({}, {-5}, where);
    run.Output(kTfLiteInt16);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.OutputShape(), (Shape{2, 1, 3}));
    EXPECT_EQ(run.Values<int16_t>(), std::vector<int16_t>(6, -5));
    OpRunner scalar(FillRegistration(OpForm::kOptimized));
    scalar.Input<int32_t>({0}, {}, where);
    scalar.Input<double>({}, {2.5}, where);
    scalar.Output(kTfLiteFloat64);
    ASSERT_EQ(scalar.Run(), kTfLiteOk) << scalar.error();
    EXPECT_EQ(scalar.Values<double>(), std::vector<double>{2.5});
    // As in the reference, sizes beside one of 0 may have any product.
    OpRunner empty(FillRegistration(OpForm::kOptimized));
    empty.Input<int32_t>({4}, {65536, 0, 65536, 65536}, where);
    empty.Input<float>({}, {3}, where);
    empty.Output(kTfLiteFloat32);
    ASSERT_EQ(empty.Run(), kTfLiteOk) << empty.error();
    EXPECT_EQ(empty.OutputShape(), (Shape{65536, 0, 65536, 65536}));
    OpRunner strings(FillRegistration(OpForm::kOptimized));
    strings.Input<int32_t>({2}, {1, 3}, where);
    strings.InputStrings({}, {"ab"});
    strings.Output(kTfLiteString);
    ASSERT_EQ(strings.Run(), kTfLiteOk) << strings.error();
    EXPECT_EQ(strings.Strings(), (std::vector<std::string>{"ab", "ab", "ab"}));
    for (const std::vector<int32_t>& bad : {std::vector<int32_t>{-1}, {1 << 20, 1 << 20}}) {
      OpRunner wrong(FillRegistration(OpForm::kOptimized));
      wrong.Input<int32_t>({static_cast<int>(bad.size())}, bad, where);
      wrong.Input<float>({}, {1});
      wrong.Output();
      EXPECT_EQ(wrong.Run(), kTfLiteError);
      EXPECT_EQ(wrong.error().rfind("FILL: ", 0), 0u) << wrong.error();
    }
  }
  OpRunner vector(FillRegistration(OpForm::kOptimized));
  vector.Input<int32_t>({1}, {2});
  vector.Input<float>({1}, {1});
  vector.Output();
  EXPECT_EQ(vector.Run(), kTfLiteError);
}

TEST(ZerosLike, IgnoresWhatTheInputHolds) {
  OpRunner run(ZerosLikeRegistration(OpForm::kOptimized));
  run.Input<float>({2, 2}, {NAN, INFINITY, -1, 0});
  run.Output();
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values(), std::vector<float>(4, 0));
  EXPECT_FALSE(std::signbit(run.Values()[2]));
}

template <class T>
void CheckRange(T start, T limit, T delta, const std::vector<T>& want, bool ok = true) {
  for (const auto where : kPlaces) {
    OpRunner run(RangeRegistration(OpForm::kOptimized));
    for (const T value : {start, limit, delta}) run.Input<T>({}, {value}, where);
    run.Output(run.input(0).type);
    ASSERT_EQ(run.Run(), ok ? kTfLiteOk : kTfLiteError) << run.error();
    if (!ok) continue;
    EXPECT_EQ(run.Values<T>(), want);
  }
}

TEST(Range, CountsAndErrors) {
  CheckRange<int32_t>(0, 8, 2, {0, 2, 4, 6});
  CheckRange<int32_t>(10, 1, -2, {10, 8, 6, 4, 2});
  CheckRange<int32_t>(0, 3, 10, {0});
  CheckRange<int32_t>(INT32_MAX - 1, INT32_MAX, 1, {INT32_MAX - 1});
  CheckRange<int64_t>(INT64_MIN, INT64_MAX, INT64_MAX, {INT64_MIN, -1, INT64_MAX - 1});
  CheckRange<int64_t>(INT64_MAX, INT64_MIN, INT64_MIN, {INT64_MAX, -1});
  CheckRange<float>(0, 1, 0.25f, {0, 0.25f, 0.5f, 0.75f});
  CheckRange<float>(2, 2, 1, {});
  CheckRange<float>(1, 0, -0.4f, {1, 1 - 0.4f, 1 - 0.4f - 0.4f});
  CheckRange<int32_t>(0, 1, 0, {}, false);
  CheckRange<int32_t>(0, 1, -1, {}, false);
  CheckRange<int32_t>(1, 0, 1, {}, false);
  CheckRange<int64_t>(INT64_MIN, INT64_MAX, 1, {}, false);
  CheckRange<float>(0, 1, -1, {}, false);
  CheckRange<float>(0, 1, 0, {}, false);
  CheckRange<float>(0, NAN, 1, {}, false);
  CheckRange<float>(0, INFINITY, 1, {}, false);
  CheckRange<float>(0, 1e30f, 1e-3f, {}, false);
  CheckRange<int16_t>(0, 1, 1, {}, false);
}

}  // namespace
}  // namespace tern::testing
