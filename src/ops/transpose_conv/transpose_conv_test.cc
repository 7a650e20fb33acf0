// SPDX-License-Identifier: Apache-2.0
// TRANSPOSE_CONV in every form against a double-precision scatter, and its refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"
#include "ops/testing/packed_once.h"

namespace tern::testing {
namespace {

struct TransposeCase {
  int batch = 1, out_h = 8, out_w = 9, in_channels = 3, out_channels = 4;
  int kernel_h = 3, kernel_w = 3, stride_h = 2, stride_w = 2;
  TfLitePadding padding = kTfLitePaddingSame;
  TfLiteFusedActivation activation = kTfLiteActNone;
  bool bias = true;
  TfLiteAllocationType shape = kTfLiteMmapRo, weights = kTfLiteMmapRo;

  int in_h() const { return InSize(out_h, kernel_h, stride_h); }
  int in_w() const { return InSize(out_w, kernel_w, stride_w); }
  int InSize(int out, int kernel, int stride) const {
    return padding == kTfLitePaddingSame ? (out + stride - 1) / stride
                                         : (out - kernel + stride) / stride;
  }
};

std::vector<Expected> Oracle(const TransposeCase& c, const std::vector<float>& in,
                             const std::vector<float>& w, const std::vector<float>& bias) {
  const int top = std::max(0, (c.in_h() - 1) * c.stride_h + c.kernel_h - c.out_h) / 2;
  const int left = std::max(0, (c.in_w() - 1) * c.stride_w + c.kernel_w - c.out_w) / 2;
  std::vector<Expected> out(static_cast<size_t>(c.batch * c.out_h * c.out_w * c.out_channels));
  for (size_t i = 0; i < out.size() && c.bias; ++i) out[i].Add(bias[i % c.out_channels]);
  for (size_t i = 0; i < in.size(); ++i) {
    const int ci = static_cast<int>(i) % c.in_channels;
    const int x = static_cast<int>(i) / c.in_channels % c.in_w();
    const int y = static_cast<int>(i) / c.in_channels / c.in_w() % c.in_h();
    const int n = static_cast<int>(i) / c.in_channels / c.in_w() / c.in_h();
    for (int k = 0; k < c.kernel_h * c.kernel_w; ++k) {
      const int oy = y * c.stride_h - top + k / c.kernel_w;
      const int ox = x * c.stride_w - left + k % c.kernel_w;
      if (oy < 0 || oy >= c.out_h || ox < 0 || ox >= c.out_w) continue;
      for (int co = 0; co < c.out_channels; ++co) {
        const float weight = w[(co * c.kernel_h * c.kernel_w + k) * c.in_channels + ci];
        out[((n * c.out_h + oy) * c.out_w + ox) * c.out_channels + co].Add(double{in[i]} * weight);
      }
    }
  }
  for (Expected& e : out) e.Clamp(ActivationRange(c.activation));
  return out;
}

void Check(const TransposeCase& c) {
  Random random(11);
  const std::vector<int> in_shape = {c.batch, c.in_h(), c.in_w(), c.in_channels};
  const std::vector<int> w_shape = {c.out_channels, c.kernel_h, c.kernel_w, c.in_channels};
  const std::vector<float> in = random.Floats(Count(in_shape));
  const std::vector<float> w = random.Floats(Count(w_shape), -1, 1);
  const std::vector<float> bias = random.Floats(c.out_channels);
  TfLiteTransposeConvParams params{c.padding, c.stride_w, c.stride_h, c.activation, kTfLiteNoType};
  for (const Way& way : kWays) {
    OpRunner run(TransposeConvRegistration(way.form), &params, way.threads);
    run.Input<int32_t>({4}, {c.batch, c.out_h, c.out_w, c.out_channels}, c.shape);
    run.Input(w_shape, w, c.weights);
    run.Input(in_shape, in);
    if (c.bias) run.Input({c.out_channels}, bias, kTfLiteMmapRo);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.OutputShape(), (Shape{c.batch, c.out_h, c.out_w, c.out_channels}));
    ExpectClose(
        run.Values(), Oracle(c, in, w, bias),
        StrCat(way.name, " out ", c.out_h, "x", c.out_w, " kernel ", c.kernel_h, "x", c.kernel_w,
               " stride ", c.stride_h, "x", c.stride_w, " padding ", static_cast<int>(c.padding)));
  }
}

TEST(TransposeConv, KernelsStridesPaddings) {
  for (const auto padding : {kTfLitePaddingSame, kTfLitePaddingValid}) {
    for (const int kernel : {1, 2, 3, 4, 5}) {
      for (const int stride : {1, 2, 3}) {
        for (const int size : {8, 9, 10, 11}) {
          TransposeCase c;
          c.padding = padding;
          c.kernel_h = kernel;
          c.kernel_w = kernel == 5 ? 2 : kernel;
          c.stride_h = stride;
          c.stride_w = stride == 3 ? 1 : stride;
          c.out_h = size;
          c.out_w = 19 - size;
          Check(c);
        }
      }
    }
  }
}

TEST(TransposeConv, ChannelsBatchesActivations) {
  for (const int in_channels : {1, 5, 8}) {
    for (const int out_channels : {1, 3, 9}) {
      for (const int batch : {0, 1, 2, 3, 7}) {
        TransposeCase c;
        c.in_channels = in_channels;
        c.out_channels = out_channels;
        c.batch = batch;
        c.activation = batch == 2 ? kTfLiteActRelu : kTfLiteActNone;
        c.bias = batch != 3;
        Check(c);
      }
    }
  }
}

TEST(TransposeConv, StridesBeyondTheKernel) {
  for (const auto padding : {kTfLitePaddingSame, kTfLitePaddingValid}) {
    for (const int kernel : {1, 2, 3}) {
      for (const int stride : {3, 4, 7}) {
        for (const int size : {7, 8, 13, 16}) {
          TransposeCase c;
          c.batch = 2;
          c.padding = padding;
          c.kernel_h = kernel;
          c.kernel_w = 4 - kernel;
          c.stride_h = stride;
          c.stride_w = 10 - stride;
          c.out_h = size;
          c.out_w = 23 - size;
          c.activation = stride == 4 ? kTfLiteActRelu6 : kTfLiteActNone;
          c.bias = stride != 7;
          Check(c);
        }
      }
    }
  }
  TransposeCase large;
  large.in_channels = 2;
  large.out_channels = 64;
  large.stride_h = large.stride_w = 4;
  large.out_h = 150;
  large.out_w = 157;
  Check(large);
}

// As many phases as the steps of such strides have would take minutes.
TEST(TransposeConv, HugeStridesOverTheKernel) {
  TransposeCase c;
  c.padding = kTfLitePaddingValid;
  c.in_channels = 2;
  c.stride_h = c.stride_w = 30000;
  c.out_h = c.out_w = 3;
  Check(c);
}

TEST(TransposeConv, InfinityStaysInItsPatch) {
  TfLiteTransposeConvParams params{kTfLitePaddingValid, 3, 3, kTfLiteActNone, kTfLiteNoType};
  for (const Way& way : kWays) {
    OpRunner run(TransposeConvRegistration(way.form), &params, way.threads);
    run.Input<int32_t>({4}, {1, 1, 5, 1}, kTfLiteMmapRo);
    run.Input<float>({1, 1, 2, 1}, {1, -1}, kTfLiteMmapRo);
    run.Input<float>({1, 1, 2, 1}, {std::numeric_limits<float>::infinity(), 3});
    run.Input<float>({1}, {5}, kTfLiteMmapRo);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(run.Values(), (std::vector<float>{kInfinity, -kInfinity, 5, 8, 2})) << way.name;
  }
}

TEST(TransposeConv, ComputedShapeAndWeights) {
  TransposeCase c;
  for (const int stride : {2, 5}) {
    c.stride_h = c.stride_w = stride;
    c.weights = kTfLiteMmapRo;
    c.shape = kTfLiteArenaRw;
    Check(c);
    c.weights = kTfLiteArenaRw;
    Check(c);
  }
}

TEST(TransposeConv, OperatorsOfTheSameWeightsPackThemOnce) {
  for (const int stride : {1, 2}) {  // overlapping patches, and patches side by side
    TfLiteTransposeConvParams params{kTfLitePaddingValid, stride, stride, kTfLiteActNone,
                                     kTfLiteNoType};
    OpRunner first(TransposeConvRegistration(OpForm::kOptimized), &params);
    OpRunner second(TransposeConvRegistration(OpForm::kOptimized), &params);
    for (OpRunner* run : {&first, &second}) {
      run->Input<int32_t>({4}, {1, 1, stride + 1, 1}, kTfLiteMmapRo);
      run->Input<float>({1, 1, 2, 1}, {1, 10}, kTfLiteMmapRo);
      run->Input<float>({1, 1, 1, 1}, {3});
      run->Output();
    }
    ExpectPackedOnce(first, second, 1);
  }
}

TEST(TransposeConv, BadOperandsAreErrors) {
  struct Bad {
    const char* what;
    std::vector<int32_t> out;
    std::vector<int> weights, input, bias;
    int stride;
  };
  const Bad cases[] = {
      {"height off by one", {1, 9, 8, 4}, {4, 3, 3, 3}, {1, 4, 4, 3}, {4}, 2},
      {"negative height", {1, -8, 8, 4}, {4, 3, 3, 3}, {1, 4, 4, 3}, {4}, 2},
      {"zero width", {1, 8, 0, 4}, {4, 3, 3, 3}, {1, 4, 4, 3}, {4}, 2},
      {"batch", {2, 8, 8, 4}, {4, 3, 3, 3}, {1, 4, 4, 3}, {4}, 2},
      {"channels", {1, 8, 8, 5}, {4, 3, 3, 3}, {1, 4, 4, 3}, {4}, 2},
      {"input channels", {1, 8, 8, 4}, {4, 3, 3, 2}, {1, 4, 4, 3}, {4}, 2},
      {"stride 0", {1, 8, 8, 4}, {4, 3, 3, 3}, {1, 4, 4, 3}, {4}, 0},
      {"stride too large", {1, 8, 8, 4}, {4, 3, 3, 3}, {1, 1, 1, 3}, {4}, INT16_MAX + 1},
      {"bias count", {1, 8, 8, 4}, {4, 3, 3, 3}, {1, 4, 4, 3}, {3}, 2},
      {"empty weights", {1, 8, 8, 4}, {4, 0, 3, 3}, {1, 4, 4, 3}, {4}, 2},
      {"three sizes", {1, 8, 8}, {4, 3, 3, 3}, {1, 4, 4, 3}, {4}, 2},
      {"rank of input", {1, 8, 8, 4}, {4, 3, 3, 3}, {4, 4, 3}, {4}, 2},
  };
  for (const Bad& bad : cases) {
    for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
      TfLiteTransposeConvParams params{kTfLitePaddingSame, bad.stride, bad.stride, kTfLiteActNone,
                                       kTfLiteNoType};
      OpRunner run(TransposeConvRegistration(OpForm::kOptimized), &params);
      run.Input({static_cast<int>(bad.out.size())}, bad.out, where);
      run.Input(bad.weights, std::vector<float>(Count(bad.weights)), kTfLiteMmapRo);
      run.Input(bad.input, std::vector<float>(Count(bad.input)));
      run.Input(bad.bias, std::vector<float>(Count(bad.bias)), kTfLiteMmapRo);
      run.Output();
      EXPECT_EQ(run.Run(), kTfLiteError) << bad.what;
      EXPECT_EQ(run.error().rfind("TRANSPOSE_CONV: ", 0), 0u) << bad.what << ": " << run.error();
    }
  }
}

// Of another batch or of other channels it is an error in Eval, of another size in Prepare where
// the model holds it.
TEST(TransposeConv, StageOfOutputShapeErrors) {
  struct Case {
    std::vector<int32_t> shape;
    bool late;
  };
  for (const Case& c : {Case{{2, 4, 4, 2}, true}, Case{{1, 4, 4, 5}, true},
                        Case{{1, 5, 4, 2}, false}, Case{{1, 4, 0, 2}, false}}) {
    for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
      TfLiteTransposeConvParams params{kTfLitePaddingSame, 1, 1, kTfLiteActNone, kTfLiteNoType};
      OpRunner run(TransposeConvRegistration(OpForm::kOptimized), &params);
      run.Input({4}, c.shape, where);
      run.Input({2, 3, 3, 3}, std::vector<float>(54), kTfLiteMmapRo);
      run.Input({1, 4, 4, 3}, std::vector<float>(48));
      run.Output();
      const bool late = c.late || where == kTfLiteArenaRw;
      ASSERT_EQ(run.Prepare(), late ? kTfLiteOk : kTfLiteError) << run.error();
      if (late) {
        EXPECT_EQ(run.Eval(), kTfLiteError);
      }
    }
  }
}

}  // namespace
}  // namespace tern::testing
