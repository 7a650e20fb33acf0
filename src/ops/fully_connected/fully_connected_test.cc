// SPDX-License-Identifier: Apache-2.0
// FULLY_CONNECTED in integers and with small weights, against plain loops, and its refusals.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/operand_scales.h"
#include "ops/testing/oracle.h"
#include "ops/testing/packed_once.h"

namespace tern::testing {
namespace {

struct Numbers {
  int rows = 3, depth = 7, units = 5;
  TfLiteType input = kTfLiteInt8, weights = kTfLiteInt8, output = kTfLiteInt8;
  TfLiteType bias = kTfLiteInt32;  // kTfLiteNoType: absent
  int zero_in = 3, zero_weights = 0, zero_out = -5;
  bool per_unit = false;
  TfLiteFusedActivation activation = kTfLiteActNone;
};

std::pair<int64_t, int64_t> TypeLimits(TfLiteType type) {
  switch (type) {
    case kTfLiteInt4:
      return {-8, 7};
    case kTfLiteInt2:
      return {-2, 1};
    case kTfLiteUInt8:
      return {0, 255};
    case kTfLiteInt8:
      return {-128, 127};
    default:
      return {-32768, 32767};
  }
}

std::vector<int64_t> RandomIntegers(Random& random, int64_t count, TfLiteType type) {
  const auto [low, high] = TypeLimits(type);
  std::vector<int64_t> values(static_cast<size_t>(count));
  for (int64_t& v : values) v = random.Integer(low, high);
  return values;
}

// Little-endian elements of `bits` bits each.
std::vector<uint8_t> Packed(const std::vector<int64_t>& values, int bits) {
  std::vector<uint8_t> bytes((values.size() * bits + 7) / 8, 0);
  for (size_t i = 0; i < values.size(); ++i) {
    for (int b = 0; b < bits; ++b) {
      const size_t at = i * bits + b;
      if ((values[i] >> b) & 1) bytes[at / 8] |= static_cast<uint8_t>(1u << (at % 8));
    }
  }
  return bytes;
}

int Bits(TfLiteType type) {
  return type == kTfLiteInt2   ? 2
         : type == kTfLiteInt4 ? 4
                               : 8 * static_cast<int>(ElementBytes(type));
}

std::vector<int64_t> Written(OpRunner& run) {
  const TfLiteTensor& t = run.output();
  std::vector<int64_t> values;
  for (int64_t i = 0; i < Elements(&t); ++i) {
    values.push_back(t.type == kTfLiteInt16   ? int64_t{Data<int16_t>(&t)[i]}
                     : t.type == kTfLiteUInt8 ? int64_t{Data<uint8_t>(&t)[i]}
                                              : int64_t{Data<int8_t>(&t)[i]});
  }
  return values;
}

void Check(const Numbers& n) {
  Random random(static_cast<uint64_t>(n.depth * 31 + n.units));
  const std::vector<int64_t> x = RandomIntegers(random, n.rows * n.depth, n.input);
  const std::vector<int64_t> w = RandomIntegers(random, n.units * n.depth, n.weights);
  std::vector<int64_t> bias(static_cast<size_t>(n.units));
  for (int64_t& b : bias) b = n.bias == kTfLiteNoType ? 0 : random.Integer(-3000, 3000);
  const float scale_in = 0.03f, scale_out = n.input == kTfLiteInt16 ? 3.7f : 0.41f;
  std::vector<float> scales(n.per_unit ? static_cast<size_t>(n.units) : 1, 0.02f);
  for (size_t i = 0; i < scales.size(); ++i) scales[i] += 0.003f * static_cast<float>(i);
  const auto [low, high] = TypeLimits(n.output);
  std::vector<int64_t> want;
  for (int row = 0; row < n.rows; ++row) {
    for (int unit = 0; unit < n.units; ++unit) {
      int64_t sum = bias[unit];
      for (int i = 0; i < n.depth; ++i) {
        sum += (x[row * n.depth + i] - n.zero_in) * (w[unit * n.depth + i] - n.zero_weights);
      }
      const double scale = scales[n.per_unit ? unit : 0];
      int64_t v = n.zero_out + static_cast<int64_t>(std::round(static_cast<double>(sum) *
                                                               (scale_in * scale / scale_out)));
      if (n.activation == kTfLiteActRelu) v = std::max<int64_t>(v, n.zero_out);
      want.push_back(std::clamp(v, low, high));
    }
  }
  TfLiteFullyConnectedParams params{};
  params.activation = n.activation;
  for (const Way& way : kWays) {
    OperandScales given;
    OpRunner run(FullyConnectedRegistration(way.form), &params, way.threads);
    run.InputAs(n.input, {n.rows, n.depth}, Packed(x, Bits(n.input)));
    run.InputAs(n.weights, {n.units, n.depth}, Packed(w, Bits(n.weights)), kTfLiteMmapRo);
    if (n.bias == kTfLiteNoType) {
      run.AbsentInput();
    } else {
      run.InputAs(n.bias, {n.units}, Packed(bias, Bits(n.bias)), kTfLiteMmapRo);
    }
    run.Output(n.output);
    given.Give(run.input(0), {scale_in}, n.zero_in);
    given.Give(run.input(1), scales, n.zero_weights);
    given.Give(run.output(), {scale_out}, n.zero_out);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(Written(run), want) << way.name;
    ASSERT_EQ(run.Eval(), kTfLiteOk);
    EXPECT_EQ(Written(run), want) << way.name << " again";
  }
}

TEST(FullyConnected, WholeNumbers) {
  for (const int depth : {1, 2, 5, 16, 33, 300}) {
    Check({.depth = depth});
    Check({.depth = depth, .units = 9, .weights = kTfLiteInt4, .per_unit = true});
    Check({.rows = 1, .depth = depth, .bias = kTfLiteNoType, .activation = kTfLiteActRelu});
    Check({.rows = 7,
           .depth = depth,
           .input = kTfLiteUInt8,
           .weights = kTfLiteUInt8,
           .output = kTfLiteUInt8,
           .zero_in = 255,
           .zero_weights = 100,
           .zero_out = 7});
    Check({.depth = depth, .weights = kTfLiteInt2});
    Check({.depth = depth,
           .input = kTfLiteInt16,
           .output = kTfLiteInt16,
           .bias = kTfLiteInt64,
           .zero_in = 0,
           .zero_out = 0,
           .per_unit = true});
    Check({.depth = depth,
           .input = kTfLiteInt16,
           .weights = kTfLiteInt4,
           .output = kTfLiteInt16,
           .zero_in = 0,
           .zero_out = 0});
    Check({.depth = depth,
           .input = kTfLiteInt16,
           .weights = kTfLiteInt2,
           .output = kTfLiteInt16,
           .bias = kTfLiteInt64,
           .zero_in = 0,
           .zero_out = 0,
           .per_unit = true});
  }
  // More units, or rows, than are summed at a time.
  Check({.rows = 2, .depth = 5, .units = 1100, .per_unit = true});
  Check({.rows = 2, .depth = 70, .units = 1100, .per_unit = true});
  Check({.rows = 70,
         .depth = 9,
         .units = 130,
         .input = kTfLiteInt16,
         .output = kTfLiteInt16,
         .bias = kTfLiteInt64,
         .zero_in = 0,
         .zero_out = 0});
}

struct WideWeights {
  std::vector<int16_t> x, weights;
  std::vector<int64_t> bias;
  std::vector<float> scales;
  int zero_weights;
  std::vector<int64_t> want;
};

void CheckWide(const WideWeights& c, TfLiteType bias_type) {
  TfLiteFullyConnectedParams params{};
  for (const Way& way : kWays) {
    OperandScales given;
    OpRunner run(FullyConnectedRegistration(way.form), &params, way.threads);
    run.Input({2, 4}, c.x);
    run.Input({3, 4}, c.weights, kTfLiteMmapRo);
    run.InputAs(bias_type, {3}, Packed(c.bias, Bits(bias_type)), kTfLiteMmapRo);
    run.Output(kTfLiteInt16);
    given.Give(run.input(0), {0.004f});
    given.Give(run.input(1), c.scales, c.zero_weights);
    given.Give(run.output(), {0.37f});
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(Written(run), c.want) << way.name;
  }
}

// The reference's results, whose multipliers have 16 bits. An INT64 bias counts whole.
TEST(FullyConnected, WeightsOf16Bits) {
  const WideWeights cases[] = {
      {{29157, 8198, 12070, 26031, 5130, 18067, 21866, -18009},
       {-3642, -1638, -1761, 3060, 3380, -4053, -2, 2631, -3020, 2433, -3121, -263},
       {63293, -39394, -31680},
       {0.011f, 0.07f, 0.0023f},
       0,
       {-7273, 32767, -2801, -16866, -32768, -872}},
      {{-14522, 14383, -16065, 32142, -3600, -1433, 298, 5409},
       {32, 5, 297, 184, 175, 120, 73, -96, 293, -21, -171, 207},
       {-67958, 71489, 22507},
       {0.031f},
       5,
       {202, -1703, 1604, 298, -413, 21}},
  };
  for (const WideWeights& c : cases) {
    CheckWide(c, kTfLiteInt32);
    CheckWide(c, kTfLiteInt64);
  }
  CheckWide({std::vector<int16_t>(8),
             std::vector<int16_t>(12),
             {int64_t{1} << 33, -(int64_t{1} << 20), 1 << 20},
             {0.004f},
             0,
             {32767, -45, 45, 32767, -45, 45}},
            kTfLiteInt64);
}

// Activations become integers first, row by row.
TEST(FullyConnected, SmallWeightsBesideFloats) {
  for (const TfLiteType type : {kTfLiteInt8, kTfLiteUInt8, kTfLiteInt4, kTfLiteInt2}) {
    for (const bool asymmetric : {false, true}) {
      Random random(5);
      const int rows = 3, depth = 19, units = 4;
      const std::vector<float> x = random.Floats(rows * depth);
      const std::vector<int64_t> w =
          RandomIntegers(random, units * depth, type == kTfLiteUInt8 ? kTfLiteInt8 : type);
      const std::vector<float> scales = {0.5f, 0.25f, 0.125f, 1};
      TfLiteFullyConnectedParams params{};
      params.asymmetric_quantize_inputs = asymmetric;
      OperandScales given;
      OpRunner run(FullyConnectedRegistration(OpForm::kOptimized), &params);
      run.Input({rows, depth}, x);
      run.InputAs(type, {units, depth}, Packed(w, Bits(type)), kTfLiteMmapRo);
      run.Output();
      given.Give(run.input(1), scales);
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      const std::vector<float> got = run.Values();
      for (int i = 0; i < rows * units; ++i) {
        double exact = 0, reach = 0;
        for (int k = 0; k < depth; ++k) {
          const double weight = static_cast<double>(w[i % units * depth + k]) * scales[i % units];
          exact += weight * x[i / units * depth + k];
          reach += std::fabs(weight) * 4 / 254;  // half a step of each activation
        }
        EXPECT_NEAR(got[i], exact, reach + 1e-6) << TypeText(type) << " " << i;
      }
    }
  }
}

// A program that fills the weights after AllocateTensors may say then what their scale is.
TEST(FullyConnected, ScaleOfSmallWeightsIsReadInEachRun) {
  TfLiteFullyConnectedParams params{};
  for (const Way& way : kWays) {
    OpRunner run(FullyConnectedRegistration(way.form), &params, way.threads);
    run.Input<float>({1, 1}, {2});
    run.Input<int8_t>({1, 1}, {10});
    run.SetScales(1, {0.5f}, 0);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_NEAR(run.Values()[0], 10, 1e-4) << way.name;
    run.SetScales(1, {0.25f}, 0);
    ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
    EXPECT_NEAR(run.Values()[0], 5, 1e-4) << way.name;
  }
}

// A row of ones and one block of weights that are there.
TEST(FullyConnected, SparseWeights) {
  TfLiteFullyConnectedParams params{};
  OpRunner run(FullyConnectedRegistration(OpForm::kOptimized), &params);
  run.Input<float>({1, 4}, {1, 10, 100, 1000});
  run.Input<float>({2, 4}, {3, 5, 7}, kTfLiteMmapRo);  // three of eight are stored
  run.Output();
  TfLiteSparsity sparsity{};
  TfLiteDimensionMetadata levels[2] = {};
  levels[0].format = kTfLiteDimDense;
  levels[0].dense_size = 2;
  levels[1].format = kTfLiteDimSparseCSR;
  levels[1].array_segments = TfLiteIntArrayCreate(3);
  levels[1].array_indices = TfLiteIntArrayCreate(3);
  sparsity.traversal_order = TfLiteIntArrayCreate(2);
  for (int i = 0; i < 2; ++i) sparsity.traversal_order->data[i] = i;
  const int segments[] = {0, 1, 3}, indices[] = {2, 0, 3};
  std::copy_n(segments, 3, levels[1].array_segments->data);
  std::copy_n(indices, 3, levels[1].array_indices->data);
  sparsity.dim_metadata = levels;
  sparsity.dim_metadata_size = 2;
  run.input(1).sparsity = &sparsity;
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.Values(), (std::vector<float>{300, 7005}));
  // Indices, segments and levels that do not fit the shape.
  for (int* bad : {&levels[1].array_indices->data[2], &levels[1].array_segments->data[2],
                   &levels[1].array_segments->data[1], &levels[0].dense_size,
                   &sparsity.traversal_order->data[1]}) {
    const int kept = *bad;
    for (const int value : {-1, 4, 1 << 30}) {
      *bad = value;
      EXPECT_EQ(run.Run(), kTfLiteError) << value;
    }
    *bad = kept;
  }
  EXPECT_EQ(run.Run(), kTfLiteOk);
  run.input(1).sparsity = nullptr;
  TfLiteIntArrayFree(levels[1].array_segments);
  TfLiteIntArrayFree(levels[1].array_indices);
  TfLiteIntArrayFree(sparsity.traversal_order);
}

// Ops in front compute constants again at each Prepare, where they lay before.
TEST(FullyConnected, ComputedConstantsChangeWithAResize) {
  TfLiteFullyConnectedParams params{};
  for (const int changed : {0, 1, 2}) {
    const auto where = [&](int i) { return i == changed ? kTfLitePersistentRo : kTfLiteMmapRo; };
    OpRunner run(FullyConnectedRegistration(OpForm::kOptimized), &params);
    run.Input<float>({1, 3}, {1, 10, 100}, where(0));
    run.Input<float>({2, 3}, {1, 2, 3, 4, 5, 6}, where(1));
    run.Input<float>({2}, {1, 3}, where(2));
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values(), (std::vector<float>{322, 657}));
    run.input(changed).data.f[0] += 1;
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values(), (std::vector<float>{323, changed == 0 ? 661.0f : 657.0f})) << changed;
  }
}

