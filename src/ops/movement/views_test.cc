// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE, REVERSE_V2, TILE, BROADCAST_TO, EXPAND_DIMS, SQUEEZE, and what all movements share.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "ops/cpu_kit/region.h"
#include "ops/cpu_registry.h"
#include "ops/testing/index_walk.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

// One operand, one vector that controls the op.
template <class T, class Control>
void CheckControlled(TfLiteRegistration (*registration)(OpForm), const Index& shape,
                     const std::vector<Control>& control, const Index& want_shape,
                     const std::vector<T>& want, TfLiteType type) {
  for (const auto where : kPlaces) {
    OpRunner run(registration(OpForm::kOptimized));
    run.InputAs(type, shape, Numbered<T>(shape));
    run.Input<Control>({static_cast<int>(control.size())}, control, where);
    run.Output(type);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(Dims(run.OutputShape()), want_shape);
    EXPECT_EQ(run.Values<T>(), want);
  }
}

template <class T>
void CheckTranspose(const Index& shape, const std::vector<int32_t>& order, TfLiteType type) {
  const int rank = static_cast<int>(shape.size());
  Index to;
  for (const int32_t entry : order) to.push_back(shape[entry < 0 ? entry + rank : entry]);
  const std::vector<T> want = Picked(Numbered<T>(shape), shape, to, [&](const Index& out) {
    Index in(shape.size());
    for (int i = 0; i < rank; ++i) in[order[i] < 0 ? order[i] + rank : order[i]] = out[i];
    return in;
  });
  CheckControlled<T>(TransposeRegistration, shape, order, to, want, type);
}

