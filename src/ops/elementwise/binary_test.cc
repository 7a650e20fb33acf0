// SPDX-License-Identifier: Apache-2.0
// Arithmetic on two operands on the CPU: quantized numbers to the last bit, every element type,
// what is refused, and integers at the ends of their range.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "base/tensor/half.h"
#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/operand_scales.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

using Make = TfLiteRegistration (*)(OpForm);

// Room for the options of each of these ops: the activation comes first in all of them.
TfLiteAddParams Options(TfLiteFusedActivation activation, bool powers_of_two = false) {
  return {activation, powers_of_two};
}

template <class T>
std::vector<T> Compute(Make make, const std::vector<T>& a, const std::vector<T>& b,
                       TfLiteType type = kTfLiteNoType,
                       TfLiteFusedActivation activation = kTfLiteActNone) {
  TfLiteAddParams options = Options(activation);
  OpRunner run(make(OpForm::kOptimized), &options);
  run.Input({static_cast<int>(a.size())}, a);
  run.Input({static_cast<int>(b.size())}, b);
  if (type != kTfLiteNoType) run.input(0).type = run.input(1).type = type;
  run.Output(run.input(0).type);
  EXPECT_EQ(run.Run(), kTfLiteOk) << run.error();
  return run.Values<T>();
}

struct Scaled {
  float scale;
  int zero_point;
};

struct QuantizedPair {
  Make make;
  TfLiteFusedActivation activation;
  bool powers_of_two;
  TfLiteType type, out_type;
  Scaled a, b, out;
  std::vector<int> x, y, want;
};

void AddIntegers(OpRunner& run, TfLiteType type, const std::vector<int>& values) {
  const std::vector<int> shape = {static_cast<int>(values.size())};
  if (type == kTfLiteInt16) {
    run.Input(shape, std::vector<int16_t>(values.begin(), values.end()));
  } else if (type == kTfLiteInt8) {
    run.Input(shape, std::vector<int8_t>(values.begin(), values.end()));
  } else {
    run.Input(shape, std::vector<uint8_t>(values.begin(), values.end()));
  }
}

std::vector<int> Integers(OpRunner& run, TfLiteType type) {
  const auto widen = [](const auto& values) {
    return std::vector<int>(values.begin(), values.end());
  };
  if (type == kTfLiteInt16) return widen(run.Values<int16_t>());
  if (type == kTfLiteInt8) return widen(run.Values<int8_t>());
  return widen(run.Values<uint8_t>());
}

