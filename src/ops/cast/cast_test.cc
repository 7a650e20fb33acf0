// SPDX-License-Identifier: Apache-2.0
// CAST and BITCAST.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/tensor/half.h"
#include "model/testing/model_builder.h"
#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"
#include "ops/testing/session.h"

namespace tern::testing {
namespace {

template <class From, class To>
void CheckCast(TfLiteType from, const std::vector<From>& input, TfLiteType to,
               const std::vector<To>& want) {
  for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
    OpRunner run(CastRegistration(OpForm::kOptimized));
    run.InputAs(from, {static_cast<int>(want.size())}, input, where);
    run.Output(to);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values<To>(), want);
  }
}

TEST(Cast, FloatsStopAtTheLimits) {
  const std::vector<float> odd = {1.9f, -1.9f, 1e30f, -1e30f, NAN, INFINITY, -0.0f};
  CheckCast<float, int8_t>(kTfLiteFloat32, odd, kTfLiteInt8, {1, -1, 127, -128, 127, 127, 0});
  CheckCast<float, uint8_t>(kTfLiteFloat32, odd, kTfLiteUInt8, {1, 0, 255, 0, 255, 255, 0});
  CheckCast<float, int32_t>(kTfLiteFloat32, odd, kTfLiteInt32,
                            {1, -1, INT32_MAX, INT32_MIN, INT32_MAX, INT32_MAX, 0});
  CheckCast<float, uint32_t>(kTfLiteFloat32, odd, kTfLiteUInt32,
                             {1, 0, UINT32_MAX, 0, UINT32_MAX, UINT32_MAX, 0});
  CheckCast<float, int64_t>(kTfLiteFloat32, odd, kTfLiteInt64,
                            {1, -1, INT64_MAX, INT64_MIN, INT64_MAX, INT64_MAX, 0});
  CheckCast<double, int32_t>(kTfLiteFloat64, {2147483646.9, -2147483648.5}, kTfLiteInt32,
                             {INT32_MAX - 1, INT32_MIN});
  CheckCast<float, uint8_t>(kTfLiteFloat32, {0.1f, -0.0f, NAN, 1e-45f}, kTfLiteBool, {1, 0, 1, 1});
}

TEST(Cast, IntegersWrapAndRound) {
  CheckCast<int64_t, int32_t>(kTfLiteInt64, {1LL << 32 | 7, -1, INT64_MIN}, kTfLiteInt32,
                              {7, -1, 0});
  CheckCast<int32_t, uint8_t>(kTfLiteInt32, {-1, 256, 300}, kTfLiteUInt8, {255, 0, 44});
  CheckCast<int32_t, float>(kTfLiteInt32, {16777217, -5}, kTfLiteFloat32, {16777216, -5});
  CheckCast<uint8_t, int16_t>(kTfLiteBool, {0, 1, 77}, kTfLiteInt16, {0, 1, 1});
  CheckCast<uint32_t, int64_t>(kTfLiteUInt32, {UINT32_MAX}, kTfLiteInt64, {4294967295});
  std::vector<int32_t> many(1000);
  std::vector<float> same;
  for (int i = 0; i < 1000; ++i) same.push_back(static_cast<float>(many[i] = 3 * i - 900));
  CheckCast<int32_t, float>(kTfLiteInt32, many, kTfLiteFloat32, same);
}

