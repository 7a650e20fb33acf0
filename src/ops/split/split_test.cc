// SPDX-License-Identifier: Apache-2.0
// SPLIT, SPLIT_V, UNPACK and PACK.
#include <gtest/gtest.h>

#include "ops/cpu_registry.h"
#include "ops/testing/index_walk.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/operand_scales.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

// The part of a numbered tensor from `first` on along an axis.
template <class T>
std::vector<T> Part(const Index& shape, size_t axis, int first, int size) {
  Index to = shape;
  to[axis] = size;
  return Picked(Numbered<T>(shape), shape, to, [&](Index index) {
    index[axis] += first;
    return index;
  });
}

template <class T>
void CheckSplit(const Index& shape, int axis, int count, TfLiteType type) {
  TfLiteSplitParams params{count};
  const size_t at = axis < 0 ? axis + shape.size() : axis;
  const int size = shape[at] / count;
  for (const auto where : kPlaces) {
    OpRunner run(SplitRegistration(OpForm::kOptimized), &params);
    run.Input<int32_t>({}, {axis}, where);
    run.InputAs(type, shape, Numbered<T>(shape));
    for (int i = 0; i < count; ++i) run.Output(type);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(run.OutputShape(i)[at], size);
      EXPECT_EQ(run.Values<T>(i), Part<T>(shape, at, i * size, size));
    }
  }
}

TEST(Split, AxesAndTypes) {
  for (int axis = -4; axis < 4; ++axis) CheckSplit<float>({2, 4, 6, 8}, axis, 2, kTfLiteFloat32);
  CheckSplit<float>({2, 9}, 1, 3, kTfLiteFloat32);
  CheckSplit<float>({5}, 0, 1, kTfLiteFloat32);
  CheckSplit<float>({0, 3}, 0, 2, kTfLiteFloat32);
  CheckSplit<uint8_t>({3, 4}, 1, 4, kTfLiteBool);
  CheckSplit<int16_t>({4, 3}, 0, 2, kTfLiteInt16);
  CheckSplit<int64_t>({1, 2, 3, 1, 4}, 4, 2, kTfLiteInt64);
}

// Elements are moved as they are.
TEST(Split, OutputsMayHaveOtherScales) {
  TfLiteSplitParams params{2};
  TfLiteSplitVParams params_v{2};
  for (const bool by_sizes : {false, true}) {
    OperandScales scales;
    OpRunner run(
        by_sizes ? SplitVRegistration(OpForm::kOptimized) : SplitRegistration(OpForm::kOptimized),
        by_sizes ? static_cast<void*>(&params_v) : &params);
    if (!by_sizes) run.Input<int32_t>({}, {0}, kTfLiteMmapRo);
    run.Input<int8_t>({4}, {1, -2, 3, -4});
    if (by_sizes) {
      run.Input<int32_t>({2}, {2, -1}, kTfLiteMmapRo);
      run.Input<int32_t>({}, {0}, kTfLiteMmapRo);
    }
    for (int i = 0; i < 2; ++i) run.Output(kTfLiteInt8);
    scales.Give(run.input(by_sizes ? 0 : 1), {0.5f}, 3);
    scales.Give(run.output(0), {0.25f}, -7);
    scales.Give(run.output(1), {2.0f}, 0);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values<int8_t>(0), (std::vector<int8_t>{1, -2}));
    EXPECT_EQ(run.Values<int8_t>(1), (std::vector<int8_t>{3, -4}));
  }
}

TEST(Split, BadOperandsAreErrors) {
  struct Case {
    int axis, count, outputs;
  };
  for (const Case& c : {Case{1, 2, 2}, Case{2, 1, 1}, Case{-3, 1, 1}, Case{0, 2, 3}, Case{0, 0, 0},
                        Case{0, -1, 1}}) {
    for (const auto where : kPlaces) {
      TfLiteSplitParams params{c.count};
      OpRunner run(SplitRegistration(OpForm::kOptimized), &params);
      run.Input<int32_t>({1}, {c.axis}, where);
      run.Input<float>({2, 3}, {1, 2, 3, 4, 5, 6});
      for (int i = 0; i < c.outputs; ++i) run.Output();
      EXPECT_EQ(run.Run(), kTfLiteError);
      EXPECT_EQ(run.error().rfind("SPLIT: ", 0), 0u) << run.error();
    }
  }
}

