// SPDX-License-Identifier: Apache-2.0
// ARG_MAX, ARG_MIN and TOPK_V2 in all types, ties and NaN included, and their refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

template <class T, class Index>
void CheckArg(TfLiteType type, bool largest) {
  for (const std::vector<int>& shape :
       {std::vector<int>{7}, {3, 5}, {2, 3, 4}, {2, 1, 3, 9}, {2, 3, 2, 1, 5}}) {
    std::vector<T> in(static_cast<size_t>(Count(shape)));
    Random random(7);
    for (T& v : in) v = static_cast<T>(random.Integer(0, type == kTfLiteBool ? 1 : 3));
    for (int axis = 0; axis < static_cast<int>(shape.size()); ++axis) {
      int64_t inner = 1;
      for (size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
      std::vector<Index> want;
      for (int64_t line = 0; line < Count(shape) / shape[axis]; ++line) {
        const int64_t first = line / inner * inner * shape[axis] + line % inner;
        Index found = 0;
        for (int i = 1; i < shape[axis]; ++i) {
          const T v = in[first + i * inner], best = in[first + found * inner];
          if (largest ? v > best : v < best) found = static_cast<Index>(i);
        }
        want.push_back(found);
      }
      for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
        TfLiteArgMaxParams params{};
        OpRunner run(largest ? ArgMaxRegistration(OpForm::kOptimized)
                             : ArgMinRegistration(OpForm::kOptimized),
                     &params, 2);
        run.InputAs(type, shape, in);
        run.Input<int32_t>({}, {axis % 2 == 0 ? axis : axis - static_cast<int>(shape.size())},
                           where);
        run.Output(sizeof(Index) == 8 ? kTfLiteInt64 : kTfLiteInt32);
        ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
        EXPECT_EQ(run.template Values<Index>(), want);
        EXPECT_EQ(run.OutputShape().size(), shape.size() - 1);
      }
    }
  }
}

TEST(ArgMinMax, AllTypes) {
  for (const bool largest : {true, false}) {
    CheckArg<float, int32_t>(kTfLiteFloat32, largest);
    CheckArg<float, int64_t>(kTfLiteFloat32, largest);
    CheckArg<int32_t, int32_t>(kTfLiteInt32, largest);
    CheckArg<int8_t, int64_t>(kTfLiteInt8, largest);
    CheckArg<uint8_t, int32_t>(kTfLiteUInt8, largest);
    CheckArg<uint8_t, int64_t>(kTfLiteBool, largest);
  }
}

// As the reference answers: along outer axes NaN counts only where there is nothing else, along the
// innermost one where one of four searches side by side saw nothing else.
TEST(ArgMinMax, NanIsPassedOver) {
  const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
  const struct {
    std::vector<float> line;
    int32_t largest, smallest;              // along an outer axis
    int32_t inner_largest, inner_smallest;  // along the innermost one
  } kCases[] = {
      {{nan, 7, nan}, 1, 1, 1, 1},
      {{nan, nan}, 0, 0, 0, 0},
      {{nan, nan, -inf}, 2, 2, 2, 2},
      {{nan, inf, 3}, 1, 2, 1, 2},
      {{2, nan, 3}, 2, 0, 2, 0},
      {{3, nan, nan, 2}, 0, 3, 0, 0},
      {{nan, 1, 1, nan, 2, 0}, 4, 5, 4, 5},
      {{nan, 1, -2, 3}, 3, 2, 0, 0},
      {{nan, 1, 2, 3, 4}, 4, 1, 4, 4},
      {{1, nan, nan, nan, nan, nan, nan, 0, 2}, 8, 7, 8, 0},
  };
  for (const auto& c : kCases) {
    const auto size = static_cast<int>(c.line.size());
    std::vector<float> twice;  // the same line twice, side by side
    for (const float v : c.line) twice.insert(twice.end(), {v, v});
    for (const bool largest : {true, false}) {
      const TfLiteRegistration op =
          largest ? ArgMaxRegistration(OpForm::kOptimized) : ArgMinRegistration(OpForm::kOptimized);
      const int32_t want = largest ? c.largest : c.smallest;
      TfLiteArgMaxParams params{};
      OpRunner inner(op, &params);
      inner.Input<float>({1, size}, c.line);
      inner.Input<int32_t>({}, {1});
      inner.Output(kTfLiteInt32);
      ASSERT_EQ(inner.Run(), kTfLiteOk) << inner.error();
      EXPECT_EQ(inner.Values<int32_t>(),
                std::vector<int32_t>{largest ? c.inner_largest : c.inner_smallest});
      OpRunner outer(op, &params);
      outer.Input<float>({size, 2}, twice);
      outer.Input<int32_t>({}, {0});
      outer.Output(kTfLiteInt32);
      ASSERT_EQ(outer.Run(), kTfLiteOk) << outer.error();
      EXPECT_EQ(outer.Values<int32_t>(), (std::vector<int32_t>{want, want}));
    }
  }
}

