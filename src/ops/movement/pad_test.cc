// SPDX-License-Identifier: Apache-2.0
// PADV2 and MIRROR_PAD; PAD has its tests with the movements it was made for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "ops/cpu_registry.h"
#include "ops/testing/index_walk.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

template <class T>
void CheckPadV2(const Index& shape, const std::vector<int32_t>& paddings, T value,
                TfLiteType type) {
  Index to = shape;
  for (size_t i = 0; i < to.size(); ++i) to[i] += paddings[2 * i] + paddings[2 * i + 1];
  const std::vector<T> want = Picked(
      Numbered<T>(shape), shape, to,
      [&](Index index) {
        for (size_t i = 0; i < index.size(); ++i) {
          index[i] -= paddings[2 * i];
          if (index[i] < 0 || index[i] >= shape[i]) return Index();
        }
        return index;
      },
      value);
  for (const auto where : kPlaces) {
    OpRunner run(Padv2Registration(OpForm::kOptimized));
    run.InputAs(type, shape, Numbered<T>(shape));
    run.Input<int32_t>({static_cast<int>(shape.size()), 2}, paddings, where);
    run.InputAs(type, {}, std::vector<T>{value}, where);
    run.Output(type);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(Dims(run.OutputShape()), to);
    EXPECT_EQ(run.Values<T>(), want);
  }
}

TEST(PadV2, ValuesAndTypes) {
  CheckPadV2<float>({2, 3, 2, 3}, {1, 0, 0, 2, 1, 1, 3, 2}, -INFINITY, kTfLiteFloat32);
  CheckPadV2<float>({3}, {2, 1}, 1.5f, kTfLiteFloat32);
  CheckPadV2<float>({0, 2}, {2, 1, 0, 0}, 1.5f, kTfLiteFloat32);
  CheckPadV2<uint8_t>({2, 2}, {1, 0, 0, 2}, 1, kTfLiteBool);
  CheckPadV2<int8_t>({2, 2}, {1, 0, 0, 2}, -100, kTfLiteInt8);
  CheckPadV2<int16_t>({2, 2}, {1, 0, 0, 2}, -30000, kTfLiteInt16);
  CheckPadV2<int64_t>({1, 2, 1, 2, 1}, {1, 0, 0, 2, 0, 0, 1, 1, 0, 1}, 1LL << 40, kTfLiteInt64);
}

// Both names take a value and do without.
TEST(Pad, ValueMayBeAbsent) {
  for (const auto registration : {&PadRegistration, &Padv2Registration}) {
    for (const int form : {0, 1, 2}) {  // two operands, an absent third, a value
      OpRunner run(registration(OpForm::kOptimized));
      run.Input<int8_t>({2}, {7, 8});
      run.Input<int32_t>({1, 2}, {1, 2}, kTfLiteMmapRo);
      if (form == 1) run.AbsentInput();
      if (form == 2) run.Input<int8_t>({1}, {9});
      run.Output(kTfLiteInt8);
      for (TfLiteTensor* t : {&run.input(0), &run.output()}) t->params = {0.5f, 3};
      if (form == 2) run.input(2).params = {0.5f, 3};
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      const int8_t border = form == 2 ? 9 : 3;
      EXPECT_EQ(run.Values<int8_t>(), (std::vector<int8_t>{border, 7, 8, border, border}));
    }
  }
}

TEST(PadV2, BadOperandsAreErrors) {
  struct Case {
    Index paddings_shape, value_shape;
    TfLiteType value, output;
  };
  for (const Case& c : {Case{{2, 2}, {2}, kTfLiteFloat32, kTfLiteFloat32},
                        Case{{2, 2}, {}, kTfLiteInt32, kTfLiteFloat32},
                        Case{{2, 2}, {}, kTfLiteFloat32, kTfLiteInt32}}) {
    OpRunner run(Padv2Registration(OpForm::kOptimized));
    run.EmptyInput({1, 2}, kTfLiteFloat32);
    run.EmptyInput(c.paddings_shape, kTfLiteInt32);
    run.EmptyInput(c.value_shape, c.value);
    run.Output(c.output);
    EXPECT_EQ(run.Prepare(), kTfLiteError);
    EXPECT_EQ(run.error().rfind("PADV2: ", 0), 0u) << run.error();
  }
}

