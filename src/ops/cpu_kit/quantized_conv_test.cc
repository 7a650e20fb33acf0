// SPDX-License-Identifier: Apache-2.0
// Quantized convolutions, bit for bit against sums of products that are scaled one by one.
#include "ops/cpu_kit/quantized_conv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/operand_scales.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

enum class ConvOp { kConv, kDepthwise, kTranspose };

struct QuantizedCase {
  ConvOp op = ConvOp::kConv;
  TfLiteType type = kTfLiteInt8, filter_type = kTfLiteInt8, bias_type = kTfLiteInt32;
  int batch = 2, height = 5, width = 6, channels = 6, filters = 4, groups = 1;
  int kernel = 3, stride = 1, dilation = 1;
  bool same = true, bias = true, per_channel = true;
  int input_zero = 3, filter_zero = 0, output_zero = -5;
  float output_scale = 0.05f;
  TfLiteFusedActivation activation = kTfLiteActNone;
  TfLiteAllocationType weights = kTfLiteMmapRo;

  std::string Text() const {
    return StrCat("op ", static_cast<int>(op), " type ", static_cast<int>(type), " filter ",
                  static_cast<int>(filter_type), " bias ", static_cast<int>(bias_type), " in ",
                  batch, "x", height, "x", width, "x", channels, " filters ", filters, " groups ",
                  groups, " kernel ", kernel, " stride ", stride, " dilation ", dilation);
  }
  int Out(int in) const {
    return same ? (in + stride - 1) / stride : (in - (kernel - 1) * dilation - 1 + stride) / stride;
  }
  int Pad(int in, int out) const {
    return std::max(0, (out - 1) * stride + (kernel - 1) * dilation + 1 - in) / 2;
  }
  float FilterScale(int f) const {
    return 0.01f + (per_channel ? 0.004f * static_cast<float>(f) : 0);
  }
  std::vector<int> InputShape() const { return {batch, height, width, channels}; }
  std::vector<int> FilterShape() const {
    if (op == ConvOp::kDepthwise) return {1, kernel, kernel, filters};
    return {filters, kernel, kernel, channels / groups};
  }
};

constexpr float kInputScale = 0.1f;

// The sums of products at each output, in 64 bits.
std::vector<int64_t> Sums(const QuantizedCase& c, int oh, int ow, const std::vector<int>& in,
                          const std::vector<int>& w) {
  const bool transpose = c.op == ConvOp::kTranspose, depthwise = c.op == ConvOp::kDepthwise;
  // The padded side of a transposed convolution is its output.
  const int top = transpose ? c.Pad(oh, c.height) : c.Pad(c.height, oh);
  const int left = transpose ? c.Pad(ow, c.width) : c.Pad(c.width, ow);
  std::vector<int64_t> sums(static_cast<size_t>(c.batch * oh * ow * c.filters));
  const int depth = depthwise ? 1 : c.channels / c.groups;
  const auto add = [&](int n, int y, int x, int iy, int ix, int ky, int kx) {
    for (int f = 0; f < c.filters; ++f) {
      for (int d = 0; d < depth; ++d) {
        const int channel =
            depthwise ? f / (c.filters / c.channels) : f / (c.filters / c.groups) * depth + d;
        const int weight = depthwise ? (ky * c.kernel + kx) * c.filters + f
                                     : ((f * c.kernel + ky) * c.kernel + kx) * depth + d;
        sums[((n * oh + y) * ow + x) * c.filters + f] +=
            int64_t{in[((n * c.height + iy) * c.width + ix) * c.channels + channel]} * w[weight];
      }
    }
  };
  for (int n = 0; n < c.batch; ++n) {
    for (int a = 0; a < (transpose ? c.height : oh); ++a) {
      for (int b = 0; b < (transpose ? c.width : ow); ++b) {
        for (int ky = 0; ky < c.kernel; ++ky) {
          for (int kx = 0; kx < c.kernel; ++kx) {
            const int y = a * c.stride - top + ky * c.dilation;
            const int x = b * c.stride - left + kx * c.dilation;
            if (y < 0 || x < 0 || y >= (transpose ? oh : c.height) ||
                x >= (transpose ? ow : c.width)) {
              continue;
            }
            if (transpose) {
              add(n, y, x, a, b, ky, kx);
            } else {
              add(n, a, b, y, x, ky, kx);
            }
          }
        }
      }
    }
  }
  return sums;
}