TEST(FullyConnected, LargestBiasesSaturate) {
  TfLiteFullyConnectedParams params{};
  OperandScales given;
  OpRunner run(FullyConnectedRegistration(OpForm::kOptimized), &params);
  run.Input<int16_t>({1, 1}, {32767});
  run.Input<int8_t>({2, 1}, {127, -127}, kTfLiteMmapRo);
  run.Input<int64_t>({2}, {INT64_MAX - 5, INT64_MIN + 5}, kTfLiteMmapRo);
  run.Output(kTfLiteInt16);
  given.Give(run.input(0), {1});
  given.Give(run.input(1), {1});
  given.Give(run.output(), {1});
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(Written(run), (std::vector<int64_t>{32767, -32768}));
}

TEST(FullyConnected, OperatorsOfTheSameWeightsPackThemOnce) {
  constexpr int kRows = 8, kDepth = 20, kUnits = 9;
  Random random(5);
  const std::vector<uint8_t> x = Packed(RandomIntegers(random, kRows * kDepth, kTfLiteInt8), 8);
  const std::vector<uint8_t> w = Packed(RandomIntegers(random, kUnits * kDepth, kTfLiteInt8), 8);
  TfLiteFullyConnectedParams params{};
  OperandScales given;
  OpRunner first(FullyConnectedRegistration(OpForm::kOptimized), &params);
  OpRunner second(FullyConnectedRegistration(OpForm::kOptimized), &params);
  for (OpRunner* run : {&first, &second}) {
    run->InputAs(kTfLiteInt8, {kRows, kDepth}, x);
    run->InputAs(kTfLiteInt8, {kUnits, kDepth}, w, kTfLiteMmapRo);
    run->Output(kTfLiteInt8);
    given.Give(run->input(0), {0.03f});
    given.Give(run->input(1), {0.02f});
    given.Give(run->output(), {0.41f});
  }
  ExpectPackedOnce(first, second, 1);
}

