// SPDX-License-Identifier: Apache-2.0
// CONV_2D and DEPTHWISE_CONV_2D in every form against a double-precision oracle, and their
// refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

struct ConvCase {
  bool depthwise = false;
  int batch = 1, height = 5, width = 6, channels = 3, filters = 4, groups = 1;
  int kernel_h = 3, kernel_w = 3, stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
  TfLitePadding padding = kTfLitePaddingSame;
  TfLiteFusedActivation activation = kTfLiteActNone;
  bool bias = true;
  TfLiteAllocationType weights = kTfLiteMmapRo, input = kTfLiteArenaRw;

  std::string Text() const {
    return StrCat(depthwise ? "depthwise" : "conv", " in ", batch, "x", height, "x", width, "x",
                  channels, " filters ", filters, " groups ", groups, " kernel ", kernel_h, "x",
                  kernel_w, " stride ", stride_h, "x", stride_w, " dilation ", dilation_h, "x",
                  dilation_w, " padding ", static_cast<int>(padding), " activation ",
                  static_cast<int>(activation));
  }
  int multiplier() const { return filters / channels; }
};

int OutSize(TfLitePadding padding, int in, int kernel, int stride, int dilation) {
  const int extent = (kernel - 1) * dilation + 1;
  return padding == kTfLitePaddingSame ? (in + stride - 1) / stride
                                       : (in - extent + stride) / stride;
}

int PadBefore(TfLitePadding padding, int in, int out, int kernel, int stride, int dilation) {
  if (padding == kTfLitePaddingValid) return 0;
  return std::max(0, (out - 1) * stride + (kernel - 1) * dilation + 1 - in) / 2;
}

std::vector<Expected> Oracle(const ConvCase& c, const std::vector<float>& in,
                             const std::vector<float>& w, const std::vector<float>& bias) {
  const int oh = OutSize(c.padding, c.height, c.kernel_h, c.stride_h, c.dilation_h);
  const int ow = OutSize(c.padding, c.width, c.kernel_w, c.stride_w, c.dilation_w);
  const int top = PadBefore(c.padding, c.height, oh, c.kernel_h, c.stride_h, c.dilation_h);
  const int left = PadBefore(c.padding, c.width, ow, c.kernel_w, c.stride_w, c.dilation_w);
  const int depth = c.depthwise ? 1 : c.channels / c.groups;
  const FloatRange range = ActivationRange(c.activation);
  std::vector<Expected> out;
  for (int n = 0; n < c.batch; ++n) {
    for (int y = 0; y < oh; ++y) {
      for (int x = 0; x < ow; ++x) {
        for (int f = 0; f < c.filters; ++f) {
          Expected e;
          if (c.bias) e.Add(bias[f]);
          for (int i = 0; i < c.kernel_h; ++i) {
            for (int j = 0; j < c.kernel_w; ++j) {
              const int iy = y * c.stride_h - top + i * c.dilation_h;
              const int ix = x * c.stride_w - left + j * c.dilation_w;
              if (iy < 0 || iy >= c.height || ix < 0 || ix >= c.width) continue;
              for (int d = 0; d < depth; ++d) {
                const int channel =
                    c.depthwise ? f / c.multiplier() : f / (c.filters / c.groups) * depth + d;
                const int weight = c.depthwise
                                       ? (i * c.kernel_w + j) * c.filters + f
                                       : ((f * c.kernel_h + i) * c.kernel_w + j) * depth + d;
                e.Add(double{in[((n * c.height + iy) * c.width + ix) * c.channels + channel]} *
                      w[weight]);
              }
            }
          }
          e.Clamp(range);
          out.push_back(e);
        }
      }
    }
  }
  return out;
}