int64_t Requantized(const QuantizedCase& c, int64_t sum, int f) {
  const float filter_scale = c.FilterScale(f);
  const double product = c.type == kTfLiteUInt8 ? static_cast<double>(kInputScale * filter_scale)
                                                : double{kInputScale} * double{filter_scale};
  const Multiplier multiplier = MakeMultiplier(product / double{c.output_scale});
  const bool wide = c.type == kTfLiteInt16 && c.bias_type == kTfLiteInt64;
  const int64_t scaled =
      wide ? ScaleWide(sum, multiplier) : Scale(static_cast<int32_t>(sum), multiplier);
  const IntRange range = ActivationRange(c.activation, c.type, {c.output_scale, c.output_zero});
  return std::clamp<int64_t>(scaled + c.output_zero, range.min, range.max);
}

template <class T>
std::vector<T> As(const std::vector<int>& values) {
  return std::vector<T>(values.begin(), values.end());
}

void AddNumbers(OpRunner& run, TfLiteType type, const std::vector<int>& shape,
                const std::vector<int>& values, TfLiteAllocationType where) {
  if (type == kTfLiteUInt8) return run.Input(shape, As<uint8_t>(values), where);
  if (type == kTfLiteInt8) return run.Input(shape, As<int8_t>(values), where);
  if (type == kTfLiteInt16) return run.Input(shape, As<int16_t>(values), where);
  if (type == kTfLiteInt32) return run.Input(shape, As<int32_t>(values), where);
  if (type == kTfLiteInt64) return run.Input(shape, As<int64_t>(values), where);
  std::vector<uint8_t> packed((values.size() + 1) / 2);
  for (size_t i = 0; i < values.size(); ++i) {
    packed[i / 2] = static_cast<uint8_t>(packed[i / 2] | ((values[i] & 15) << (i % 2 * 4)));
  }
  run.InputAs(type, shape, packed, where);
}

std::vector<int> Integers(Random& random, int64_t count, TfLiteType type) {
  const IntRange range = TypeRange(type);
  std::vector<int> values(static_cast<size_t>(count));
  for (int& v : values) v = static_cast<int>(random.Integer(range.min, range.max));
  return values;
}

std::vector<int> Relative(std::vector<int> values, int zero_point) {
  for (int& v : values) v -= zero_point;
  return values;
}

void Check(const QuantizedCase& c) {
  SCOPED_TRACE(c.Text());
  Random random(static_cast<uint64_t>(c.height * 31 + c.channels * 7 + c.filters));
  const bool transpose = c.op == ConvOp::kTranspose;
  const int oh = transpose ? c.height * c.stride : c.Out(c.height);
  const int ow = transpose ? c.width * c.stride : c.Out(c.width);
  const std::vector<int> in = Integers(random, Count(c.InputShape()), c.type);
  const std::vector<int> filter = Integers(random, Count(c.FilterShape()), c.filter_type);
  std::vector<int> bias(static_cast<size_t>(c.filters));
  for (int& b : bias) b = static_cast<int>(random.Integer(-5000, 5000));
  std::vector<int64_t> want =
      Sums(c, oh, ow, Relative(in, c.input_zero), Relative(filter, c.filter_zero));
  for (size_t i = 0; i < want.size(); ++i) {
    const int f = static_cast<int>(i) % c.filters;
    want[i] = Requantized(c, want[i] + (c.bias ? bias[f] : 0), f);
  }
  std::vector<float> scales;
  for (int f = 0; f < (c.per_channel ? c.filters : 1); ++f) scales.push_back(c.FilterScale(f));
  const TfLitePadding padding = c.same ? kTfLitePaddingSame : kTfLitePaddingValid;
  TfLiteConvParams conv{padding,    c.stride,   c.stride,   c.activation,
                        c.dilation, c.dilation, c.bias_type};
  TfLiteDepthwiseConvParams depthwise{};
  depthwise.padding = padding;
  depthwise.stride_width = depthwise.stride_height = c.stride;
  depthwise.dilation_width_factor = depthwise.dilation_height_factor = c.dilation;
  depthwise.activation = c.activation;
  TfLiteTransposeConvParams transposed{};
  transposed.padding = padding;
  transposed.stride_width = transposed.stride_height = c.stride;
  transposed.activation = c.activation;
  transposed.quantized_bias_type = c.bias_type;
  for (const Way& way : kWays) {
    const std::array<TfLiteRegistration, 3> ops = {Conv2dRegistration(way.form),
                                                   DepthwiseConv2dRegistration(way.form),
                                                   TransposeConvRegistration(way.form)};
    const std::array<void*, 3> params = {&conv, &depthwise, &transposed};
    const size_t op = static_cast<size_t>(c.op);
    OpRunner run(ops[op], params[op], way.threads);
    if (transpose) run.Input<int32_t>({4}, {c.batch, oh, ow, c.filters}, kTfLiteMmapRo);
    if (!transpose) AddNumbers(run, c.type, c.InputShape(), in, kTfLiteArenaRw);
    AddNumbers(run, c.filter_type, c.FilterShape(), filter, c.weights);
    if (transpose) AddNumbers(run, c.type, c.InputShape(), in, kTfLiteArenaRw);
    if (c.bias) AddNumbers(run, c.bias_type, {c.filters}, bias, c.weights);
    run.Output(c.type);
    OperandScales scales_of;
    scales_of.Give(run.input(transpose ? 2 : 0), {kInputScale}, c.input_zero);
    scales_of.Give(run.input(1), scales, c.filter_zero, c.op == ConvOp::kDepthwise ? 3 : 0);
    scales_of.Give(run.output(), {c.output_scale}, c.output_zero);
    if (c.bias) run.input(transpose ? 3 : 2).params.scale = kInputScale * c.FilterScale(0);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    ASSERT_EQ(run.Eval(), kTfLiteOk);
    ASSERT_EQ(run.OutputShape(), (Shape{c.batch, oh, ow, c.filters}));
    for (size_t i = 0; i < want.size(); ++i) {
      const int64_t got = c.type == kTfLiteUInt8  ? run.Values<uint8_t>()[i]
                          : c.type == kTfLiteInt8 ? run.Values<int8_t>()[i]
                                                  : run.Values<int16_t>()[i];
      ASSERT_EQ(got, want[i]) << way.name << ", element " << i;
    }
  }
}