template <class T, class Sizes>
void CheckSplitV(const Index& shape, int axis, const std::vector<Sizes>& sizes, const Index& want,
                 TfLiteType type) {
  TfLiteSplitVParams params{static_cast<int>(sizes.size())};
  const size_t at = axis < 0 ? axis + shape.size() : axis;
  for (const auto where : kPlaces) {
    OpRunner run(SplitVRegistration(OpForm::kOptimized), &params);
    run.InputAs(type, shape, Numbered<T>(shape));
    run.Input<Sizes>({params.num_splits}, sizes, where);
    run.Input<int32_t>({1}, {axis}, kTfLiteMmapRo);
    for (size_t i = 0; i < sizes.size(); ++i) run.Output(type);
    ASSERT_EQ(run.Run(), want.empty() ? kTfLiteError : kTfLiteOk) << run.error();
    int first = 0;
    for (int i = 0; i < static_cast<int>(want.size()); ++i) {
      EXPECT_EQ(run.Values<T>(i), Part<T>(shape, at, first, want[i]));
      first += want[i];
    }
  }
}

TEST(SplitV, Sizes) {
  CheckSplitV<float, int32_t>({2, 7}, 1, {1, 2, 4}, {1, 2, 4}, kTfLiteFloat32);
  CheckSplitV<float, int64_t>({2, 7}, -1, {1, -1, 4}, {1, 2, 4}, kTfLiteFloat32);
  CheckSplitV<float, int64_t>({3, 2, 2}, 0, {3, -1}, {3, 0}, kTfLiteFloat32);
  CheckSplitV<float, int64_t>({3, 2, 2}, 1, {0, 2}, {0, 2}, kTfLiteFloat32);
  CheckSplitV<uint8_t, int32_t>({2, 5}, 1, {5}, {5}, kTfLiteUInt8);
  CheckSplitV<int64_t, int32_t>({2, 5}, 1, {4, 1}, {4, 1}, kTfLiteInt64);
  CheckSplitV<float, int32_t>({2, 7}, 1, {1, 2}, {}, kTfLiteFloat32);
  CheckSplitV<float, int32_t>({2, 7}, 1, {1, 7}, {}, kTfLiteFloat32);
  CheckSplitV<float, int32_t>({2, 7}, 1, {-1, -1}, {}, kTfLiteFloat32);
  CheckSplitV<float, int32_t>({2, 7}, 1, {-2, 9}, {}, kTfLiteFloat32);
  CheckSplitV<float, int32_t>({2, 7}, 1, {8, -1}, {}, kTfLiteFloat32);
  CheckSplitV<float, int32_t>({2, 7}, 2, {-1}, {}, kTfLiteFloat32);
}

template <class T>
void CheckUnpackAndPack(const Index& each, int axis, int count, TfLiteType type) {
  const size_t at = axis < 0 ? axis + each.size() + 1 : axis;
  Index whole = each;
  whole.insert(whole.begin() + static_cast<long>(at), count);
  TfLiteUnpackParams unpack{count, axis};
  OpRunner apart(UnpackRegistration(OpForm::kOptimized), &unpack);
  apart.InputAs(type, whole, Numbered<T>(whole));
  TfLitePackParams pack{count, axis};
  OpRunner together(PackRegistration(OpForm::kOptimized), &pack);
  for (int i = 0; i < count; ++i) {
    apart.Output(type);
    together.InputAs(type, each, Part<T>(whole, at, i, 1));
  }
  together.Output(type);
  ASSERT_EQ(apart.Run(), kTfLiteOk) << apart.error();
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(Dims(apart.OutputShape(i)), each);
    EXPECT_EQ(apart.Values<T>(i), Part<T>(whole, at, i, 1));
  }
  ASSERT_EQ(together.Run(), kTfLiteOk) << together.error();
  EXPECT_EQ(Dims(together.OutputShape()), whole);
  EXPECT_EQ(together.Values<T>(), Numbered<T>(whole));
}