// Expected numbers are those of TensorFlow Lite's reference kernels.
TEST(Binary, QuantizedToTheLastBit) {
  const std::vector<QuantizedPair> cases = {
      {AddRegistration,
       kTfLiteActNone,
       false,
       kTfLiteInt8,
       kTfLiteInt8,
       {0.05f, -3},
       {0.11f, 7},
       {0.13f, -9},
       {-128, 127, -123, 78, -8, 3, 33, -55, 122},
       {127, -128, -30, 18, -24, -95, -117, -128, -116},
       {44, -73, -86, 31, -37, -93, -100, -128, -65}},
      {AddRegistration,
       kTfLiteActRelu6,
       false,
       kTfLiteUInt8,
       kTfLiteUInt8,
       {0.05f, 120},
       {0.02f, 7},
       {0.04f, 99},
       {0, 255, 48, 167, 192, 60, 72, 111, 67},
       {255, 0, 229, 204, 216, 29, 100, 160, 126},
       {99, 249, 120, 249, 249, 99, 99, 164, 99}},
      {AddRegistration,
       kTfLiteActNone,
       false,
       kTfLiteInt16,
       kTfLiteInt16,
       {0.001f, 0},
       {0.003f, 0},
       {0.0037f, 0},
       {-32768, 32767, 10677, -28784, 30087, 3643, 26444, -14979, -9076},
       {32767, -32768, -28560, -8264, 11742, -24757, 24254, -10417, -17871},
       {17712, -17713, -20271, -14480, 17652, -19089, 26812, -12495, -16943}},
      {AddRegistration,
       kTfLiteActNone,
       true,
       kTfLiteInt16,
       kTfLiteInt16,
       {0.0078125f, 0},
       {0.0009765625f, 0},
       {0.0078125f, 0},
       {-32768, 32767, 25161, 24392, -12684, -31555, 18228, 13598, 17758},
       {32767, -32768, 220, -10804, -4151, 28265, -19448, 1833, -11473},
       {-28672, 28671, 25189, 23041, -13203, -28022, 15797, 13827, 16324}},
      {SubRegistration,
       kTfLiteActRelu,
       false,
       kTfLiteInt8,
       kTfLiteInt8,
       {0.05f, -3},
       {0.11f, 7},
       {0.13f, -9},
       {-128, 127, -89, -47, -98, -90, -57, 50, 20},
       {127, -128, 76, 76, -68, -113, -47, -91, 76},
       {-9, 127, -9, -9, 18, 59, 16, 94, -9}},
      {SubRegistration,
       kTfLiteActNone,
       false,
       kTfLiteUInt8,
       kTfLiteUInt8,
       {0.05f, 120},
       {0.02f, 7},
       {0.0004f, 99},
       {0, 255, 74, 129, 247, 60, 196, 3, 80},
       {255, 0, 21, 215, 216, 116, 94, 250, 243},
       {0, 255, 0, 0, 255, 0, 255, 0, 0}},
      {SubRegistration,
       kTfLiteActNone,
       false,
       kTfLiteInt16,
       kTfLiteInt16,
       {0.001f, 0},
       {0.003f, 0},
       {0.0037f, 0},
       {-32768, 32767, -18992, 28602, -15153, 3680, 11445, -17031, -12114},
       {32767, -32768, 11428, 29136, 12072, 9580, -2371, 30663, -18227},
       {-32768, 32767, -14399, -15894, -13884, -6773, 5016, -29465, 11505}},
      {SubRegistration,
       kTfLiteActNone,
       true,
       kTfLiteInt16,
       kTfLiteInt16,
       {0.0009765625f, 0},
       {0.0078125f, 0},
       {0.0078125f, 0},
       {-32768, 32767, 10142, -25750, -22134, 12597, 22328, 8872, 28409},
       {32767, -32768, 19564, -30076, -20053, -20127, -7179, -22486, 19525},
       {-32768, 32767, -18296, 26857, 17286, 21702, 9970, 23595, -15974}},
      {MulRegistration,
       kTfLiteActNone,
       false,
       kTfLiteInt8,
       kTfLiteInt8,
       {0.05f, -3},
       {0.11f, 7},
       {0.13f, -9},
       {-128, 127, -121, 54, -101, 28, -85, 112, 45},
       {127, -128, 57, -32, 79, -100, -89, -36, 54},
       {-128, -128, -128, -103, -128, -128, 127, -128, 86}},
      {MulRegistration,
       kTfLiteActNone,
       false,
       kTfLiteUInt8,
       kTfLiteUInt8,
       {1.5f, 120},
       {1.25f, 7},
       {0.9f, 99},
       {0, 255, 241, 102, 108, 141, 165, 122, 154},
       {255, 0, 81, 108, 102, 38, 0, 202, 107},
       {0, 0, 255, 0, 0, 255, 0, 255, 255}},
      {MulRegistration,
       kTfLiteActReluN1To1,
       false,
       kTfLiteInt16,
       kTfLiteInt16,
       {0.001f, 0},
       {0.003f, 0},
       {0.037f, 0},
       {-32768, 32767, 4196, 28505, 7565, 27766, 5158, -11315, -11620},
       {32767, -32768, -20469, 21676, 21184, -32001, -22462, 12605, -6220},
       {-27, -27, -27, 27, 27, -27, -27, -27, 27}},
      {MulRegistration,
       kTfLiteActNone,
       false,
       kTfLiteInt16,
       kTfLiteUInt8,
       {3.0517578125e-05f, 0},
       {3.0517578125e-05f, 0},
       {0.0078125f, 100},
       {-32768, 32767, -20298, 23464, 21761, 21548, 4702, -23607, -11636},
       {32767, -32768, -15851, 3172, -539, 183, 3486, 13404, -25805},
       {0, 0, 138, 109, 99, 100, 102, 62, 136}},
      {DivRegistration,
       kTfLiteActNone,
       false,
       kTfLiteInt8,
       kTfLiteInt8,
       {0.05f, -3},
       {0.11f, 7},
       {0.03f, -9},
       {-128, 127, 68, -57, -16, -14, -49, -114, 62},
       {127, -128, -79, 36, -41, -68, 109, -7, 99},
       {-25, -24, -22, -37, -5, -7, -16, 111, 2}},
      {DivRegistration,
       kTfLiteActRelu6,
       false,
       kTfLiteUInt8,
       kTfLiteUInt8,
       {0.05f, 120},
       {0.11f, 7},
       {0.01f, 80},
       {0, 255, 88, 116, 3, 170, 88, 219, 54},
       {255, 0, 203, 136, 102, 234, 152, 246, 188},
       {80, 80, 80, 80, 80, 90, 80, 99, 80}},
      {DivRegistration,
       kTfLiteActNone,
       false,
       kTfLiteInt16,
       kTfLiteInt16,
       {0.01f, 0},
       {0.02f, 0},
       {0.001f, 0},
       {-32768, 32767, -19533, 12502, 19065, 12931, -5729, -32394, 15369},
       {32767, -32768, -23001, -12680, -18768, 2654, -19451, -15825, -29559},
       {-500, -500, 425, -493, -508, 2436, 147, 1024, -260}},
      {SquaredDifferenceRegistration,
       kTfLiteActNone,
       false,
       kTfLiteInt8,
       kTfLiteInt8,
       {0.05f, -3},
       {0.11f, 7},
       {0.43f, -100},
       {-128, 127, -79, 25, -92, 98, 72, -39, -26},
       {127, -128, -22, -55, 46, -93, 73, -19, 112},
       {127, 127, -99, 57, 78, 127, -71, -97, 127}},
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    const QuantizedPair& c = cases[i];
    for (const Way& way : kWays) {
      TfLiteAddParams options = Options(c.activation, c.powers_of_two);
      OperandScales scales;
      OpRunner run(c.make(way.form), &options, way.threads);
      AddIntegers(run, c.type, c.x);
      AddIntegers(run, c.type, c.y);
      run.Output(c.out_type);
      scales.Give(run.input(0), {c.a.scale}, c.a.zero_point);
      scales.Give(run.input(1), {c.b.scale}, c.b.zero_point);
      scales.Give(run.output(), {c.out.scale}, c.out.zero_point);
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      EXPECT_EQ(Integers(run, c.out_type), c.want) << "case " << i << ", " << way.name;
    }
  }
}