const std::vector<QuantizedCase>& Types() {
  static const auto& types = *new std::vector<QuantizedCase>{
      {.type = kTfLiteInt8},
      {.type = kTfLiteInt8, .per_channel = false, .input_zero = -128, .output_zero = 127},
      {.type = kTfLiteInt8, .filter_type = kTfLiteInt4},
      {.type = kTfLiteUInt8,
       .filter_type = kTfLiteUInt8,
       .per_channel = false,
       .input_zero = 255,
       .filter_zero = 100,
       .output_zero = 128},
      {.type = kTfLiteInt16, .bias_type = kTfLiteInt64, .input_zero = 0, .output_zero = 0},
      {.type = kTfLiteInt16, .bias_type = kTfLiteInt32, .input_zero = 0, .output_zero = 0},
      {.type = kTfLiteInt16,
       .filter_type = kTfLiteInt4,
       .bias_type = kTfLiteInt64,
       .input_zero = 0,
       .output_zero = 0},
  };
  return types;
}

TEST(QuantizedConv, EveryTypeIsExact) {
  for (QuantizedCase c : Types()) {
    for (const bool bias : {true, false}) {
      c.bias = bias;
      c.op = ConvOp::kConv;
      Check(c);
      c.op = ConvOp::kTranspose;
      Check(c);
      c.op = ConvOp::kDepthwise;
      c.filters = 12;
      if (c.type != kTfLiteInt16 || c.bias_type == kTfLiteInt64) Check(c);
      c.filters = 4;
    }
  }
}

TEST(QuantizedConv, ShapesStridesAndActivations) {
  for (QuantizedCase c : Types()) {
    for (const auto activation : {kTfLiteActRelu, kTfLiteActRelu6, kTfLiteActReluN1To1}) {
      c.activation = activation;
      c.stride = activation == kTfLiteActRelu ? 2 : 1;
      c.dilation = activation == kTfLiteActRelu6 ? 2 : 1;
      c.same = activation != kTfLiteActReluN1To1;
      c.op = ConvOp::kConv;
      c.groups = 2;
      Check(c);
      c.groups = 1;
      c.weights = kTfLiteArenaRw;
      c.height = 7;
      Check(c);
      c.weights = kTfLiteMmapRo;
      c.op = ConvOp::kDepthwise;
      c.filters = 6;
      if (c.type != kTfLiteInt16 || c.bias_type == kTfLiteInt64) Check(c);
      c.filters = 4;
      c.op = ConvOp::kTranspose;
      c.dilation = 1;
      c.same = true;
      Check(c);
    }
  }
}

// More products than a float holds exactly: the sums are then made of integers.
TEST(QuantizedConv, ManyProducts) {
  QuantizedCase c;
  c.height = c.width = 3;
  c.batch = 1;
  c.channels = 700;
  c.filters = 3;
  c.output_scale = 20;
  Check(c);
}

TEST(QuantizedConv, EmptyBatch) {
  QuantizedCase c;
  c.batch = 0;
  for (const ConvOp op : {ConvOp::kConv, ConvOp::kTranspose}) {
    c.op = op;
    Check(c);
  }
}