TEST(Cast, HalvesAndComplexNumbers) {
  CheckCast<float, uint16_t>(kTfLiteFloat32, {1, 65520, 1.00048828125f}, kTfLiteFloat16,
                             {0x3C00, 0x7C00, 0x3C00});
  CheckCast<uint16_t, float>(kTfLiteFloat16, {0x3C00, 0xC000}, kTfLiteFloat32, {1, -2});
  CheckCast<uint16_t, int32_t>(kTfLiteBFloat16, {FloatToBfloat16(-3.5f)}, kTfLiteInt32, {-3});
  CheckCast<double, uint16_t>(kTfLiteFloat64, {2}, kTfLiteBFloat16, {FloatToBfloat16(2)});
  OpRunner real(CastRegistration(OpForm::kOptimized));
  real.Input<float>({4}, {1.5f, 9, -2, 9});
  real.input(0).type = kTfLiteComplex64;
  real.input(0).dims->data[0] = 2;
  real.Output(kTfLiteInt32);
  ASSERT_EQ(real.Run(), kTfLiteOk) << real.error();
  EXPECT_EQ(real.Values<int32_t>(), (std::vector<int32_t>{1, -2}));
  OpRunner complex(CastRegistration(OpForm::kOptimized));
  complex.Input<int8_t>({2}, {1, -2});
  complex.Output(kTfLiteComplex64);
  ASSERT_EQ(complex.Run(), kTfLiteOk) << complex.error();
  EXPECT_EQ(complex.Values<float>(), (std::vector<float>{1, 0, -2, 0}));
}

TEST(Cast, PackedIntegers) {
  CheckCast<uint8_t, float>(kTfLiteInt4, {0x8F, 0x07}, kTfLiteFloat32, {-1, -8, 7});
  CheckCast<uint8_t, int32_t>(kTfLiteUInt4, {0x8F}, kTfLiteInt32, {15, 8});
  CheckCast<uint8_t, int8_t>(kTfLiteInt2, {0b11100100, 0b01}, kTfLiteInt8, {0, 1, -2, -1, 1});
  struct Case {
    TfLiteType type;
    std::vector<uint8_t> want;
  };
  for (const Case& c :
       {Case{kTfLiteInt4, {0x87, 0xF1, 0x07}}, Case{kTfLiteUInt4, {0x0F, 0x01, 0x0F}},
        Case{kTfLiteInt2, {0b11011001, 0b01}}}) {
    std::vector<uint8_t> bytes(c.want.size(), 0xAA);
    OpRunner run(CastRegistration(OpForm::kOptimized));
    run.Input<float>({5}, {100, -100, 1.9f, -1.9f, NAN});
    run.Output(c.type);
    ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
    run.output().data.uint8 = bytes.data();
    run.output().bytes = bytes.size();
    ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
    EXPECT_EQ(bytes, c.want);
  }
}

TEST(Cast, ShortOperandsAreErrors) {
  OpRunner packed(CastRegistration(OpForm::kOptimized));
  packed.InputAs<uint8_t>(kTfLiteInt4, {5}, {1, 2});
  packed.Output();
  EXPECT_EQ(packed.Run(), kTfLiteError);
  EXPECT_EQ(packed.error(), "CAST: input holds too few bytes (2, needed 3)");
  OpRunner run(CastRegistration(OpForm::kOptimized));
  run.Input<float>({5}, {1, 2, 3, 4, 5});
  run.Output(kTfLiteInt2);
  ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
  run.output().bytes = 1;
  run.output().data.raw = run.input(0).data.raw;
  EXPECT_EQ(run.Eval(), kTfLiteError);
  EXPECT_EQ(run.error(), "CAST: output holds too few bytes (1, needed 2)");
}

TEST(Cast, OtherTypesAreErrors) {
  const std::pair<TfLiteType, TfLiteType> pairs[] = {{kTfLiteUInt64, kTfLiteFloat32},
                                                     {kTfLiteFloat32, kTfLiteUInt64},
                                                     {kTfLiteString, kTfLiteFloat32},
                                                     {kTfLiteInt32, kTfLiteInt4},
                                                     {kTfLiteInt8, kTfLiteUInt4}};
  for (const auto& [from, to] : pairs) {
    OpRunner run(CastRegistration(OpForm::kOptimized));
    run.EmptyInput({2}, from);
    run.Output(to);
    EXPECT_EQ(run.Prepare(), kTfLiteError);
    EXPECT_EQ(run.error().rfind("CAST: ", 0), 0u) << run.error();
  }
}