void Check(const ConvCase& c) {
  Random random(static_cast<uint64_t>(c.height * 131 + c.width * 17 + c.channels + c.filters * 7));
  const std::vector<int> input_shape = {c.batch, c.height, c.width, c.channels};
  const std::vector<int> filter_shape =
      c.depthwise ? std::vector<int>{1, c.kernel_h, c.kernel_w, c.filters}
                  : std::vector<int>{c.filters, c.kernel_h, c.kernel_w, c.channels / c.groups};
  const std::vector<float> in = random.Floats(Count(input_shape));
  const std::vector<float> w = random.Floats(Count(filter_shape), -1, 1);
  const std::vector<float> bias = random.Floats(c.filters);
  const std::vector<Expected> want = Oracle(c, in, w, bias);
  TfLiteConvParams conv{};
  conv.padding = c.padding;
  conv.stride_height = c.stride_h;
  conv.stride_width = c.stride_w;
  conv.dilation_height_factor = c.dilation_h;
  conv.dilation_width_factor = c.dilation_w;
  conv.activation = c.activation;
  TfLiteDepthwiseConvParams depthwise{};
  depthwise.padding = c.padding;
  depthwise.stride_height = c.stride_h;
  depthwise.stride_width = c.stride_w;
  depthwise.dilation_height_factor = c.dilation_h;
  depthwise.dilation_width_factor = c.dilation_w;
  depthwise.activation = c.activation;
  for (const Way& way : kWays) {
    OpRunner run(c.depthwise ? DepthwiseConv2dRegistration(way.form) : Conv2dRegistration(way.form),
                 c.depthwise ? static_cast<void*>(&depthwise) : &conv, way.threads);
    run.Input(input_shape, in, c.input);
    run.Input(filter_shape, w, c.weights);
    if (c.bias) {
      run.Input({c.filters}, bias, c.weights);
    } else {
      run.AbsentInput();
    }
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error() << " in " << c.Text();
    ExpectClose(run.Values(), want, StrCat(way.name, ": ", c.Text()));
    ASSERT_EQ(run.Eval(), kTfLiteOk);
    ExpectClose(run.Values(), want, StrCat(way.name, " again: ", c.Text()));
  }
}

TEST(Conv2d, ChannelCountsThatAreNoMultipleOfFour) {
  for (const int channels : {1, 2, 3, 4, 5, 7, 8, 17}) {
    for (const int filters : {1, 3, 4, 6, 9, 19}) {
      ConvCase c;
      c.channels = channels;
      c.filters = filters;
      Check(c);
      c.kernel_h = c.kernel_w = 1;
      Check(c);
    }
  }
}

TEST(Conv2d, StridesDilationsPaddings) {
  for (const TfLitePadding padding : {kTfLitePaddingSame, kTfLitePaddingValid}) {
    for (const int stride : {1, 2, 3}) {
      for (const int dilation : {1, 2, 3}) {
        for (const int kernel : {1, 2, 3, 5}) {
          ConvCase c;
          c.padding = padding;
          c.height = 14;
          c.width = 13;
          c.stride_h = stride;
          c.stride_w = stride == 3 ? 1 : stride;
          c.dilation_h = dilation;
          c.dilation_w = dilation == 3 ? 1 : dilation;
          c.kernel_h = kernel;
          c.kernel_w = kernel == 5 ? 2 : kernel;
          Check(c);
        }
      }
    }
  }
}

TEST(Conv2d, Batches) {
  for (const int batch : {0, 1, 2, 3, 7}) {
    ConvCase c;
    c.batch = batch;
    Check(c);
    c.depthwise = true;
    c.filters = 6;
    Check(c);
  }
}

TEST(Conv2d, Groups) {
  for (const int groups : {2, 3, 6}) {
    ConvCase c;
    c.channels = 6;
    c.filters = 12;
    c.groups = groups;
    Check(c);
  }
}

TEST(Conv2d, Activations) {
  for (const auto activation :
       {kTfLiteActRelu, kTfLiteActReluN1To1, kTfLiteActRelu6, kTfLiteActTanh, kTfLiteActSignBit}) {
    ConvCase c;
    c.activation = activation;
    Check(c);
  }
}

TEST(Conv2d, WithoutBiasAndWithComputedWeights) {
  for (const bool depthwise : {false, true}) {
    ConvCase c;
    c.depthwise = depthwise;
    c.filters = 6;
    c.bias = false;
    Check(c);
    c.bias = true;
    c.weights = kTfLiteArenaRw;
    Check(c);
    c.weights = kTfLiteMmapRo;
    c.input = kTfLiteCustom;
    Check(c);
    c.input = kTfLiteMmapRo;
    Check(c);
  }
}

TEST(Conv2d, KernelLargerThanInput) {
  ConvCase c;
  c.height = 2;
  c.width = 3;
  c.kernel_h = 7;
  c.kernel_w = 9;
  Check(c);
  c.depthwise = true;
  c.filters = 3;
  Check(c);
}

