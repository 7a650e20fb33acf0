// SPDX-License-Identifier: Apache-2.0
// CONCATENATION, PAD and RESHAPE.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/operand_scales.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

template <class T>
std::vector<T> Counting(int64_t count, int start = 1) {
  std::vector<T> values(static_cast<size_t>(count));
  std::iota(values.begin(), values.end(), static_cast<T>(start));
  return values;
}

template <class T>
void CheckConcatenation(std::vector<std::vector<int>> shapes, int axis, TfLiteType type) {
  const int rank = static_cast<int>(shapes[0].size());
  const int positive = axis < 0 ? axis + rank : axis;
  TfLiteConcatenationParams params{axis, kTfLiteActNone};
  for (const Way& way : kWays) {
    OpRunner run(ConcatenationRegistration(way.form), &params, way.threads);
    std::vector<std::vector<T>> values;
    int total = 0;
    for (const auto& shape : shapes) {
      values.push_back(Counting<T>(Count(shape), 10 * static_cast<int>(values.size()) + 1));
      run.Input(shape, values.back(), total == 0 ? kTfLiteMmapRo : kTfLiteArenaRw);
      total += shape[positive];
    }
    run.Output(type);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    int64_t outer = 1, inner = 1;
    for (int i = 0; i < positive; ++i) outer *= shapes[0][i];
    for (int i = positive + 1; i < rank; ++i) inner *= shapes[0][i];
    std::vector<T> want;
    for (int64_t o = 0; o < outer; ++o) {
      for (size_t k = 0; k < shapes.size(); ++k) {
        const int64_t row = shapes[k][positive] * inner;
        want.insert(want.end(), values[k].begin() + o * row, values[k].begin() + (o + 1) * row);
      }
    }
    EXPECT_EQ(run.Values<T>(), want);
    EXPECT_EQ(run.OutputShape()[positive], total);
  }
}

TEST(Concatenation, AxesTypesAndEmptyInputs) {
  for (int axis = -4; axis < 4; ++axis) {
    CheckConcatenation<float>({{2, 3, 4, 5}, {2, 3, 4, 5}}, axis, kTfLiteFloat32);
  }
  CheckConcatenation<float>({{2, 3, 1, 5}, {2, 3, 4, 5}, {2, 3, 0, 5}}, 2, kTfLiteFloat32);
  CheckConcatenation<int64_t>({{3}}, 0, kTfLiteInt64);
  CheckConcatenation<int32_t>({{3, 1}, {3, 2}}, 1, kTfLiteInt32);
  CheckConcatenation<int8_t>({{3, 1}, {3, 2}}, -1, kTfLiteInt8);
  CheckConcatenation<int16_t>({{1, 2, 3, 2, 2}, {1, 2, 3, 1, 2}}, 3, kTfLiteInt16);
}

struct Quantized {
  float scale;
  int zero_point;
};

template <class T>
void CheckScaled(TfLiteType type, const Quantized& a, const Quantized& out,
                 const std::vector<T>& in, const std::vector<T>& want) {
  TfLiteConcatenationParams params{0, kTfLiteActNone};
  for (const Way& way : kWays) {
    OpRunner run(ConcatenationRegistration(way.form), &params, way.threads);
    OperandScales scales;
    run.Input({static_cast<int>(in.size())}, in);
    run.Input({1}, std::vector<T>{7});
    run.Output(type);
    scales.Give(run.input(0), {a.scale}, a.zero_point);
    scales.Give(run.input(1), {out.scale}, out.zero_point);
    scales.Give(run.output(), {out.scale}, out.zero_point);
    ASSERT_EQ(run.Run(), want.empty() ? kTfLiteError : kTfLiteOk) << run.error();
    if (want.empty()) continue;
    EXPECT_EQ(run.Values<T>(), want) << way.name;
  }
}

