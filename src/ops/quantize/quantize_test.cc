// SPDX-License-Identifier: Apache-2.0
// QUANTIZE, DEQUANTIZE and FAKE_QUANT: rounding, saturation, scales along an axis, rescaling,
// packed numbers, and refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/tensor/half.h"
#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/operand_scales.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Quantize, RoundsAwayFromZeroAndSaturates) {
  for (const Way& way : kWays) {
    OperandScales scales;
    OpRunner run(QuantizeRegistration(way.form), nullptr, way.threads);
    run.Input<float>({9},
                     {0.25f, -0.25f, 0.75f, -0.75f, 1e30f, -1e30f, kInf, -kInf, std::nanf("")});
    run.Output(kTfLiteInt8);
    scales.Give(run.output(), {0.5f}, 3);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values<int8_t>(), (std::vector<int8_t>{4, 2, 5, 1, 127, -128, 127, -128, -128}));
  }
}

TEST(Quantize, ScalesAlongAnAxis) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<int> shape = {2, 3, 4};
    std::vector<float> list;
    for (int i = 0; i < shape[axis]; ++i) list.push_back(0.5f + static_cast<float>(i));
    const std::vector<float> in = Random(7).Floats(24, -20, 20);
    OperandScales scales;
    OpRunner run(QuantizeRegistration(OpForm::kOptimized));
    run.Input(shape, in);
    run.Output(kTfLiteInt16);
    scales.Give(run.output(), list, 0, axis);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    const int inner = axis == 2 ? 1 : axis == 1 ? 4 : 12;
    for (int i = 0; i < 24; ++i) {
      const float scale = list[i / inner % shape[axis]];
      EXPECT_EQ(run.Values<int16_t>()[i], static_cast<int16_t>(std::round(in[i] / scale)));
    }
  }
}

TEST(Quantize, PacksFewBits) {
  const struct {
    TfLiteType type;
    int zero_point;
    std::vector<uint8_t> want;
  } cases[] = {{kTfLiteInt4, 0, {0xF1, 0x87, 0x03}},
               {kTfLiteUInt4, 1, {0x02, 0x08, 0x04}},
               {kTfLiteInt2, 0, {0b10011101, 0b01}}};
  for (const auto& c : cases) {
    OperandScales scales;
    OpRunner run(QuantizeRegistration(OpForm::kOptimized));
    run.Input<float>({5}, {1, -1, 7, -9, 3});
    run.Output(c.type);
    scales.Give(run.output(), {1}, c.zero_point);
    ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Eval(), kTfLiteError);  // there are no bytes
    std::vector<uint8_t> bytes(c.want.size(), 0xAA);
    run.output().data.uint8 = bytes.data();
    run.output().bytes = bytes.size();
    ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
    EXPECT_EQ(bytes, c.want);
  }
}

TEST(Quantize, Rescales) {
  OperandScales scales;
  OpRunner flip(QuantizeRegistration(OpForm::kOptimized));
  flip.Input<uint8_t>({4}, {0, 127, 128, 255});
  flip.Output(kTfLiteInt8);
  scales.Give(flip.input(0), {0.1f}, 128);
  scales.Give(flip.output(), {0.1f}, 0);
  ASSERT_EQ(flip.Run(), kTfLiteOk) << flip.error();
  EXPECT_EQ(flip.Values<int8_t>(), (std::vector<int8_t>{-128, -1, 0, 127}));
  OpRunner wide(QuantizeRegistration(OpForm::kOptimized));
  wide.Input<int16_t>({3}, {-32768, 3, 32767});
  wide.Output(kTfLiteInt32);
  scales.Give(wide.input(0), {0.5f});
  scales.Give(wide.output(), {0.25f});
  ASSERT_EQ(wide.Run(), kTfLiteOk) << wide.error();
  EXPECT_EQ(wide.Values<int32_t>(), (std::vector<int32_t>{-65536, 6, 65534}));
}