TEST(DepthwiseConv2d, MultipliersKernelsStrides) {
  for (const int multiplier : {1, 2, 3}) {
    for (const int channels : {1, 3, 8, 13}) {
      for (const int kernel : {1, 2, 3, 5, 7}) {
        for (const int stride : {1, 2}) {
          ConvCase c;
          c.depthwise = true;
          c.height = 9;
          c.width = 10;
          c.channels = channels;
          c.filters = channels * multiplier;
          c.kernel_h = c.kernel_w = kernel;
          c.stride_h = c.stride_w = stride;
          c.dilation_h = stride == 1 ? 2 : 1;
          c.activation = kTfLiteActRelu6;
          Check(c);
        }
      }
    }
  }
}

// Runs with new pointers, sizes and thread counts keep the packed weights and give the right
// answer.
TEST(Conv2d, ResizedInput) {
  ConvCase c;
  TfLiteConvParams params{kTfLitePaddingSame, 1, 1, kTfLiteActNone, 1, 1, kTfLiteNoType};
  Random random(5);
  const std::vector<float> w = random.Floats(4 * 3 * 3 * 3);
  const std::vector<float> bias = random.Floats(4);
  for (const Way& way : kWays) {
    OpRunner run(Conv2dRegistration(way.form), &params, way.threads);
    run.Input<float>({1, 5, 6, 3}, random.Floats(90));
    run.Input({4, 3, 3, 3}, w, kTfLiteMmapRo);
    run.Input({4}, bias, kTfLiteMmapRo);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    run.set_threads(3);
    c.height = 3;
    c.width = 4;
    const std::vector<float> in = random.Floats(36);
    run.input(0).dims->data[1] = 3;
    run.input(0).dims->data[2] = 4;
    run.input(0).bytes = 36 * 4;
    std::copy(in.begin(), in.end(), MutableData<float>(&run.input(0)));
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    ExpectClose(run.Values(), Oracle(c, in, w, bias), way.name);
  }
}

// A stride beyond the kernel leaves gaps that no padding fills.
// Ops in front compute constants again at each Prepare, where they lay before.
TEST(Conv2d, ComputedConstantsChangeWithAResize) {
  TfLiteConvParams conv{kTfLitePaddingValid, 1, 1, kTfLiteActNone, 1, 1, kTfLiteNoType};
  TfLiteDepthwiseConvParams by_channel{kTfLitePaddingValid, 1, 1, 1, kTfLiteActNone, 1, 1};
  for (const bool depthwise : {false, true}) {
    for (const int changed : {0, 1, 2}) {
      const auto where = [&](int i) { return i == changed ? kTfLitePersistentRo : kTfLiteMmapRo; };
      OpRunner run(depthwise ? DepthwiseConv2dRegistration(OpForm::kOptimized)
                             : Conv2dRegistration(OpForm::kOptimized),
                   depthwise ? static_cast<void*>(&by_channel) : &conv);
      run.Input<float>({1, 1, 1, 2}, {1, 10}, where(0));
      run.Input<float>(depthwise ? std::vector<int>{1, 1, 1, 2} : std::vector<int>{2, 1, 1, 2},
                       depthwise ? std::vector<float>{1, 2} : std::vector<float>{1, 0, 0, 2},
                       where(1));
      run.Input<float>({2}, {3, 4}, where(2));
      run.Output();
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      EXPECT_EQ(run.Values(), (std::vector<float>{4, 24}));
      run.input(changed).data.f[0] += 1;
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      EXPECT_EQ(run.Values(), (std::vector<float>{5, 24})) << depthwise << changed;
    }
  }
}

TEST(Conv2d, StridesLargerThanTheKernel) {
  for (const bool depthwise : {false, true}) {
    for (int size = 7; size < 12; ++size) {
      ConvCase c;
      c.depthwise = depthwise;
      c.height = size;
      c.width = 19 - size;
      c.kernel_h = 1;
      c.kernel_w = 7;
      c.stride_h = c.stride_w = 3;
      c.filters = 6;
      Check(c);
      std::swap(c.kernel_h, c.kernel_w);
      Check(c);
      c.kernel_h = c.kernel_w = 2;
      Check(c);
    }
  }
}