struct BadMatrix {
  const char* what;
  std::vector<int> input, weights, bias;
  TfLiteFullyConnectedParams params = {};
};

TEST(FullyConnected, BadOperandsAreErrors) {
  TfLiteFullyConnectedParams keep{}, tanh{};
  keep.keep_num_dims = true;
  tanh.activation = kTfLiteActTanh;
  for (BadMatrix bad :
       {BadMatrix{"rank of the weights", {2, 3}, {4, 3, 1}, {4}},
        BadMatrix{"no whole rows", {2, 5}, {4, 3}, {4}}, BadMatrix{"bias", {2, 3}, {4, 3}, {3}},
        BadMatrix{"scalar", {}, {4, 1}, {4}}, BadMatrix{"last size", {2, 6}, {4, 3}, {4}, keep},
        BadMatrix{"depth 0", {2, 6}, {4, 0}, {4}}, BadMatrix{"tanh", {2, 3}, {4, 3}, {4}, tanh}}) {
    OpRunner run(FullyConnectedRegistration(OpForm::kOptimized), &bad.params);
    run.Input(bad.input, std::vector<float>(Count(bad.input), 1));
    run.Input(bad.weights, std::vector<float>(Count(bad.weights), 1));
    run.Input(bad.bias, std::vector<float>(Count(bad.bias), 1));
    run.Output();
    EXPECT_EQ(run.Run(), kTfLiteError) << bad.what;
    EXPECT_NE(run.error(), "");
  }
}