// Where the reference's arithmetic leaves its range, the rounded true value is given.
TEST(Binary, TinyQuantizedQuotients) {
  TfLiteAddParams options = Options(kTfLiteActNone);
  OperandScales scales;
  OpRunner run(DivRegistration(OpForm::kOptimized), &options);
  run.Input<uint8_t>({3}, {89, 80, 71});
  run.Input<uint8_t>({3}, {141, 170, 119});
  run.Output(kTfLiteUInt8);
  scales.Give(run.input(0), {0.3f}, 80);
  scales.Give(run.input(1), {0.04f}, 4);
  scales.Give(run.output(), {173}, 65);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values<uint8_t>(), (std::vector<uint8_t>{65, 65, 65}));
}

TEST(Binary, IntegersAtTheEnds) {
  constexpr int32_t kMin = INT32_MIN, kMax = INT32_MAX;
  using Ints = std::vector<int32_t>;
  EXPECT_EQ(Compute<int32_t>(SubRegistration, {kMin, kMax}, {1, -1}), (Ints{kMax, kMin}));
  EXPECT_EQ(Compute<int32_t>(DivRegistration, {kMin, -7, 7}, {-1, 2, -2}), (Ints{kMin, -3, -3}));
  EXPECT_EQ(Compute<int32_t>(FloorDivRegistration, {kMin, -7, 7, -6}, {-1, 2, -2, 2}),
            (Ints{kMin, -4, -4, -3}));
  EXPECT_EQ(Compute<int32_t>(FloorModRegistration, {kMin, -7, 7, -6}, {-1, 2, -2, 2}),
            (Ints{0, 1, -1, 0}));
  EXPECT_EQ(Compute<int64_t>(FloorModRegistration, {INT64_MIN, INT64_MAX}, {-1, 10}),
            (std::vector<int64_t>{0, 7}));
  EXPECT_EQ(Compute<int8_t>(FloorDivRegistration, {-128, -7}, {-1, 2}),
            (std::vector<int8_t>{-128, -4}));
  EXPECT_EQ(Compute<int32_t>(PowRegistration, {3, 2, 2, -3, 0, -2}, {40, 31, 30, 3, 0, 31}),
            (Ints{kMin, kMin, 1 << 30, -27, 1, kMin}));
  EXPECT_EQ(Compute<int32_t>(SquaredDifferenceRegistration, {kMin, 5}, {1, 9}), (Ints{1, 16}));
  EXPECT_EQ(Compute<int16_t>(AddRegistration, {30000, -30000}, {30000, 7}),
            (std::vector<int16_t>{-5536, -29993}));
  EXPECT_EQ(
      Compute<int16_t>(MulRegistration, {30000, -9}, {-30000, 7}, kTfLiteNoType, kTfLiteActRelu),
      (std::vector<int16_t>{5888, 0}));
  EXPECT_EQ(Compute<uint32_t>(MulRegistration, {4000000000u, 5}, {3, 9}),
            (std::vector<uint32_t>{3410065408u, 45}));
}

