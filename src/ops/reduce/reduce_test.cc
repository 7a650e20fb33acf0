// SPDX-License-Identifier: Apache-2.0
// Reductions of integers, BOOL values and scaled numbers, axes of the run, and refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/operand_scales.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

using ReduceRegistration = TfLiteRegistration (*)(OpForm);

// Elements that make each element of the output, in their order.
std::vector<std::vector<int64_t>> Parts(const std::vector<int>& shape,
                                        const std::vector<int>& axes) {
  std::vector<bool> reduced(shape.size(), false);
  for (const int axis : axes) {
    reduced[axis < 0 ? axis + static_cast<int>(shape.size()) : axis] = true;
  }
  int64_t outputs = 1;
  for (size_t d = 0; d < shape.size(); ++d) outputs *= reduced[d] ? 1 : shape[d];
  std::vector<std::vector<int64_t>> parts(static_cast<size_t>(outputs));
  for (int64_t i = 0; i < Count(shape); ++i) {
    int64_t rest = i, to = 0, stride = 1;
    for (size_t d = shape.size(); d-- > 0;) {
      if (!reduced[d]) {
        to += rest % shape[d] * stride;
        stride *= shape[d];
      }
      rest /= shape[d];
    }
    parts[to].push_back(i);
  }
  return parts;
}

template <class T>
std::vector<T> RandomWhole(int64_t count, uint64_t seed) {
  Random random(seed);
  std::vector<T> values(static_cast<size_t>(count));
  for (T& v : values) v = static_cast<T>(random.Integer(-7, 7));
  return values;
}

template <class T>
void CheckPlain(ReduceRegistration registration, TfLiteType type,
                const std::function<T(T, T)>& combine, T start,
                const std::vector<T>& specials = {}) {
  for (const auto& [shape, axes] :
       std::vector<std::pair<std::vector<int>, std::vector<int>>>{{{5}, {0}},
                                                                  {{3, 4}, {0}},
                                                                  {{3, 4}, {-1}},
                                                                  {{2, 3, 4}, {0, 2}},
                                                                  {{2, 3, 4}, {}},
                                                                  {{2, 3, 4}, {1, -2, 1}},
                                                                  {{2, 1, 3, 2, 5}, {1, 3}},
                                                                  {{2, 3, 2, 2, 3, 2}, {0, 2, 4}},
                                                                  {{3, 700}, {0}},
                                                                  {{2, 0, 3}, {1}},
                                                                  {{0, 3}, {1}}}) {
    std::vector<T> in = RandomWhole<T>(Count(shape), 3);
    for (size_t i = 0; i < specials.size() && i < in.size(); ++i) in[i] = specials[i];
    std::vector<T> want;
    for (const auto& part : Parts(shape, axes)) {
      T v = start;
      for (const int64_t i : part) v = combine(v, in[i]);
      want.push_back(v);
    }
    for (const bool constant : {true, false}) {
      for (const bool keep : {true, false}) {
        for (const Way& way : kWays) {
          TfLiteReducerParams params{keep};
          OpRunner run(registration(way.form), &params, way.threads);
          run.InputAs(type, shape, in);
          run.Input<int32_t>({static_cast<int>(axes.size())}, {axes.begin(), axes.end()},
                             constant ? kTfLiteMmapRo : kTfLiteArenaRw);
          run.Output(type);
          ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
          EXPECT_EQ(run.Values<T>(), want) << ShapeText(ShapeOf(&run.input(0)));
          EXPECT_EQ(run.OutputShape().size() == shape.size(), keep || axes.empty());
        }
      }
    }
  }
}