TEST(Concatenation, ScalesOfInputs) {
  CheckScaled<uint8_t>(kTfLiteUInt8, {0.5f, 10}, {0.25f, 3}, {0, 10, 11, 255}, {0, 3, 5, 255, 7});
  CheckScaled<uint8_t>(kTfLiteUInt8, {0.25f, 0}, {0.5f, 0}, {1, 2, 3, 255}, {1, 1, 2, 128, 7});
  CheckScaled<int8_t>(kTfLiteInt8, {0.5f, 1}, {0.5f, 1}, {-128, 5}, {-128, 5, 7});
  CheckScaled<int8_t>(kTfLiteInt8, {0.5f, 1}, {0.25f, 1}, {-128, 5}, {});
  CheckScaled<int16_t>(kTfLiteInt16, {0.5f, 0}, {0.25f, 0}, {-128, 5}, {-128, 5, 7});
  CheckScaled<int16_t>(kTfLiteInt16, {0.5f, 1}, {0.5f, 1}, {-128, 5}, {});
}

TEST(Concatenation, ConstantScalarsMakeAVector) {
  TfLiteConcatenationParams params{0, kTfLiteActNone};
  OpRunner run(ConcatenationRegistration(OpForm::kOptimized), &params);
  run.Input<int32_t>({}, {4}, kTfLiteMmapRo);
  run.Input<int32_t>({}, {-2}, kTfLiteMmapRo);
  run.Output(kTfLiteInt32);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.OutputShape(), (Shape{2}));
  EXPECT_EQ(run.Values<int32_t>(), (std::vector<int32_t>{4, -2}));
}

TEST(Concatenation, BadOperandsAreErrors) {
  struct Bad {
    std::vector<int> a, b;
    TfLiteType type_b, type_out;
    TfLiteConcatenationParams params;
  };
  const Bad cases[] = {
      {{2, 3}, {2, 3}, kTfLiteFloat32, kTfLiteFloat32, {2, kTfLiteActNone}},
      {{2, 3}, {2, 3}, kTfLiteFloat32, kTfLiteFloat32, {-3, kTfLiteActNone}},
      {{2, 3}, {2, 3}, kTfLiteFloat32, kTfLiteFloat32, {0, kTfLiteActRelu}},
      {{2, 3}, {2, 4}, kTfLiteFloat32, kTfLiteFloat32, {0, kTfLiteActNone}},
      {{2, 3}, {2, 3, 1}, kTfLiteFloat32, kTfLiteFloat32, {0, kTfLiteActNone}},
      {{2, 3}, {2, 3}, kTfLiteInt32, kTfLiteFloat32, {0, kTfLiteActNone}},
      {{2, 3}, {2, 3}, kTfLiteFloat32, kTfLiteInt32, {0, kTfLiteActNone}},
      {{}, {}, kTfLiteFloat32, kTfLiteFloat32, {0, kTfLiteActNone}},
      {{INT32_MAX}, {1}, kTfLiteFloat32, kTfLiteFloat32, {0, kTfLiteActNone}},
      {{1 << 30, 1}, {1 << 30, 1}, kTfLiteFloat32, kTfLiteFloat32, {0, kTfLiteActNone}},
  };
  for (const Bad& bad : cases) {
    TfLiteConcatenationParams params = bad.params;
    OpRunner run(ConcatenationRegistration(OpForm::kOptimized), &params);
    run.EmptyInput(bad.a, kTfLiteFloat32);
    run.EmptyInput(bad.b, bad.type_b);
    run.Output(bad.type_out);
    EXPECT_EQ(run.Prepare(), kTfLiteError);
    EXPECT_EQ(run.error().rfind("CONCATENATION: ", 0), 0u) << run.error();
  }
}