TEST(ArgMinMax, BadOperandsAreErrors) {
  const auto run = [](const std::vector<int>& shape, int32_t axis, TfLiteType type,
                      TfLiteType output) {
    TfLiteArgMaxParams params{};
    OpRunner op(ArgMaxRegistration(OpForm::kOptimized), &params);
    op.InputAs(type, shape, std::vector<float>(Count(shape)));
    op.Input<int32_t>({}, {axis});
    op.Output(output);
    return op.Run();
  };
  EXPECT_EQ(run({2, 2}, 1, kTfLiteFloat32, kTfLiteInt32), kTfLiteOk);
  EXPECT_EQ(run({2, 2}, 2, kTfLiteFloat32, kTfLiteInt32), kTfLiteError);
  EXPECT_EQ(run({2, 2}, -3, kTfLiteFloat32, kTfLiteInt32), kTfLiteError);
  EXPECT_EQ(run({}, 0, kTfLiteFloat32, kTfLiteInt32), kTfLiteError);
  EXPECT_EQ(run({2, 0}, 1, kTfLiteFloat32, kTfLiteInt32), kTfLiteError);
  EXPECT_EQ(run({2, 0}, 0, kTfLiteFloat32, kTfLiteInt32), kTfLiteOk);
  EXPECT_EQ(run({2, 2}, 1, kTfLiteFloat32, kTfLiteFloat32), kTfLiteError);
  EXPECT_EQ(run({2, 2}, 1, kTfLiteInt16, kTfLiteInt32), kTfLiteError);
}

template <class T, class Index>
void CheckTopK(TfLiteType type, TfLiteType index_type) {
  const int size = 21, rows = 3;
  std::vector<T> in(rows * size);
  Random random(9);
  for (T& v : in) v = static_cast<T>(random.Integer(0, 9));
  for (const int k : {INT32_MIN, -1, 0, 1, 2, 20, 21}) {
    std::vector<T> values;
    std::vector<Index> indices;
    for (int row = 0; row < rows; ++row) {
      std::vector<Index> order(size);
      for (int i = 0; i < size; ++i) order[i] = static_cast<Index>(i);
      std::stable_sort(order.begin(), order.end(),
                       [&](Index a, Index b) { return in[row * size + a] > in[row * size + b]; });
      for (int i = 0; i < k; ++i) {
        indices.push_back(order[i]);
        values.push_back(in[row * size + order[i]]);
      }
    }
    for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
      OpRunner run(TopkV2Registration(OpForm::kOptimized), nullptr, 2);
      run.InputAs(type, {rows, size}, in);
      run.Input<int32_t>({}, {k}, where);
      run.Output(type);
      run.Output(index_type);
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      EXPECT_EQ(run.OutputShape(0), (Shape{rows, std::max(k, 0)}));
      EXPECT_EQ(run.OutputShape(1), (Shape{rows, std::max(k, 0)}));
      EXPECT_EQ(run.template Values<T>(0), values);
      EXPECT_EQ(run.template Values<Index>(1), indices);
    }
  }
}

TEST(TopK, AllTypes) {
  CheckTopK<float, int32_t>(kTfLiteFloat32, kTfLiteInt32);
  CheckTopK<float, int16_t>(kTfLiteFloat32, kTfLiteInt16);
  CheckTopK<int8_t, int32_t>(kTfLiteInt8, kTfLiteInt32);
  CheckTopK<uint8_t, int32_t>(kTfLiteUInt8, kTfLiteInt32);
  CheckTopK<int16_t, int32_t>(kTfLiteInt16, kTfLiteInt32);
  CheckTopK<int32_t, int32_t>(kTfLiteInt32, kTfLiteInt32);
  CheckTopK<int64_t, int32_t>(kTfLiteInt64, kTfLiteInt32);
}

TEST(TopK, NanComesLastAndBadOperandsAreErrors) {
  const auto run = [](const std::vector<int>& shape, const std::vector<float>& in, int32_t k) {
    OpRunner op(TopkV2Registration(OpForm::kOptimized));
    op.Input(shape, in);
    op.Input<int32_t>({}, {k});
    op.Output();
    op.Output(kTfLiteInt32);
    const TfLiteStatus status = op.Run();
    return std::pair(status, status == kTfLiteOk ? op.Values<int32_t>(1) : std::vector<int32_t>{});
  };
  const float nan = std::nanf("");
  EXPECT_EQ(run({4}, {nan, 1, nan, 2}, 4).second, (std::vector<int32_t>{3, 1, 0, 2}));
  EXPECT_EQ(run({2}, {1, 2}, 3).first, kTfLiteError);
  EXPECT_EQ(run({}, {1}, 1).first, kTfLiteError);
  EXPECT_EQ(run({}, {1}, -1).first, kTfLiteError);
  EXPECT_EQ(run({0}, {}, 0).first, kTfLiteOk);
}

}  // namespace
}  // namespace tern::testing