template <class T>
void CheckNumbers(TfLiteType type) {
  using Wide = std::make_unsigned_t<T>;
  const std::vector<T> ends = {std::numeric_limits<T>::max(), std::numeric_limits<T>::max(),
                               std::numeric_limits<T>::min()};
  CheckPlain<T>(
      SumRegistration, type,
      [](T a, T b) { return static_cast<T>(static_cast<Wide>(a) + static_cast<Wide>(b)); }, 0,
      ends);
  CheckPlain<T>(
      ReduceProdRegistration, type,
      [](T a, T b) { return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b)); }, 1,
      ends);
  CheckPlain<T>(
      ReduceMaxRegistration, type, [](T a, T b) { return std::max(a, b); },
      std::numeric_limits<T>::min(), ends);
  CheckPlain<T>(
      ReduceMinRegistration, type, [](T a, T b) { return std::min(a, b); },
      std::numeric_limits<T>::max(), ends);
}

TEST(Reduce, WholeNumbers) {
  CheckNumbers<int32_t>(kTfLiteInt32);
  CheckNumbers<int64_t>(kTfLiteInt64);
}

TEST(Reduce, Bools) {
  CheckPlain<uint8_t>(ReduceAnyRegistration, kTfLiteBool,
                      [](uint8_t a, uint8_t b) { return static_cast<uint8_t>(a != 0 || b != 0); },
                      0, {0, 0, 0, 0});
  CheckPlain<uint8_t>(ReduceAllRegistration, kTfLiteBool,
                      [](uint8_t a, uint8_t b) { return static_cast<uint8_t>(a != 0 && b != 0); },
                      1, {0, 1, 1, 0});
}

TEST(Reduce, FloatsWithoutElementsAndScalars) {
  const auto run = [](ReduceRegistration registration, const std::vector<int>& shape,
                      const std::vector<float>& in, const std::vector<int32_t>& axes) {
    TfLiteReducerParams params{};
    OpRunner op(registration(OpForm::kOptimized), &params);
    op.Input(shape, in);
    op.Input<int32_t>({static_cast<int>(axes.size())}, axes, kTfLiteMmapRo);
    op.Output();
    EXPECT_EQ(op.Run(), kTfLiteOk) << op.error();
    return op.Values();
  };
  constexpr float kMax = std::numeric_limits<float>::max();
  EXPECT_EQ(run(SumRegistration, {0, 2}, {}, {0}), (std::vector<float>{0, 0}));
  EXPECT_EQ(run(SumRegistration, {3, 2, 0}, {}, {0, 2}), (std::vector<float>{0, 0}));
  EXPECT_EQ(run(ReduceProdRegistration, {0, 2}, {}, {0}), (std::vector<float>{1, 1}));
  EXPECT_EQ(run(ReduceMaxRegistration, {3, 2, 0}, {}, {0, 2}), (std::vector<float>{-kMax, -kMax}));
  EXPECT_EQ(run(ReduceMaxRegistration, {0, 1}, {}, {0}), (std::vector<float>{-kMax}));
  EXPECT_EQ(run(ReduceMinRegistration, {0, 1}, {}, {0}), (std::vector<float>{kMax}));
  EXPECT_TRUE(std::isnan(run(MeanRegistration, {0, 1}, {}, {0})[0]));
  EXPECT_EQ(run(MeanRegistration, {}, {3}, {5}), (std::vector<float>{3}));
  EXPECT_EQ(run(MeanRegistration, {2, 3}, {1, 2, 3, 4, 5, 9}, {1}), (std::vector<float>{2, 6}));
}

// Real values to within the rounding.
TEST(Reduce, ScaledNumbers) {
  for (const ReduceRegistration registration : {MeanRegistration, SumRegistration}) {
    const std::vector<int8_t> in = RandomWhole<int8_t>(2 * 5 * 3, 9);
    TfLiteReducerParams params{};
    OperandScales given;
    OpRunner run(registration(OpForm::kOptimized), &params);
    run.Input({2, 5, 3}, in);
    run.Input<int32_t>({1}, {1}, kTfLiteMmapRo);
    run.Output(kTfLiteInt8);
    given.Give(run.input(0), {0.5f}, 3);
    given.Give(run.output(), {0.75f}, -2);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    const std::vector<int8_t> got = run.Values<int8_t>();
    const auto parts = Parts({2, 5, 3}, {1});
    for (size_t o = 0; o < got.size(); ++o) {
      double sum = 0;
      for (const int64_t i : parts[o]) sum += 0.5 * (in[i] - 3);
      if (registration == MeanRegistration) sum /= 5;
      // Rounded twice, the first time to quarters of a step.
      EXPECT_NEAR(got[o], sum / 0.75 - 2, 0.63) << o;
    }
  }
}