TEST(Pad, AllRanks) {
  Random random(2);
  for (int rank = 1; rank <= 5; ++rank) {
    for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
      std::vector<int> shape, out_shape;
      std::vector<int32_t> paddings;
      for (int i = 0; i < rank; ++i) {
        shape.push_back(static_cast<int>(random.Integer(1, 4)));
        paddings.push_back(static_cast<int32_t>(random.Integer(0, 2)));
        paddings.push_back(static_cast<int32_t>(random.Integer(0, 2)));
        out_shape.push_back(shape[i] + paddings[2 * i] + paddings[2 * i + 1]);
      }
      const std::vector<float> in = random.Floats(Count(shape));
      std::vector<float> want;
      for (int64_t flat = 0; flat < Count(out_shape); ++flat) {
        int64_t rest = flat, index = 0, stride = 1;
        bool inside = true;
        for (int i = rank; i-- > 0;) {
          const int64_t position = rest % out_shape[i] - paddings[2 * i];
          rest /= out_shape[i];
          inside = inside && position >= 0 && position < shape[i];
          index += position * stride;
          stride *= shape[i];
        }
        want.push_back(inside ? in[static_cast<size_t>(index)] : 0.0f);
      }
      OpRunner run(PadRegistration(OpForm::kOptimized));
      run.Input(shape, in);
      run.Input({rank, 2}, paddings, where);
      run.Output();
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      EXPECT_EQ(run.Values(), want);
    }
  }
}

TEST(Pad, QuantizedTypesAreFilledWithTheZeroPoint) {
  OpRunner run(PadRegistration(OpForm::kOptimized));
  run.Input<int8_t>({2}, {5, 6});
  run.Input<int64_t>({1, 2}, {1, 2}, kTfLiteMmapRo);
  run.Output(kTfLiteInt8);
  run.output().params = {0.5f, -3};
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values<int8_t>(), (std::vector<int8_t>{-3, 5, 6, -3, -3}));
}

TEST(Pad, BadOperandsAreErrors) {
  struct Bad {
    std::vector<int> shape, paddings_shape;
    std::vector<int32_t> paddings;
  };
  const Bad cases[] = {
      {{2, 2}, {2, 2}, {0, -1, 0, 0}},
      {{2, 2}, {1, 2}, {0, 0}},
      {{2, 2}, {4}, {0, 0, 0, 0}},
      {{2}, {1, 3}, {0, 0, 0}},
      {{2}, {1, 2}, {INT32_MAX, 1}},
      {{2, 2}, {2, 2}, {1 << 16, 0, 1 << 16, 0}},
      {{1, 1, 1, 1, 1, 1}, {6, 2}, std::vector<int32_t>(12)},
  };
  for (const Bad& bad : cases) {
    for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
      OpRunner run(PadRegistration(OpForm::kOptimized));
      run.Input(bad.shape, std::vector<float>(Count(bad.shape)));
      run.Input(bad.paddings_shape, bad.paddings, where);
      run.Output();
      EXPECT_EQ(run.Run(), kTfLiteError);
      EXPECT_EQ(run.error().rfind("PAD: ", 0), 0u) << run.error();
    }
  }
  OpRunner type(PadRegistration(OpForm::kOptimized));
  type.Input<float>({1}, {1});
  type.Input<float>({1, 2}, {0, 0}, kTfLiteMmapRo);
  type.Output();
  EXPECT_EQ(type.Run(), kTfLiteError);
}

struct ReshapeCase {
  std::vector<int> from;
  std::vector<int32_t> to;
  Shape want;
};

TEST(Reshape, ShapesFromOperandAndOptions) {
  const ReshapeCase cases[] = {
      {{2, 3}, {3, 2}, {3, 2}},
      {{2, 3}, {6}, {6}},
      {{2, 3}, {-1}, {6}},
      {{2, 3}, {1, -1}, {1, 6}},
      {{1}, {}, {}},
      {{0, 3}, {3, -1}, {3, 0}},
      {{0, 3}, {-1, 0}, {3, 0}},
      {{4, 1}, {2, -1, 2}, {2, 1, 2}},
  };
  for (const ReshapeCase& c : cases) {
    const std::vector<float> in = Counting<float>(Count(c.from));
    for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
      OpRunner run(ReshapeRegistration(OpForm::kOptimized));
      run.Input(c.from, in);
      run.Input({static_cast<int>(c.to.size())}, c.to, where);
      run.Output();
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      EXPECT_EQ(run.OutputShape(), c.want);
      EXPECT_EQ(run.Values(), in);
    }
    TfLiteReshapeParams params{};
    params.num_dimensions = static_cast<int>(c.to.size());
    std::copy(c.to.begin(), c.to.end(), params.shape);
    OpRunner run(ReshapeRegistration(OpForm::kReference), &params);
    run.Input(c.from, in);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.OutputShape(), c.want);
  }
}