// Computed paddings are looked at in Eval, as their shape may not be known before.
TEST(Pad, PaddingsOfAnotherShape) {
  struct Case {
    Index shape;
    std::vector<int32_t> paddings;
    const char* words;
  };
  for (const Case& c :
       {Case{{3, 2},
             {0, 0, 0, 0, 0, 0},
             "SizeOfDimension(op_context.paddings, 0) != op_context.dims (3 != 2): "},
        Case{{4}, {0, 0, 0, 0}, "paddings must be [rank, 2] (shape [4], input rank 2)"},
        Case{{2, 1}, {0, 0}, "paddings must be [rank, 2] (shape [2, 1], input rank 2)"},
        Case{{2, 2}, {0, 0, -1, 0}, "Pad value has to be greater than equal to 0 (-1, 0)"},
        Case{{2, 2}, {0, 0, 1, INT32_MAX}, "too many elements ("}}) {
    for (const auto registration : {&PadRegistration, &Padv2Registration}) {
      for (const auto where : kPlaces) {
        OpRunner run(registration(OpForm::kOptimized));
        run.Input<float>({1, 2}, {1, 2});
        run.Input(c.shape, c.paddings, where);
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
  for (const TfLiteType type : {kTfLiteFloat32, kTfLiteUInt8}) {
    OpRunner run(PadRegistration(OpForm::kOptimized));
    run.EmptyInput({1, 2}, kTfLiteFloat32);
    run.EmptyInput({2, 2}, type);
    run.Output();
    EXPECT_EQ(run.Prepare(), kTfLiteError);
    EXPECT_THAT(run.error(), ::testing::HasSubstr("is currently not supported by Pad"));
  }
}

template <class T>
void CheckMirror(const Index& shape, const std::vector<int64_t>& paddings, bool symmetric,
                 TfLiteType type) {
  TfLiteMirrorPaddingParams params{symmetric ? kTfLiteMirrorPaddingSymmetric
                                             : kTfLiteMirrorPaddingReflect};
  Index to = shape;
  for (size_t i = 0; i < to.size(); ++i) {
    to[i] += static_cast<int>(paddings[2 * i] + paddings[2 * i + 1]);
  }
  const int edge = symmetric ? 1 : 0;
  const std::vector<T> want = Picked(Numbered<T>(shape), shape, to, [&](Index index) {
    for (size_t i = 0; i < index.size(); ++i) {
      index[i] -= static_cast<int>(paddings[2 * i]);
      if (index[i] < 0) index[i] = -index[i] - edge;
      if (index[i] >= shape[i]) index[i] = 2 * shape[i] - 2 + edge - index[i];
    }
    return index;
  });
  for (const auto where : kPlaces) {
    OpRunner run(MirrorPadRegistration(OpForm::kOptimized), &params);
    run.InputAs(type, shape, Numbered<T>(shape));
    run.Input<int64_t>({static_cast<int>(shape.size()), 2}, paddings, where);
    run.Output(type);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(Dims(run.OutputShape()), to);
    EXPECT_EQ(run.Values<T>(), want);
  }
}

TEST(MirrorPad, ModesRanksAndTypes) {
  CheckMirror<float>({4}, {3, 2}, false, kTfLiteFloat32);
  CheckMirror<float>({4}, {4, 4}, true, kTfLiteFloat32);
  CheckMirror<float>({1, 2}, {1, 1, 0, 2}, true, kTfLiteFloat32);
  CheckMirror<float>({2, 3, 4, 5}, {1, 0, 2, 2, 0, 3, 4, 1}, false, kTfLiteFloat32);
  CheckMirror<float>({2, 2, 3, 2, 3}, {1, 1, 0, 1, 2, 0, 1, 1, 2, 2}, false, kTfLiteFloat32);
  CheckMirror<uint8_t>({3, 2}, {1, 2, 1, 0}, true, kTfLiteBool);
  CheckMirror<int16_t>({3, 2}, {1, 2, 1, 0}, false, kTfLiteFloat16);
  CheckMirror<int64_t>({3, 2}, {1, 2, 1, 0}, false, kTfLiteInt64);
  CheckMirror<float>({0, 2}, {0, 0, 1, 1}, true, kTfLiteFloat32);
}

TEST(MirrorPad, BadPaddingsAreErrors) {
  struct Case {
    Index shape;
    std::vector<int32_t> paddings;
    bool symmetric;
  };
  for (const Case& c : {Case{{3}, {3, 0}, false}, Case{{3}, {0, 4}, true}, Case{{3}, {-1, 0}, true},
                        Case{{3}, {0, 0, 0, 0}, true}, Case{{0}, {1, 0}, true},
                        Case{Index(6, 1), std::vector<int32_t>(12), true}}) {
    for (const auto where : kPlaces) {
      TfLiteMirrorPaddingParams params{c.symmetric ? kTfLiteMirrorPaddingSymmetric
                                                   : kTfLiteMirrorPaddingReflect};
      OpRunner run(MirrorPadRegistration(OpForm::kOptimized), &params);
      run.Input(c.shape, Numbered<float>(c.shape));
      run.Input<int32_t>({static_cast<int>(c.paddings.size()) / 2, 2}, c.paddings, where);
      run.Output();
      EXPECT_EQ(run.Run(), kTfLiteError);
      EXPECT_EQ(run.error().rfind("MIRROR_PAD: ", 0), 0u) << run.error();
    }
  }
}

// In Prepare, computed or not.
TEST(MirrorPad, PaddingsOfAnotherShapeOrTypeAreErrors) {
  TfLiteMirrorPaddingParams params{kTfLiteMirrorPaddingReflect};
  const auto prepare = [&](const Index& shape, TfLiteType type) {
    OpRunner run(MirrorPadRegistration(OpForm::kOptimized), &params);
    run.EmptyInput({4}, kTfLiteFloat32);
    run.EmptyInput(shape, type);
    run.Output();
    return run.Prepare();
  };
  EXPECT_EQ(prepare({1, 2}, kTfLiteInt32), kTfLiteOk);
  for (const Index& shape : {Index{1, 1}, Index{2}, Index{2, 2}, Index{1, 3}, Index{}}) {
    EXPECT_EQ(prepare(shape, kTfLiteInt32), kTfLiteError);
  }
  for (const TfLiteType type : {kTfLiteFloat32, kTfLiteInt16, kTfLiteInt8, kTfLiteUInt8}) {
    EXPECT_EQ(prepare({1, 2}, type), kTfLiteError);
  }
}

}  // namespace
}  // namespace tern::testing