// With computed axes the number of factors is known in Eval only.
TEST(Reduce, ProductsOfFarScalesAreErrors) {
  for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
    for (const float scale : {1.0f, 1e-6f}) {
      TfLiteReducerParams params{};
      OperandScales given;
      OpRunner run(ReduceProdRegistration(OpForm::kOptimized), &params);
      run.Input<int8_t>({1}, {3});
      run.Input<int32_t>({1}, {0}, where);
      run.Output(kTfLiteInt8);
      given.Give(run.input(0), {scale});
      given.Give(run.output(), {1e-6f});
      EXPECT_EQ(run.Run(), scale == 1 ? kTfLiteError : kTfLiteOk) << run.error();
      if (scale == 1) {
        EXPECT_EQ(run.error(),
                  "REDUCE_PROD: scale of output is too small for its inputs (a factor of 2^20, at "
                  "most 2^7)");
      } else {
        EXPECT_EQ(run.Values<int8_t>(), std::vector<int8_t>{3});
      }
    }
  }
}

TEST(Reduce, BadOperandsAreErrors) {
  const auto run = [](ReduceRegistration registration, TfLiteType type,
                      const std::vector<int32_t>& axes, bool constant, TfLiteType output) {
    TfLiteReducerParams params{};
    OpRunner op(registration(OpForm::kOptimized), &params);
    op.InputAs(type, {2, 2}, std::vector<float>(4));
    op.Input<int32_t>({static_cast<int>(axes.size())}, axes,
                      constant ? kTfLiteMmapRo : kTfLiteArenaRw);
    op.Output(output);
    return op.Run();
  };
  for (const bool constant : {true, false}) {
    EXPECT_EQ(run(SumRegistration, kTfLiteFloat32, {1}, constant, kTfLiteFloat32), kTfLiteOk);
    for (const int32_t axis : {2, -3, 1 << 30, std::numeric_limits<int32_t>::min()}) {
      EXPECT_EQ(run(SumRegistration, kTfLiteFloat32, {axis}, constant, kTfLiteFloat32),
                kTfLiteError);
    }
  }
  EXPECT_EQ(run(SumRegistration, kTfLiteFloat32, {1}, true, kTfLiteInt32), kTfLiteError);
  EXPECT_EQ(run(SumRegistration, kTfLiteBool, {1}, true, kTfLiteBool), kTfLiteError);
  EXPECT_EQ(run(ReduceAnyRegistration, kTfLiteFloat32, {1}, true, kTfLiteFloat32), kTfLiteError);
  EXPECT_EQ(run(MeanRegistration, kTfLiteInt8, {1}, true, kTfLiteInt8), kTfLiteError);
}

TEST(Reduce, SmallResultsOfConstantsAreConstants) {
  for (const int kept : {1, 8, 9}) {
    TfLiteReducerParams params{};
    OpRunner run(SumRegistration(OpForm::kOptimized), &params);
    run.Input<int32_t>({2, kept}, std::vector<int32_t>(static_cast<size_t>(2 * kept), 3),
                       kTfLiteMmapRo);
    run.Input<int32_t>({1}, {0}, kTfLiteMmapRo);
    run.Output(kTfLiteInt32);
    ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.output().allocation_type, kept <= 8 ? kTfLitePersistentRo : kTfLiteArenaRw);
    ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values<int32_t>(), std::vector<int32_t>(static_cast<size_t>(kept), 6));
  }
}

}  // namespace
}  // namespace tern::testing