TEST(Reshape, OddShapeOperandsGiveWayToTheOptions) {
  TfLiteReshapeParams params{};
  params.num_dimensions = 1;
  params.shape[0] = 0;
  OpRunner scalar(ReshapeRegistration(OpForm::kOptimized), &params);
  scalar.Input<float>({1, 1}, {7});
  scalar.Input<int64_t>({1}, {5}, kTfLiteMmapRo);
  scalar.Output();
  ASSERT_EQ(scalar.Run(), kTfLiteOk) << scalar.error();
  EXPECT_EQ(scalar.OutputShape(), Shape());
}

TEST(Reshape, ShapesOfScalarsNeedNoMemory) {
  OpRunner scalar(ReshapeRegistration(OpForm::kOptimized));
  scalar.Input<float>({1, 1}, {7});
  scalar.EmptyInput({0}, kTfLiteInt32);
  scalar.Output();
  ASSERT_EQ(scalar.Run(), kTfLiteOk) << scalar.error();
  EXPECT_EQ(scalar.output().allocation_type, kTfLiteArenaRw);
  EXPECT_EQ(scalar.OutputShape(), Shape());
}

TEST(Reshape, BadShapesAreErrors) {
  struct BadShape {
    std::vector<int32_t> to;
    const char* message;  // words that users of TensorFlow Lite look for
  };
  const char* const another_count = "num_input_elements != num_output_elements (6 != ";
  const BadShape cases[] = {
      {{-1, 0}, another_count},
      {{-1, -1}, "stretch_dim != -1 (0 != -1)"},
      {{4, -1}, another_count},
      {{7}, another_count},
      {{-2, 3}, "output shape contains negative dimension"},
      {{}, another_count},
      {{1 << 20, 1 << 20}, another_count},
      {{INT32_MAX, INT32_MAX, INT32_MAX, -1}, another_count},
  };
  for (const auto& [to, message] : cases) {
    for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
      OpRunner run(ReshapeRegistration(OpForm::kOptimized));
      run.Input({2, 3}, Counting<float>(6));
      run.Input({static_cast<int>(to.size())}, to, where);
      run.Output();
      EXPECT_EQ(run.Run(), kTfLiteError);
      EXPECT_EQ(run.error().rfind("RESHAPE: ", 0), 0u) << run.error();
      EXPECT_THAT(run.error(), ::testing::HasSubstr(message));
    }
  }
  OpRunner no_shape(ReshapeRegistration(OpForm::kOptimized));
  no_shape.Input<float>({1}, {1});
  no_shape.Output();
  EXPECT_EQ(no_shape.Run(), kTfLiteError);
  // A shape operand whose memory is missing, and one shorter than it says.
  OpRunner no_data(ReshapeRegistration(OpForm::kOptimized));
  no_data.Input<float>({1}, {1});
  no_data.EmptyInput({2}, kTfLiteInt32);
  no_data.input(1).allocation_type = kTfLiteMmapRo;
  no_data.Output();
  EXPECT_EQ(no_data.Run(), kTfLiteError);
  OpRunner too_short(ReshapeRegistration(OpForm::kOptimized));
  too_short.Input<float>({1}, {1});
  too_short.Input<int32_t>({2}, {1}, kTfLiteMmapRo);
  too_short.Output();
  EXPECT_EQ(too_short.Run(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