// Narrow floats compute as float and are rounded once.
TEST(Binary, NarrowFloats) {
  const std::vector<float> a = {1, 2.5f, -3.25f, 0.1f, 7}, b = {0.3f, -2.5f, -3, 100, 5};
  const struct {
    Make make;
    float (*want)(float, float);
  } ops[] = {{AddRegistration, [](float v, float w) { return v + w; }},
             {SubRegistration, [](float v, float w) { return v - w; }},
             {MulRegistration, [](float v, float w) { return v * w; }},
             {DivRegistration, [](float v, float w) { return v / w; }},
             {SquaredDifferenceRegistration, [](float v, float w) { return (v - w) * (v - w); }}};
  for (const auto& [make, want] : ops) {
    std::vector<uint16_t> halves[3], bfloats[3];
    for (size_t i = 0; i < a.size(); ++i) {
      const uint16_t ha = FloatToHalf(a[i]), hb = FloatToHalf(b[i]);
      halves[0].push_back(ha);
      halves[1].push_back(hb);
      halves[2].push_back(FloatToHalf(want(HalfToFloat(ha), HalfToFloat(hb))));
      const uint16_t ba = FloatToBfloat16(a[i]), bb = FloatToBfloat16(b[i]);
      bfloats[0].push_back(ba);
      bfloats[1].push_back(bb);
      bfloats[2].push_back(FloatToBfloat16(want(Bfloat16ToFloat(ba), Bfloat16ToFloat(bb))));
    }
    EXPECT_EQ(Compute<uint16_t>(make, halves[0], halves[1], kTfLiteFloat16), halves[2]);
    EXPECT_EQ(Compute<uint16_t>(make, bfloats[0], bfloats[1], kTfLiteBFloat16), bfloats[2]);
  }
  EXPECT_EQ(Compute<uint16_t>(SubRegistration, {FloatToBfloat16(-3)}, {FloatToBfloat16(1)},
                              kTfLiteBFloat16, kTfLiteActRelu),
            std::vector<uint16_t>{0});
}

TEST(Binary, Floats) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  using Floats = std::vector<float>;
  EXPECT_EQ(Compute<float>(FloorDivRegistration, {-7, 7, 6, 5.5f}, {2, -2, 3, 0.5f}),
            (Floats{-4, -4, 2, 11}));
  EXPECT_EQ(Compute<float>(FloorModRegistration, {-7, 7, 6, 5.25f}, {2, -2, 3, 0.5f}),
            (Floats{1, -1, 0, 0.25f}));
  EXPECT_EQ(Compute<float>(PowRegistration, {-2, -2, 0, 0, 9}, {3, -2, 0, 2, 0.5f}),
            (Floats{-8, 0.25f, 1, 0, 3}));
  EXPECT_TRUE(std::isnan(Compute<float>(PowRegistration, {-2}, {0.5f})[0]));
  EXPECT_EQ(
      Compute<float>(Atan2Registration, {0, -0.0f, 1}, {-0.0f, -1, 0}),
      (Floats{static_cast<float>(M_PI), static_cast<float>(-M_PI), static_cast<float>(M_PI / 2)}));
  EXPECT_EQ(Compute<double>(Atan2Registration, {1}, {-1})[0], std::atan2(1.0, -1.0));
  EXPECT_EQ(Compute<float>(MaximumRegistration, {2, -infinity}, {3, 4}), (Floats{3, 4}));
  for (const Make make : {MaximumRegistration, MinimumRegistration}) {
    EXPECT_TRUE(std::isnan(Compute<float>(make, {nan}, {1})[0]));
    EXPECT_TRUE(std::isnan(Compute<float>(make, {1}, {nan})[0]));
  }
  for (const Make make : {DivRegistration, FloorDivRegistration}) {
    EXPECT_EQ(Compute<float>(make, {1, -1}, {0, 0}), (Floats{infinity, -infinity}));
    EXPECT_TRUE(std::isnan(Compute<float>(make, {0}, {0})[0]));
  }
  EXPECT_EQ(Compute<float>(FloorModRegistration, {5, -5, 5}, {infinity, infinity, -infinity}),
            (Floats{5, infinity, -infinity}));
  EXPECT_TRUE(std::isnan(Compute<float>(FloorModRegistration, {5}, {0})[0]));
  EXPECT_EQ(Compute<uint16_t>(MinimumRegistration, {FloatToHalf(-2), FloatToHalf(3)},
                              {FloatToHalf(1), FloatToHalf(2.5f)}, kTfLiteFloat16),
            (std::vector<uint16_t>{FloatToHalf(-2), FloatToHalf(2.5f)}));
  EXPECT_EQ(Compute<uint16_t>(MaximumRegistration, {FloatToBfloat16(-2)}, {FloatToBfloat16(1)},
                              kTfLiteBFloat16),
            (std::vector<uint16_t>{FloatToBfloat16(1)}));
}