TEST(FullyConnected, BadNumbersAreErrors) {
  TfLiteFullyConnectedParams params{};
  const auto run = [&](TfLiteType output, size_t weight_bytes, const std::vector<float>& scales,
                       TfLiteType weights = kTfLiteInt4) {
    OperandScales given;
    OpRunner op(FullyConnectedRegistration(OpForm::kOptimized), &params);
    op.Input<int8_t>({1, 3}, {1, 2, 3});
    op.InputAs(weights, {2, 3}, std::vector<uint8_t>(weight_bytes, 1), kTfLiteMmapRo);
    op.Output(output);
    given.Give(op.input(0), {1});
    given.Give(op.input(1), scales);
    given.Give(op.output(), {1});
    return op.Run();
  };
  EXPECT_EQ(run(kTfLiteInt8, 3, {1}), kTfLiteOk);
  EXPECT_EQ(run(kTfLiteInt8, 2, {1}), kTfLiteError);
  EXPECT_EQ(run(kTfLiteInt8, 3, {1, 2, 3}), kTfLiteError);
  EXPECT_EQ(run(kTfLiteInt8, 3, {}), kTfLiteError);
  EXPECT_EQ(run(kTfLiteInt8, 3, {0}), kTfLiteError);
  EXPECT_EQ(run(kTfLiteInt16, 3, {1}), kTfLiteError);
  EXPECT_EQ(run(kTfLiteInt16, 6, {1}, kTfLiteInt8), kTfLiteError);
}