TEST(Bitcast, SizesOfElements) {
  OpRunner same(BitcastRegistration(OpForm::kOptimized));
  same.Input<float>({2}, {1, -0.0f});
  same.Output(kTfLiteUInt32);
  ASSERT_EQ(same.Run(), kTfLiteOk) << same.error();
  EXPECT_EQ(same.Values<uint32_t>(), (std::vector<uint32_t>{0x3F800000, 0x80000000}));
  OpRunner apart(BitcastRegistration(OpForm::kOptimized));
  apart.Input<int64_t>({1, 2}, {0x0004000300020001, -1});
  apart.Output(kTfLiteInt16);
  ASSERT_EQ(apart.Run(), kTfLiteOk) << apart.error();
  EXPECT_EQ(apart.OutputShape(), (Shape{1, 2, 4}));
  EXPECT_EQ(apart.Values<int16_t>(), (std::vector<int16_t>{1, 2, 3, 4, -1, -1, -1, -1}));
  OpRunner together(BitcastRegistration(OpForm::kOptimized));
  together.Input<uint8_t>({4}, {1, 2, 3, 4}, kTfLiteMmapRo);
  together.Output(kTfLiteInt32);
  ASSERT_EQ(together.Run(), kTfLiteOk) << together.error();
  EXPECT_EQ(together.OutputShape(), Shape());
  EXPECT_EQ(together.Values<int32_t>(), std::vector<int32_t>{0x04030201});
  for (const std::vector<int>& shape : {std::vector<int>{}, {3}, {4, 1}}) {
    OpRunner bad(BitcastRegistration(OpForm::kOptimized));
    bad.EmptyInput(shape, kTfLiteUInt8);
    bad.Output(kTfLiteFloat32);
    EXPECT_EQ(bad.Prepare(), kTfLiteError);
  }
}

// A constant inside the graph stays one; one that leaves it is computed once, into the arena.
TEST(Cast, ConstantsInsideTheGraphAndOutputs) {
  ModelBuilder b;
  const int x = b.Input({6}, tflite::TensorType_FLOAT32);
  const int inside = b.Op(tflite::BuiltinOperator_CAST, {b.Const<int64_t>({2}, {2, 3})},
                          {b.Tensor({2}, tflite::TensorType_INT32)}, tflite::CastOptionsT());
  const int outside = b.Op(tflite::BuiltinOperator_CAST, {b.Const<int64_t>({2}, {5, 7})},
                           {b.Tensor({2}, tflite::TensorType_INT32)}, tflite::CastOptionsT());
  b.Output(b.Op(tflite::BuiltinOperator_RESHAPE, {x, inside}, {b.Tensor({2, 3})},
                tflite::ReshapeOptionsT()));
  b.Output(outside);
  Session session(b);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk) << session.Errors();
  EXPECT_EQ(session->tensor(inside)->allocation_type, kTfLitePersistentRo);
  EXPECT_EQ(session->tensor(outside)->allocation_type, kTfLiteArenaRwPersistent);
  EXPECT_EQ(session->output_tensor(0)->allocation_type, kTfLiteArenaRw);
  session.Set<float>(0, {1, 2, 3, 4, 5, 6});
  for (int pass = 0; pass < 2; ++pass) {
    ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
    EXPECT_EQ(session.Get<int32_t>(1), (std::vector<int32_t>{5, 7}));
  }
  ASSERT_EQ(session->ResizeInputTensor(0, {1, 6}), kTfLiteOk);
  ASSERT_EQ(session->AllocateTensors(), kTfLiteOk);
  ASSERT_EQ(session->Invoke(), kTfLiteOk) << session.Errors();
  EXPECT_EQ(session.Get<int32_t>(1), (std::vector<int32_t>{5, 7}));
}

}  // namespace
}  // namespace tern::testing