TEST(Binary, Complex) {
  TfLiteAddParams options = Options(kTfLiteActNone);
  using Complex = std::complex<float>;
  OpRunner run(MulRegistration(OpForm::kOptimized), &options);
  run.InputAs<Complex>(kTfLiteComplex64, {2}, {{1, 2}, {0, 1}});
  run.InputAs<Complex>(kTfLiteComplex64, {2}, {{3, -1}, {0, 1}});
  run.Output(kTfLiteComplex64);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values<Complex>(), (std::vector<Complex>{{5, 5}, {-1, 0}}));
  options.activation = kTfLiteActRelu;
  EXPECT_EQ(run.Prepare(), kTfLiteError);
}

struct Refused {
  Make make;
  std::vector<int32_t> a, b;
};

TEST(Binary, ValuesThatAreErrors) {
  const Refused cases[] = {{DivRegistration, {1, 2}, {1, 0}},
                           {FloorDivRegistration, {1, 2}, {0, 3}},
                           {FloorModRegistration, {1, 2}, {0, 3}},
                           {PowRegistration, {1, 2}, {1, -1}}};
  for (const Refused& c : cases) {
    TfLiteAddParams options = Options(kTfLiteActNone);
    OpRunner run(c.make(OpForm::kOptimized), &options);
    run.Input({2}, c.a);
    run.Input({2}, c.b);
    run.Output(kTfLiteInt32);
    ASSERT_EQ(run.Prepare(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Eval(), kTfLiteError);
    EXPECT_NE(run.error().find("element"), std::string::npos) << run.error();
  }
}

struct BadPairScales {
  Make make;
  TfLiteType type;
  Scaled a, b, out;
  bool powers_of_two = false;
  std::vector<int> shape_b = {2, 3};
};

TEST(Binary, ScalesThatAreErrors) {
  const BadPairScales cases[] = {
      {AddRegistration, kTfLiteInt8, {0, 0}, {1, 0}, {1, 0}},
      {AddRegistration, kTfLiteInt8, {1, 200}, {1, 0}, {1, 0}},
      {AddRegistration, kTfLiteInt8, {1, 0}, {1, 0}, {1e-9f, 0}},
      {AddRegistration, kTfLiteInt16, {1, 5}, {1, 0}, {1, 0}},
      {AddRegistration, kTfLiteInt16, {1, 0}, {1, 0}, {0.5f, 0}, true},
      {AddRegistration, kTfLiteInt16, {0.5f, 0}, {0.5f, 0}, {1, 0}, true},
      {AddRegistration, kTfLiteInt16, {1, 0}, {1, 0}, {1, 0}, true, {3}},
      {SubRegistration, kTfLiteInt16, {1, 0}, {1, 0}, {1, 5}},
      {MulRegistration, kTfLiteInt16, {1, 0}, {1, 5}, {1, 0}},
      {DivRegistration, kTfLiteUInt8, {1, 0}, {1, 0}, {-1, 0}},
      {SquaredDifferenceRegistration, kTfLiteInt8, {1, 0}, {1, 0}, {1e-7f, 0}},
      {SquaredDifferenceRegistration, kTfLiteUInt8, {1, 0}, {1, 0}, {1, 0}},
  };
  for (const BadPairScales& c : cases) {
    TfLiteAddParams options = Options(kTfLiteActNone, c.powers_of_two);
    OperandScales scales;
    OpRunner run(c.make(OpForm::kOptimized), &options);
    run.EmptyInput({2, 3}, c.type);
    run.EmptyInput(c.shape_b, c.type);
    run.Output(c.type);
    // INT16 numbers may be plain.
    if (c.type != kTfLiteInt16) {
      EXPECT_EQ(run.Prepare(), kTfLiteError) << "without scales";
    }
    scales.Give(run.input(0), {c.a.scale}, c.a.zero_point);
    scales.Give(run.input(1), {c.b.scale}, c.b.zero_point);
    scales.Give(run.output(), {c.out.scale}, c.out.zero_point);
    EXPECT_EQ(run.Prepare(), kTfLiteError) << TypeText(c.type) << " " << c.out.scale;
  }
}

TEST(Binary, TheResultHasTheTypeOfTheOperands) {
  TfLiteAddParams params{};
  OperandScales given;
  OpRunner run(AddRegistration(OpForm::kOptimized), &params);
  run.Input<uint8_t>({3}, {1, 2, 250});
  run.Input<uint8_t>({3}, {1, 3, 250});
  run.Output(kTfLiteFloat32);
  for (int i = 0; i < 2; ++i) given.Give(run.input(i), {0.5f});
  given.Give(run.output(), {0.5f});
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.output().type, kTfLiteUInt8);
  EXPECT_EQ(run.Values<uint8_t>(), (std::vector<uint8_t>{2, 5, 255}));
}