TEST(Conv2d, NanIsKept) {
  TfLiteConvParams params{kTfLitePaddingSame, 1, 1, kTfLiteActNone, 1, 1, kTfLiteNoType};
  for (const Way& way : kWays) {
    OpRunner run(Conv2dRegistration(way.form), &params, way.threads);
    run.Input<float>({1, 1, 3, 1}, {std::nanf(""), 1, 2});
    run.Input<float>({1, 1, 1, 1}, {2}, kTfLiteMmapRo);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_TRUE(std::isnan(run.Values()[0])) << way.name;
    EXPECT_EQ(run.Values()[2], 4) << way.name;
  }
}

TEST(Conv2d, InfinityIsKept) {
  TfLiteConvParams params{kTfLitePaddingValid, 1, 1, kTfLiteActNone, 1, 1, kTfLiteNoType};
  for (const Way& way : kWays) {
    OpRunner run(Conv2dRegistration(way.form), &params, way.threads);
    run.Input<float>({1, 1, 1, 1}, {std::numeric_limits<float>::infinity()});
    run.Input<float>({1, 1, 1, 1}, {2}, kTfLiteMmapRo);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values()[0], std::numeric_limits<float>::infinity()) << way.name;
  }
}

// 8-bit filters: the same as a float convolution of the rounded input.
TEST(Conv2d, DynamicRangeFilters) {
  Random random(77);
  for (const int channels : {1, 3, 8}) {
    for (const bool per_channel : {false, true}) {
      ConvCase c;
      c.batch = 2;
      c.channels = channels;
      c.activation = kTfLiteActRelu6;
      TfLiteConvParams params{kTfLitePaddingSame, 1, 1, c.activation, 1, 1, kTfLiteNoType};
      const std::vector<int> in_shape = {2, c.height, c.width, channels};
      const std::vector<float> in = random.Floats(Count(in_shape)), bias = random.Floats(4);
      std::vector<int8_t> filter(static_cast<size_t>(4 * 9 * channels));
      std::vector<float> scales(per_channel ? 4 : 1), filter_values;
      for (size_t i = 0; i < scales.size(); ++i) scales[i] = 0.01f + 0.003f * static_cast<float>(i);
      for (size_t i = 0; i < filter.size(); ++i) {
        filter[i] = static_cast<int8_t>(random.Integer(-127, 127));
        const size_t f = i / (9 * static_cast<size_t>(channels));
        filter_values.push_back(filter[i] * scales[per_channel ? f : 0]);
      }
      std::vector<Expected> want = Oracle(c, in, filter_values, bias);
      // The input is off by half a step of its range, up to 4 in 255 steps, in every term.
      for (Expected& e : want)
        e = {e.value, 9 * channels * 0.5 * 4.0 / 254 * 127 * 0.02 * (1 << 22), 1};
      std::vector<float> first;
      for (const Way& way : kWays) {
        OpRunner run(Conv2dRegistration(way.form), &params, way.threads);
        run.Input(in_shape, in);
        run.Input({4, 3, 3, channels}, filter, kTfLiteMmapRo);
        run.SetScales(1, scales, 0);
        run.Input({4}, bias, kTfLiteMmapRo);
        run.Output();
        ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
        ExpectClose(run.Values(), want, way.name);
        if (first.empty()) first = run.Values();
        for (size_t i = 0; i < first.size(); ++i) ASSERT_NEAR(run.Values()[i], first[i], 1e-5);
      }
    }
  }
}

// A range of -2..2 has a step of 4 / 255 and the zero point -1; 2 is 127.5 steps less an error of
// the step in single precision, so 127.
TEST(Conv2d, DynamicRangeInputsRoundAsTheStepDoes) {
  TfLiteConvParams params{kTfLitePaddingValid, 1, 1, kTfLiteActNone, 1, 1, kTfLiteNoType};
  for (const Way& way : kWays) {
    OpRunner run(Conv2dRegistration(way.form), &params, way.threads);
    run.Input<float>({1, 1, 1, 2}, {-2, 2});
    run.Input<int8_t>({2, 1, 1, 2}, {100, 0, 0, 100}, kTfLiteMmapRo);
    run.SetScales(1, {0.5f, 0.25f}, 0);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_NEAR(run.Values()[0], -127 * 50 * 4 / 255.0, 1e-4) << way.name;
    EXPECT_NEAR(run.Values()[1], 127 * 25 * 4 / 255.0, 1e-4) << way.name;
  }
}