TEST(Quantize, BadOperandsAreErrors) {
  struct Bad {
    TfLiteType from, to;
    std::vector<float> from_scales, to_scales;
    int axis;
  };
  const Bad cases[] = {
      {kTfLiteFloat32, kTfLiteInt8, {}, {}, 0},
      {kTfLiteFloat32, kTfLiteInt8, {}, {0}, 0},
      {kTfLiteFloat32, kTfLiteInt8, {}, {kInf}, 0},
      {kTfLiteFloat32, kTfLiteInt8, {}, {1, 1}, 0},
      {kTfLiteFloat32, kTfLiteInt8, {}, {1, 1, 1}, 1},
      {kTfLiteFloat32, kTfLiteInt8, {}, {1, 1, 1}, -1},
      {kTfLiteFloat32, kTfLiteInt32, {}, {1}, 0},
      {kTfLiteFloat32, kTfLiteString, {}, {1}, 0},
      {kTfLiteInt8, kTfLiteInt8, {}, {1}, 0},
      {kTfLiteInt8, kTfLiteInt8, {1, 1, 1}, {1}, 0},
      {kTfLiteInt8, kTfLiteInt32, {1}, {1}, 0},
      {kTfLiteInt64, kTfLiteInt8, {1}, {1}, 0},
  };
  for (const Bad& bad : cases) {
    OperandScales scales;
    OpRunner run(QuantizeRegistration(OpForm::kOptimized));
    run.EmptyInput({3}, bad.from);
    run.Output(bad.to);
    if (!bad.from_scales.empty()) scales.Give(run.input(0), bad.from_scales);
    if (!bad.to_scales.empty()) scales.Give(run.output(), bad.to_scales, 0, bad.axis);
    EXPECT_EQ(run.Prepare(), kTfLiteError);
    EXPECT_EQ(run.error().rfind("QUANTIZE: ", 0), 0u) << run.error();
  }
}

TEST(Dequantize, EveryType) {
  OperandScales scales;
  OpRunner bytes(DequantizeRegistration(OpForm::kOptimized));
  bytes.Input<uint8_t>({3}, {0, 128, 255});
  bytes.Output();
  scales.Give(bytes.input(0), {0.5f}, 128);
  ASSERT_EQ(bytes.Run(), kTfLiteOk) << bytes.error();
  EXPECT_EQ(bytes.Values(), (std::vector<float>{-64, 0, 63.5f}));
  OpRunner packed(DequantizeRegistration(OpForm::kOptimized));
  packed.InputAs<uint8_t>(kTfLiteInt4, {3}, {0xF1, 0x08}, kTfLiteMmapRo);
  packed.Output();
  scales.Give(packed.input(0), {0.5f, 1, 2}, 0, 0);
  ASSERT_EQ(packed.Run(), kTfLiteOk) << packed.error();
  EXPECT_EQ(packed.Values(), (std::vector<float>{0.5f, -1, -16}));
  OpRunner unsigned_packed(DequantizeRegistration(OpForm::kOptimized));
  unsigned_packed.InputAs<uint8_t>(kTfLiteUInt4, {3}, {0xF1, 0x08});
  unsigned_packed.Output();
  scales.Give(unsigned_packed.input(0), {0.5f}, 3);
  ASSERT_EQ(unsigned_packed.Run(), kTfLiteOk) << unsigned_packed.error();
  EXPECT_EQ(unsigned_packed.Values(), (std::vector<float>{-1, 6, 2.5f}));
  OpRunner halves(DequantizeRegistration(OpForm::kOptimized));
  halves.InputAs<uint16_t>(kTfLiteFloat16, {2}, {FloatToHalf(1.5f), FloatToHalf(-3)});
  halves.Output();
  ASSERT_EQ(halves.Run(), kTfLiteOk) << halves.error();
  EXPECT_EQ(halves.Values(), (std::vector<float>{1.5f, -3}));
  OpRunner bfloats(DequantizeRegistration(OpForm::kOptimized));
  bfloats.InputAs<uint16_t>(kTfLiteBFloat16, {1}, {FloatToBfloat16(-2.5f)});
  bfloats.Output();
  ASSERT_EQ(bfloats.Run(), kTfLiteOk) << bfloats.error();
  EXPECT_EQ(bfloats.Values(), (std::vector<float>{-2.5f}));
}