TEST(Binary, ShapesAndTypesThatAreErrors) {
  OpRunner repeated(Atan2Registration(OpForm::kOptimized));
  repeated.EmptyInput({2, 3}, kTfLiteFloat32);
  repeated.EmptyInput({2, 1}, kTfLiteFloat32);
  repeated.Output();
  EXPECT_EQ(repeated.Prepare(), kTfLiteError);
  for (const Make make : {MaximumRegistration, PowRegistration, BitwiseXorRegistration}) {
    OpRunner bools(make(OpForm::kOptimized));
    bools.EmptyInput({2}, kTfLiteBool);
    bools.EmptyInput({2}, kTfLiteBool);
    bools.Output(kTfLiteBool);
    EXPECT_EQ(bools.Prepare(), kTfLiteError);
  }
}

TEST(Binary, Bits) {
  using Bytes = std::vector<int8_t>;
  EXPECT_EQ(Compute<int8_t>(BitwiseXorRegistration, {5, -1}, {3, 0x55}), (Bytes{6, ~0x55}));
  EXPECT_EQ(Compute<int8_t>(RightShiftRegistration, {-100, 100, -100, 64}, {9, -1, 2, 3}),
            (Bytes{-1, 100, -25, 8}));
  EXPECT_EQ(Compute<uint32_t>(RightShiftRegistration, {0x80000000u, 8}, {31, 4000000000u}),
            (std::vector<uint32_t>{1, 0}));
}

TEST(AddN, SumsAndRefusals) {
  OpRunner sum(AddNRegistration(OpForm::kOptimized));
  for (const float v : {1.0f, 2.0f, 4.0f}) sum.Input<float>({2}, {v, -v});
  sum.Output();
  ASSERT_EQ(sum.Run(), kTfLiteOk) << sum.error();
  EXPECT_EQ(sum.Values(), (std::vector<float>{7, -7}));
  OpRunner wraps(AddNRegistration(OpForm::kOptimized));
  wraps.Input<int32_t>({1}, {INT32_MAX});
  wraps.Input<int32_t>({1}, {1});
  wraps.Output(kTfLiteInt32);
  ASSERT_EQ(wraps.Run(), kTfLiteOk) << wraps.error();
  EXPECT_EQ(wraps.Values<int32_t>(), std::vector<int32_t>{INT32_MIN});
  for (const std::vector<int>& shape : {std::vector<int>{1}, {1, 2}}) {
    OpRunner bad(AddNRegistration(OpForm::kOptimized));
    bad.EmptyInput({2}, kTfLiteFloat32);
    bad.EmptyInput(shape, kTfLiteFloat32);
    bad.Output();
    EXPECT_EQ(bad.Prepare(), kTfLiteError);
  }
}

}  // namespace
}  // namespace tern::testing