// All channels take the first scale, and the input has no zero point.
TEST(Conv2d, FirstScaleOfByteFiltersCounts) {
  TfLiteConvParams params{kTfLitePaddingValid, 1, 1, kTfLiteActNone, 1, 1, kTfLiteNoType};
  for (const Way& way : kWays) {
    OpRunner run(Conv2dRegistration(way.form), &params, way.threads);
    run.Input<float>({1, 1, 1, 2}, {-1, 2});
    run.Input<uint8_t>({2, 1, 1, 2}, {0, 100, 0, 256 - 100}, kTfLiteMmapRo);
    run.SetScales(1, {0.5f, 0.25f}, 0);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_NEAR(run.Values()[0], 100, 1e-4) << way.name;
    EXPECT_NEAR(run.Values()[1], -100, 1e-4) << way.name;
  }
}

// A program that fills the filter after AllocateTensors may say then what its scale is.
TEST(Conv2d, ScalesOfDynamicRangeFiltersAreReadInEachRun) {
  TfLiteConvParams params{kTfLitePaddingSame, 1, 1, kTfLiteActNone, 2, 2, kTfLiteNoType};
  for (const TfLiteType type : {kTfLiteInt8, kTfLiteUInt8}) {
    for (const Way& way : kWays) {
      OpRunner run(Conv2dRegistration(way.form), &params, way.threads);
      run.Input<float>({1, 1, 1, 1}, {2});
      run.InputAs<int8_t>(type, {1, 1, 1, 1}, {10});
      run.SetScales(1, {0.5f}, 0);
      run.Output();
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      EXPECT_NEAR(run.Values()[0], 10, 1e-4) << way.name;
      run.SetScales(1, {0.25f}, 0);
      ASSERT_EQ(run.Eval(), kTfLiteOk) << run.error();
      EXPECT_NEAR(run.Values()[0], 5, 1e-4) << way.name;
    }
  }
}

TEST(Conv2d, AFilterThatJustDoesNotFitGivesAnEmptyOutput) {
  for (const bool depthwise : {false, true}) {
    ConvCase c;
    c.depthwise = depthwise;
    c.padding = kTfLitePaddingValid;
    c.channels = c.filters = 4;
    c.height = 3;
    c.kernel_h = 5;
    c.stride_h = 2;
    Check(c);
  }
}

struct Bad {
  const char* what;
  std::vector<int> input, filter, bias;
  TfLiteConvParams params;
};

constexpr TfLiteConvParams kGood{kTfLitePaddingValid, 1, 1, kTfLiteActNone, 1, 1, kTfLiteNoType};

TfLiteConvParams With(int TfLiteConvParams::*field, int value) {
  TfLiteConvParams p = kGood;
  p.*field = value;
  return p;
}