struct BadQuantized {
  const char* error;
  TfLiteType type = kTfLiteInt8, filter_type = kTfLiteInt8, bias_type = kTfLiteInt32;
  std::vector<float> filter_scales = {0.1f};
  int axis = 0, filter_zero = 0, input_zero = 0, bias_count = 2;
  float input_scale = 0.1f, output_scale = 0.1f, bias_scale = 0.01f;
};

TEST(QuantizedConv, BadOperandsAreErrors) {
  const std::vector<BadQuantized> cases = {
      {.error = "3 quantization scales for 2", .filter_scales = {1, 2, 3}},
      {.error = "along axis 3", .filter_scales = {1, 2}, .axis = 3},
      {.error = "zero point of filter must be 0 (1)", .filter_zero = 1},
      {.error = "scale of filter is not a positive number", .filter_scales = {-1}},
      {.error = "scale of input is not a positive number", .input_scale = 0},
      {.error = "scale of output is not a positive number", .output_scale = NAN},
      {.error = "zero point of input lies outside", .input_zero = 500},
      {.error = "a bias of type INT64", .bias_type = kTfLiteInt64},
      {.error = "one value per output channel (3, 2)", .bias_count = 3},
      {.error = "zero points of INT16 must be 0 (1, 0)",
       .type = kTfLiteInt16,
       .bias_type = kTfLiteInt64,
       .input_zero = 1},
      {.error = "scale of output is too small",
       .type = kTfLiteInt16,
       .bias_type = kTfLiteInt64,
       .output_scale = 1e-6f},
      {.error = "scale of bias is not that of input times filter",
       .type = kTfLiteUInt8,
       .filter_type = kTfLiteUInt8,
       .bias_scale = 0.02f},
  };
  TfLiteConvParams params{kTfLitePaddingValid, 1, 1, kTfLiteActNone, 1, 1, kTfLiteNoType};
  for (const BadQuantized& bad : cases) {
    OpRunner run(Conv2dRegistration(OpForm::kOptimized), &params);
    run.EmptyInput({1, 4, 4, 3}, bad.type);
    run.EmptyInput({2, 3, 3, 3}, bad.filter_type);
    run.EmptyInput({bad.bias_count}, bad.bias_type);
    run.Output(bad.type);
    OperandScales scales;
    scales.Give(run.input(0), {bad.input_scale}, bad.input_zero);
    scales.Give(run.input(1), bad.filter_scales, bad.filter_zero, bad.axis);
    scales.Give(run.output(), {bad.output_scale});
    run.input(2).params.scale = bad.bias_scale;
    EXPECT_EQ(run.Prepare(), kTfLiteError) << bad.error;
    EXPECT_NE(run.error().find(bad.error), std::string::npos) << bad.error << ": " << run.error();
  }
}

// An op in front computes the filter again at each Prepare, where it lay before.
TEST(QuantizedConv, ComputedFiltersChangeWithAResize) {
  TfLiteConvParams params{kTfLitePaddingValid, 1, 1, kTfLiteActNone, 1, 1, kTfLiteNoType};
  for (const OpForm form : {OpForm::kReference, OpForm::kOptimized}) {
    OpRunner run(Conv2dRegistration(form), &params);
    run.Input<int8_t>({1, 1, 1, 2}, {3, 4});
    run.Input<int8_t>({1, 1, 1, 2}, {1, 2}, kTfLitePersistentRo);
    run.Output(kTfLiteInt8);
    OperandScales scales;
    scales.Give(run.input(0), {1});
    scales.Give(run.input(1), {1});
    scales.Give(run.output(), {1});
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values<int8_t>(), std::vector<int8_t>{11});
    run.input(1).data.int8[0] = 5;
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values<int8_t>(), std::vector<int8_t>{23});
  }
}

TEST(QuantizedConv, ShortFiltersAreErrors) {
  TfLiteConvParams params{kTfLitePaddingValid, 1, 1, kTfLiteActNone, 1, 1, kTfLiteNoType};
  OpRunner run(Conv2dRegistration(OpForm::kOptimized), &params);
  run.Input<int8_t>({1, 1, 1, 3}, {1, 2, 3});
  run.InputAs<uint8_t>(kTfLiteInt4, {3, 1, 1, 3}, {1, 2, 3, 4});
  run.Output(kTfLiteInt8);
  OperandScales scales;
  scales.Give(run.input(0), {0.1f});
  scales.Give(run.input(1), {0.1f});
  scales.Give(run.output(), {0.1f});
  EXPECT_EQ(run.Run(), kTfLiteError);
  EXPECT_EQ(run.error(), "CONV_2D: filter holds too few bytes (4, needed 5)");
}

}  // namespace
}  // namespace tern::testing