TEST(Dequantize, ScalesAlongAnAxisAndEmptyTensors) {
  OperandScales scales;
  OpRunner run(DequantizeRegistration(OpForm::kOptimized));
  run.Input<int8_t>({2, 3}, {1, 2, 3, -1, -2, -3});
  run.Output();
  scales.Give(run.input(0), {1, 10, 100}, 1, 1);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values(), (std::vector<float>{0, 10, 200, -2, -30, -400}));
  OpRunner empty(DequantizeRegistration(OpForm::kOptimized));
  empty.Input<int8_t>({2, 0, 3}, {});
  empty.Output();
  scales.Give(empty.input(0), {1, 10, 100}, 1, 2);
  ASSERT_EQ(empty.Run(), kTfLiteOk) << empty.error();
  EXPECT_EQ(empty.OutputShape(), (Shape{2, 0, 3}));
}

TEST(Dequantize, BadOperandsAreErrors) {
  OperandScales scales;
  for (const TfLiteType type : {kTfLiteInt64, kTfLiteBool, kTfLiteString, kTfLiteFloat32}) {
    OpRunner run(DequantizeRegistration(OpForm::kOptimized));
    run.EmptyInput({2}, type);
    run.Output();
    scales.Give(run.input(0), {1});
    EXPECT_EQ(run.Prepare(), kTfLiteError);
  }
  OpRunner short_packed(DequantizeRegistration(OpForm::kOptimized));
  short_packed.InputAs<uint8_t>(kTfLiteInt4, {5}, {0xF1, 0x08});
  short_packed.Output();
  scales.Give(short_packed.input(0), {0.5f});
  EXPECT_EQ(short_packed.Run(), kTfLiteError);
}

std::vector<float> RunFakeQuant(float min, float max, int bits, const std::vector<float>& in) {
  TfLiteFakeQuantParams params{min, max, bits, false};
  OpRunner run(FakeQuantRegistration(OpForm::kOptimized), &params);
  run.Input({static_cast<int>(in.size())}, in);
  run.Output();
  EXPECT_EQ(run.Run(), kTfLiteOk) << run.error();
  return run.Values();
}

TEST(FakeQuant, MovesTheRangeToZero) {
  EXPECT_EQ(RunFakeQuant(-1, 2, 2, {-5, -0.4f, 0.4f, 0.6f, 9}),
            (std::vector<float>{-1, 0, 0, 1, 2}));
  EXPECT_EQ(RunFakeQuant(1, 4, 2, {-5, 0.4f, 1.6f, 9}), (std::vector<float>{0, 0, 2, 3}));
  EXPECT_EQ(RunFakeQuant(-4, -1, 2, {-5, -0.4f, 1.6f}), (std::vector<float>{-3, 0, 0}));
}

TEST(FakeQuant, BadOptionsAreErrors) {
  for (const TfLiteFakeQuantParams& bad :
       {TfLiteFakeQuantParams{1, 1, 8, false}, TfLiteFakeQuantParams{2, 1, 8, false},
        TfLiteFakeQuantParams{0, 1, 1, false}, TfLiteFakeQuantParams{0, 1, 40, false},
        TfLiteFakeQuantParams{0, 1, 8, true}, TfLiteFakeQuantParams{0, kInf, 8, false}}) {
    TfLiteFakeQuantParams params = bad;
    OpRunner run(FakeQuantRegistration(OpForm::kOptimized), &params);
    run.EmptyInput({2}, kTfLiteFloat32);
    run.Output();
    EXPECT_EQ(run.Prepare(), kTfLiteError);
  }
}

}  // namespace
}  // namespace tern::testing