TEST(Conv2d, BadOperandsAreErrors) {
  TfLiteConvParams no_padding = kGood;
  no_padding.padding = kTfLitePaddingUnknown;
  const std::vector<Bad> cases = {
      {"rank of input", {4, 4, 3}, {2, 3, 3, 3}, {2}, kGood},
      {"rank of filter", {1, 4, 4, 3}, {3, 3, 3}, {2}, kGood},
      {"no height", {1, 0, 4, 3}, {2, 3, 3, 3}, {2}, kGood},
      {"no channels", {1, 4, 4, 0}, {2, 3, 3, 3}, {2}, kGood},
      {"no filter channels", {1, 4, 4, 3}, {2, 3, 3, 0}, {2}, kGood},
      {"no filters", {1, 4, 4, 3}, {0, 3, 3, 3}, {0}, kGood},
      {"no filter height", {1, 4, 4, 3}, {2, 0, 3, 3}, {2}, kGood},
      {"channels not divisible", {1, 4, 4, 3}, {2, 3, 3, 2}, {2}, kGood},
      {"filters not divisible", {1, 4, 4, 4}, {3, 3, 3, 2}, {3}, kGood},
      {"bias count", {1, 4, 4, 3}, {2, 3, 3, 3}, {3}, kGood},
      {"filter too large", {1, 1, 4, 3}, {2, 3, 3, 3}, {2}, kGood},
      {"stride 0", {1, 4, 4, 3}, {2, 3, 3, 3}, {2}, With(&TfLiteConvParams::stride_width, 0)},
      {"stride -1", {1, 4, 4, 3}, {2, 3, 3, 3}, {2}, With(&TfLiteConvParams::stride_height, -1)},
      {"stride too large",
       {1, 4, 4, 3},
       {2, 3, 3, 3},
       {2},
       With(&TfLiteConvParams::stride_width, INT16_MAX + 1)},
      {"dilation too large",
       {1, 4, 4, 3},
       {2, 1, 1, 3},
       {2},
       With(&TfLiteConvParams::dilation_width_factor, INT16_MAX + 1)},
      {"dilation 0",
       {1, 4, 4, 3},
       {2, 3, 3, 3},
       {2},
       With(&TfLiteConvParams::dilation_width_factor, 0)},
      {"huge dilation",
       {1, 4, 4, 3},
       {2, 3, 3, 3},
       {2},
       With(&TfLiteConvParams::dilation_height_factor, INT32_MAX)},
      {"padding", {1, 4, 4, 3}, {2, 3, 3, 3}, {2}, no_padding},
      {"output too large", {1 << 20, 1, 1, 1}, {1 << 12, 1, 1, 1}, {1 << 12}, kGood},
  };
  for (const Bad& bad : cases) {
    for (const Way& way : kWays) {
      TfLiteConvParams params = bad.params;
      OpRunner run(Conv2dRegistration(way.form), &params, way.threads);
      run.EmptyInput(bad.input, kTfLiteFloat32);
      run.EmptyInput(bad.filter, kTfLiteFloat32);
      run.EmptyInput(bad.bias, kTfLiteFloat32);
      run.Output();
      EXPECT_EQ(run.Prepare(), kTfLiteError) << bad.what;
      EXPECT_EQ(run.error().rfind("CONV_2D: ", 0), 0u) << bad.what << ": " << run.error();
    }
  }
}

TEST(Conv2d, OtherTypesAreNamedInTheError) {
  TfLiteConvParams params = kGood;
  const auto error = [&](TfLiteType input, TfLiteType filter, TfLiteType output) {
    OpRunner run(Conv2dRegistration(OpForm::kOptimized), &params);
    run.EmptyInput({1, 4, 4, 3}, input);
    run.EmptyInput({2, 3, 3, 3}, filter);
    run.Output(output);
    EXPECT_EQ(run.Prepare(), kTfLiteError);
    return run.error();
  };
  EXPECT_EQ(error(kTfLiteInt32, kTfLiteInt32, kTfLiteInt32),
            "CONV_2D: type INT32 is not supported (input)");
  EXPECT_EQ(error(kTfLiteInt8, kTfLiteUInt8, kTfLiteInt8),
            "CONV_2D: a filter of type UINT8 with an input of type INT8 is not supported");
  EXPECT_EQ(error(kTfLiteInt8, kTfLiteInt8, kTfLiteFloat32),
            "CONV_2D: input and output must have one type (INT8, FLOAT32)");
  EXPECT_EQ(error(kTfLiteInt8, kTfLiteInt8, kTfLiteInt8),
            "CONV_2D: input of type INT8 has no quantization parameters");
}

TEST(Conv2d, MissingOperandsAndOptionsAreErrors) {
  TfLiteConvParams params = kGood;
  for (const bool with_params : {false, true}) {
    OpRunner run(Conv2dRegistration(OpForm::kOptimized), with_params ? &params : nullptr);
    run.EmptyInput({1, 4, 4, 3}, kTfLiteFloat32);
    if (with_params) {
      run.AbsentInput();
    } else {
      run.EmptyInput({2, 3, 3, 3}, kTfLiteFloat32);
    }
    run.Output();
    EXPECT_EQ(run.Prepare(), kTfLiteError);
  }
  OpRunner no_data(Conv2dRegistration(OpForm::kOptimized), &params);
  no_data.EmptyInput({1, 4, 4, 3}, kTfLiteFloat32);
  no_data.EmptyInput({2, 3, 3, 3}, kTfLiteFloat32);
  no_data.Output();
  EXPECT_EQ(no_data.Prepare(), kTfLiteOk);
  EXPECT_EQ(no_data.Eval(), kTfLiteError);
}

}  // namespace
}  // namespace tern::testing