TEST(PackAndUnpack, AxesAndTypes) {
  for (int axis = -5; axis < 5; ++axis) {
    CheckUnpackAndPack<float>({2, 3, 2, 5}, axis, 3, kTfLiteFloat32);
  }
  CheckUnpackAndPack<float>({}, 0, 3, kTfLiteFloat32);
  CheckUnpackAndPack<float>({3}, -1, 1, kTfLiteFloat32);
  CheckUnpackAndPack<uint8_t>({3, 2}, 1, 2, kTfLiteBool);
  CheckUnpackAndPack<int16_t>({3, 2}, 2, 2, kTfLiteFloat16);
  CheckUnpackAndPack<int64_t>({1, 2, 3, 1, 2}, 3, 12, kTfLiteInt64);
}

TEST(Unpack, BadOperandsAreErrors) {
  struct Case {
    Index shape;
    int axis, outputs;
  };
  for (const Case& c : {Case{{2, 3}, 2, 2}, Case{{2, 3}, -3, 2}, Case{{2, 3}, 0, 3}, Case{{}, 0, 1},
                        Case{{2, 0}, 0, 2}, Case{{2, 0}, 1, 0}}) {
    TfLiteUnpackParams params{c.outputs, c.axis};
    OpRunner run(UnpackRegistration(OpForm::kOptimized), &params);
    run.Input(c.shape, Numbered<float>(c.shape));
    for (int i = 0; i < c.outputs; ++i) run.Output();
    EXPECT_EQ(run.Run(), kTfLiteError);
    EXPECT_EQ(run.error().rfind("UNPACK: ", 0), 0u) << run.error();
  }
}

TEST(Pack, BadOperandsAreErrors) {
  struct Case {
    Index a, b;
    TfLiteType type_b, type_out;
    TfLitePackParams params;
  };
  for (const Case& c : {Case{{2}, {3}, kTfLiteFloat32, kTfLiteFloat32, {2, 0}},
                        Case{{2}, {2, 1}, kTfLiteFloat32, kTfLiteFloat32, {2, 0}},
                        Case{{2}, {2}, kTfLiteInt32, kTfLiteFloat32, {2, 0}},
                        Case{{2}, {2}, kTfLiteFloat32, kTfLiteInt32, {2, 0}},
                        Case{{2}, {2}, kTfLiteFloat32, kTfLiteFloat32, {2, 2}},
                        Case{{2}, {2}, kTfLiteFloat32, kTfLiteFloat32, {2, -3}},
                        Case{{2}, {2}, kTfLiteFloat32, kTfLiteFloat32, {3, 0}},
                        Case{{2}, {2}, kTfLiteFloat32, kTfLiteFloat32, {0, 0}},
                        Case{{1 << 30}, {1 << 30}, kTfLiteFloat32, kTfLiteFloat32, {2, 0}}}) {
    TfLitePackParams params = c.params;
    OpRunner run(PackRegistration(OpForm::kOptimized), &params);
    run.EmptyInput(c.a, kTfLiteFloat32);
    run.EmptyInput(c.b, c.type_b);
    run.Output(c.type_out);
    EXPECT_EQ(run.Prepare(), kTfLiteError);
    EXPECT_EQ(run.error().rfind("PACK: ", 0), 0u) << run.error();
  }
  TfLitePackParams params{1, 0};
  OpRunner scale(PackRegistration(OpForm::kOptimized), &params);
  scale.Input<int8_t>({2}, {1, 2});
  scale.input(0).params = {0.5f, 1};
  scale.Output(kTfLiteInt8);
  scale.output().params = {0.5f, 2};
  EXPECT_EQ(scale.Prepare(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