TEST(Transpose, EveryOrderOfEveryRank) {
  const Index sizes = {2, 3, 1, 4, 5};
  for (int rank = 1; rank <= 5; ++rank) {
    std::vector<int32_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    const Index shape(sizes.end() - rank, sizes.end());
    do {
      CheckTranspose<float>(shape, order, kTfLiteFloat32);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(Transpose, TypesAndLargeSquares) {
  CheckTranspose<uint8_t>({3, 70, 2}, {1, 2, 0}, kTfLiteBool);
  CheckTranspose<int8_t>({65, 33}, {1, 0}, kTfLiteInt8);
  CheckTranspose<int16_t>({65, 33}, {1, 0}, kTfLiteFloat16);
  CheckTranspose<float>({65, 130}, {-1, 0}, kTfLiteFloat32);
  CheckTranspose<int64_t>({2, 40, 37}, {0, 2, 1}, kTfLiteInt64);
  CheckTranspose<double>({40, 37}, {1, 0}, kTfLiteComplex64);
  CheckTranspose<float>({2, 0, 3}, {2, 1, 0}, kTfLiteFloat32);
  CheckTranspose<float>({1, 2, 1, 2, 1, 2, 1, 2}, {7, 5, 3, 1, 6, 4, 2, 0}, kTfLiteFloat32);
  OpRunner scalar(TransposeRegistration(OpForm::kReference));
  scalar.Input<float>({}, {5});
  scalar.Input<int32_t>({0}, {}, kTfLiteMmapRo);
  scalar.Output();
  ASSERT_EQ(scalar.Run(), kTfLiteOk) << scalar.error();
  EXPECT_EQ(scalar.Values(), std::vector<float>{5});
}

TEST(Transpose, BadOrdersAreErrors) {
  const std::pair<Index, std::vector<int32_t>> cases[] = {{{2, 3}, {0}},
                                                          {{2, 3}, {0, 2}},
                                                          {{2, 3}, {0, -3}},
                                                          {{2, 3}, {1, 1}},
                                                          {{2, 3}, {0, -2}},
                                                          {{2, 3}, {0, 1, 2}},
                                                          {Index(9, 1), std::vector<int32_t>(9)}};
  for (const auto& [shape, order] : cases) {
    for (const auto where : kPlaces) {
      OpRunner run(TransposeRegistration(OpForm::kOptimized));
      run.Input(shape, Numbered<float>(shape));
      run.Input<int32_t>({static_cast<int>(order.size())}, order, where);
      run.Output();
      EXPECT_EQ(run.Run(), kTfLiteError);
      EXPECT_EQ(run.error().rfind("TRANSPOSE: ", 0), 0u) << run.error();
    }
  }
  OpRunner types(TransposeRegistration(OpForm::kOptimized));
  types.EmptyInput({2}, kTfLiteFloat32);
  types.EmptyInput({1}, kTfLiteInt32);
  types.Output(kTfLiteInt32);
  EXPECT_EQ(types.Prepare(), kTfLiteError);
}

template <class T>
void CheckReverse(const Index& shape, const std::vector<int32_t>& axes, TfLiteType type) {
  std::vector<bool> reversed(shape.size(), false);
  for (const int32_t axis : axes) reversed[axis < 0 ? axis + shape.size() : axis] = true;
  const std::vector<T> want = Picked(Numbered<T>(shape), shape, shape, [&](Index index) {
    for (size_t i = 0; i < shape.size(); ++i) {
      if (reversed[i]) index[i] = shape[i] - 1 - index[i];
    }
    return index;
  });
  CheckControlled<T>(ReverseV2Registration, shape, axes, shape, want, type);
}

TEST(Reverse, AxesAndTypes) {
  for (int axis = -5; axis < 5; ++axis) {
    CheckReverse<float>({2, 3, 2, 3, 4}, {axis}, kTfLiteFloat32);
  }
  CheckReverse<float>({2, 3, 4}, {1, 2}, kTfLiteFloat32);
  CheckReverse<float>({2, 3, 4}, {0, 2}, kTfLiteFloat32);
  CheckReverse<float>({2, 3, 4}, {}, kTfLiteFloat32);
  CheckReverse<uint8_t>({2, 5}, {1}, kTfLiteBool);
  CheckReverse<int16_t>({5}, {0}, kTfLiteInt16);
  CheckReverse<int64_t>({2, 0, 4}, {1}, kTfLiteInt64);
  OpRunner bad(ReverseV2Registration(OpForm::kOptimized));
  bad.Input<float>({2}, {1, 2});
  bad.Input<int32_t>({1}, {1}, kTfLiteMmapRo);
  bad.Output();
  EXPECT_EQ(bad.Run(), kTfLiteError);
}

template <class T, class Control = int32_t>
void CheckTile(const Index& shape, const std::vector<Control>& multiples, TfLiteType type) {
  Index to = shape;
  for (size_t i = 0; i < to.size(); ++i) to[i] *= static_cast<int>(multiples[i]);
  const std::vector<T> want = Picked(Numbered<T>(shape), shape, to, [&](Index index) {
    for (size_t i = 0; i < shape.size(); ++i) index[i] %= shape[i];
    return index;
  });
  CheckControlled<T>(TileRegistration, shape, multiples, to, want, type);
}

TEST(Tile, MultiplesAndTypes) {
  CheckTile<float>({2, 1, 3}, {1, 5, 2}, kTfLiteFloat32);
  CheckTile<float>({2, 2, 3, 3, 2}, {2, 1, 3, 2, 1}, kTfLiteFloat32);
  CheckTile<float>({2, 3}, {0, 2}, kTfLiteFloat32);
  CheckTile<float>({0, 3}, {4, 2}, kTfLiteFloat32);
  CheckTile<uint8_t, int64_t>({3, 2}, {2, 3}, kTfLiteBool);
  CheckTile<int16_t>({3, 40}, {2, 3}, kTfLiteInt16);
  CheckTile<int64_t>({5}, {3}, kTfLiteInt64);
  for (const std::vector<int64_t>& bad : {std::vector<int64_t>{1},
                                          {1, -1},
                                          {1, INT64_MAX},
                                          {1 << 20, 1 << 20},
                                          {INT32_MAX, INT32_MAX}}) {
    OpRunner run(TileRegistration(OpForm::kOptimized));
    run.Input<float>({2, 2}, {1, 2, 3, 4});
    run.Input<int64_t>({static_cast<int>(bad.size())}, bad, kTfLiteMmapRo);
    run.Output();
    EXPECT_EQ(run.Run(), kTfLiteError);
    EXPECT_EQ(run.error().rfind("TILE: ", 0), 0u) << run.error();
  }
}

template <class T>
void CheckBroadcast(const Index& shape, const std::vector<int64_t>& to, TfLiteType type) {
  const Index want_shape(to.begin(), to.end());
  const Index from = shape.empty() ? Index{1} : shape;
  const std::vector<T> want = Picked(Numbered<T>(shape), from, want_shape, [&](const Index& out) {
    Index in(from.size(), 0);
    for (size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] != 1) in[i] = out[out.size() - shape.size() + i];
    }
    return in;
  });
  CheckControlled<T>(BroadcastToRegistration, shape, to, want_shape, want, type);
}

TEST(BroadcastTo, ShapesAndTypes) {
  CheckBroadcast<float>({3, 1}, {2, 3, 4}, kTfLiteFloat32);
  CheckBroadcast<float>({}, {2, 3}, kTfLiteFloat32);
  CheckBroadcast<float>({1, 2, 1, 3, 1, 2}, {2, 2, 2, 3, 3, 2}, kTfLiteFloat32);
  CheckBroadcast<float>({1, 3}, {0, 3}, kTfLiteFloat32);
  CheckBroadcast<uint8_t>({2, 1, 3}, {2, 4, 3}, kTfLiteBool);
  CheckBroadcast<int16_t>({1}, {7}, kTfLiteInt16);
  CheckBroadcast<int64_t>({2, 1}, {2, 40}, kTfLiteInt64);
  // Of any rank.
  CheckBroadcast<float>({2, 3}, {1, 1, 1, 1, 1, 1, 1, 2, 3}, kTfLiteFloat32);
  CheckBroadcast<float>({1, 2, 1, 1, 1, 1, 1, 1, 2}, {3, 2, 1, 1, 1, 1, 1, 1, 2}, kTfLiteFloat32);
  CheckBroadcast<uint8_t>({1, 2, 1, 2, 1, 2, 1, 2, 1, 2}, std::vector<int64_t>(10, 2),
                          kTfLiteUInt8);
  CheckBroadcast<int16_t>({2, 1}, {1, 1, 3, 1, 1, 1, 1, 1, 1, 2, 5, 2, 3}, kTfLiteInt16);
  for (const std::vector<int32_t>& bad :
       {std::vector<int32_t>{3}, {2, 2}, {2, -1}, {INT32_MAX, 2, 3}, {1, 1, 1, 1, 1, 1, 1, 2, 4}}) {
    OpRunner run(BroadcastToRegistration(OpForm::kOptimized));
    run.Input<float>({2, 3}, {1, 2, 3, 4, 5, 6});
    run.Input<int32_t>({static_cast<int>(bad.size())}, bad);
    run.Output();
    EXPECT_EQ(run.Run(), kTfLiteError);
    EXPECT_EQ(run.error().rfind("BROADCAST_TO: ", 0), 0u) << run.error();
  }
}

TEST(ExpandDims, Axes) {
  const std::pair<int64_t, Index> cases[] = {{0, {1, 2, 3}},  {1, {2, 1, 3}},  {2, {2, 3, 1}},
                                             {-1, {2, 3, 1}}, {-3, {1, 2, 3}}, {3, {}},
                                             {-4, {}}};
  for (const auto& [axis, want] : cases) {
    for (const auto where : kPlaces) {
      OpRunner run(ExpandDimsRegistration(OpForm::kOptimized));
      run.Input<int16_t>({2, 3}, Numbered<int16_t>({2, 3}));
      run.Input<int64_t>({1}, {axis}, where);
      run.Output(kTfLiteInt16);
      ASSERT_EQ(run.Run(), want.empty() ? kTfLiteError : kTfLiteOk) << run.error();
      if (want.empty()) continue;
      EXPECT_EQ(Dims(run.OutputShape()), want);
      EXPECT_EQ(run.Values<int16_t>(), Numbered<int16_t>({2, 3}));
    }
  }
}

TEST(Squeeze, Axes) {
  struct Case {
    Index shape, axes, want;
    bool ok = true;
  };
  const Case cases[] = {{{1, 3, 1, 2}, {}, {3, 2}},
                        {{1, 3, 1, 2}, {2}, {1, 3, 2}},
                        {{1, 3, 1, 2}, {-4, 0, 2}, {3, 2}},
                        {{1, 1}, {}, {}},
                        {{}, {}, {}},
                        {{1, 0, 1}, {0}, {0, 1}},
                        {{1, 3}, {1}, {}, false},
                        {{1, 3}, {2}, {}, false},
                        {{1, 3}, {-3}, {}, false}};
  for (const Case& c : cases) {
    TfLiteSqueezeParams params{};
    params.num_squeeze_dims = static_cast<int>(c.axes.size());
    std::copy(c.axes.begin(), c.axes.end(), params.squeeze_dims);
    OpRunner run(SqueezeRegistration(OpForm::kOptimized), &params);
    run.InputAs(kTfLiteUInt32, c.shape, Numbered<float>(c.shape));
    run.Output(kTfLiteUInt32);
    ASSERT_EQ(run.Run(), c.ok ? kTfLiteOk : kTfLiteError) << run.error();
    if (!c.ok) continue;
    EXPECT_EQ(Dims(run.OutputShape()), c.want);
    EXPECT_EQ(run.Values(), Numbered<float>(c.shape));
  }
}

// A computed list is looked at in Eval, as its shape may not be known before.
TEST(Movements, ComputedListsOfAnotherShape) {
  struct Case {
    TfLiteRegistration (*op)(OpForm);
    Index shape;
    std::vector<int32_t> numbers;
    const char* words;
  };
  for (const Case& c :
       {Case{BroadcastToRegistration, {1, 2}, {2, 3}, "shape must have rank 1 (shape [1, 2])"},
        Case{BroadcastToRegistration, {2}, {2, 4}, "Output shape must be broadcastable from input"},
        Case{BroadcastToRegistration, {1}, {3}, "Output shape must be broadcastable from input"},
        Case{TransposeRegistration, {1, 2}, {1, 0}, "order must have rank 1 (shape [1, 2])"},
        Case{TransposeRegistration, {1}, {0}, "dims->data[0] != dims (1 != 2)"},
        Case{TransposeRegistration, {2}, {2, 0}, "permutations array is out of bounds"},
        Case{TileRegistration, {1}, {2}, "there must be one multiple per axis (1, rank 2)"}}) {
    for (const auto where : kPlaces) {
      OpRunner run(c.op(OpForm::kOptimized));
      run.Input<float>({2, 3}, {1, 2, 3, 4, 5, 6});
      run.Input(c.shape, c.numbers, where);
      run.Output();
      const bool constant = where == kTfLiteMmapRo;
      ASSERT_EQ(run.Prepare(), constant ? kTfLiteError : kTfLiteOk) << run.error();
      if (!constant) {
        EXPECT_EQ(run.Eval(), kTfLiteError);
      }
      EXPECT_THAT(run.error(), ::testing::HasSubstr(c.words));
    }
  }
}

TEST(Tile, MultiplesOfAnyShape) {
  for (const Index& shape : {Index{}, Index{1}, Index{1, 1}}) {
    for (const auto where : kPlaces) {
      OpRunner run(TileRegistration(OpForm::kOptimized));
      run.Input<float>({2}, {1, 2});
      run.Input<int32_t>(shape, {2}, where);
      run.Output();
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      EXPECT_EQ(run.Values(), (std::vector<float>{1, 2, 1, 2}));
    }
  }
}

TEST(Movements, StringsMoveByNumber) {
  OpRunner run(TransposeRegistration(OpForm::kOptimized));
  run.InputStrings({2, 3}, {"a", "", "ccc", "d", "ee", "f"});
  run.Input<int32_t>({2}, {1, 0}, kTfLiteMmapRo);
  run.Output(kTfLiteString);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Strings(), (std::vector<std::string>{"a", "d", "", "ee", "ccc", "f"}));
  OpRunner few(TransposeRegistration(OpForm::kOptimized));
  few.InputStrings({2, 3}, {"a"});
  few.Input<int32_t>({2}, {1, 0}, kTfLiteMmapRo);
  few.Output(kTfLiteString);
  EXPECT_EQ(few.Run(), kTfLiteError);
}

TEST(Movements, ConstantsStayConstant) {
  OpRunner run(TransposeRegistration(OpForm::kOptimized));
  run.Input<float>({2, 2}, {1, 2, 3, 4}, kTfLiteMmapRo);
  run.Input<int32_t>({2}, {1, 0}, kTfLiteMmapRo);
  run.Output();
  ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.output().allocation_type, kTfLitePersistentRo);
  EXPECT_EQ(run.Values(), (std::vector<float>{1, 3, 2, 4}));
  ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
  ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values(), (std::vector<float>{1, 3, 2, 4}));
}

TEST(Movements, MissingDataIsAnError) {
  OpRunner run(TransposeRegistration(OpForm::kOptimized));
  run.EmptyInput({2, 2}, kTfLiteFloat32);
  run.Input<int32_t>({2}, {1, 0}, kTfLiteMmapRo);
  run.Output();
  EXPECT_EQ(run.Run(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