struct BadMatrixScales {
  std::string error;
  TfLiteType input = kTfLiteInt16, weights = kTfLiteInt16, output = kTfLiteInt16;
  std::vector<float> scales = {1};
  int zero_weights = 0, axis = 0;
  float scale_out = 1;
  TfLiteType bias = kTfLiteNoType;
};

TEST(FullyConnected, BadScalesAreErrors) {
  const TfLiteType real = kTfLiteFloat32;
  const BadMatrixScales cases[] = {
      {.error = "scale of output is too small for its inputs (a factor of 2^20, at most 2^7)",
       .scale_out = 1e-6f},
      {.error = "zero point of weights must be 0 (3)", .scales = {1, 2}, .zero_weights = 3},
      {.error = "a bias of type INT64 with an input of type INT8 is not supported",
       .input = kTfLiteInt8,
       .weights = kTfLiteInt8,
       .output = kTfLiteInt8,
       .bias = kTfLiteInt64},
      {.error = "weights of type INT4 have no scale",
       .input = real,
       .weights = kTfLiteInt4,
       .output = real,
       .scales = {}},
      {.error = "weights of type INT2 need one scale or 2 along axis 0 (2 along axis 1)",
       .input = real,
       .weights = kTfLiteInt2,
       .output = real,
       .scales = {1, 2},
       .axis = 1},
  };
  TfLiteFullyConnectedParams params{};
  for (const BadMatrixScales& bad : cases) {
    OperandScales given;
    OpRunner run(FullyConnectedRegistration(OpForm::kOptimized), &params);
    run.EmptyInput({1, 3}, bad.input);
    run.EmptyInput({2, 3}, bad.weights);
    if (bad.bias != kTfLiteNoType) run.EmptyInput({2}, bad.bias);
    run.Output(bad.output);
    given.Give(run.input(0), {1});
    if (!bad.scales.empty()) given.Give(run.input(1), bad.scales, bad.zero_weights, bad.axis);
    given.Give(run.output(), {bad.scale_out});
    EXPECT_EQ(run.Prepare(), kTfLiteError) << bad.error;
    EXPECT_EQ(run.error(), "FULLY_CONNECTED: " + bad.error);
  }
}

}  // namespace
}  // namespace tern::testing
