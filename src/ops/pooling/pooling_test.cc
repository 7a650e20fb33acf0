// SPDX-License-Identifier: Apache-2.0
// AVERAGE_POOL_2D and MAX_POOL_2D in every form against a double-precision oracle, and their
// refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

struct CpuPoolCase {
  bool average = false;
  int batch = 1, height = 7, width = 8, channels = 5;
  int window_h = 2, window_w = 3, stride_h = 2, stride_w = 1;
  TfLitePadding padding = kTfLitePaddingSame;
  TfLiteFusedActivation activation = kTfLiteActNone;
};

TfLitePoolParams Params(const CpuPoolCase& c) {
  TfLitePoolParams p{};
  p.padding = c.padding;
  p.stride_height = c.stride_h;
  p.stride_width = c.stride_w;
  p.filter_height = c.window_h;
  p.filter_width = c.window_w;
  p.activation = c.activation;
  return p;
}

TfLiteRegistration Registration(const CpuPoolCase& c, OpForm form) {
  return c.average ? AveragePool2dRegistration(form) : MaxPool2dRegistration(form);
}

int OutSize(TfLitePadding padding, int in, int window, int stride) {
  const int out =
      padding == kTfLitePaddingSame ? (in + stride - 1) / stride : (in - window + stride) / stride;
  return in < window && padding == kTfLitePaddingValid ? 0 : out;
}

std::vector<Expected> Oracle(const CpuPoolCase& c, const std::vector<float>& in) {
  const int oh = OutSize(c.padding, c.height, c.window_h, c.stride_h);
  const int ow = OutSize(c.padding, c.width, c.window_w, c.stride_w);
  const bool same = c.padding == kTfLitePaddingSame;
  const int top = same ? std::max(0, (oh - 1) * c.stride_h + c.window_h - c.height) / 2 : 0;
  const int left = same ? std::max(0, (ow - 1) * c.stride_w + c.window_w - c.width) / 2 : 0;
  std::vector<Expected> out;
  for (int n = 0; n < c.batch; ++n) {
    for (int i = 0; i < oh * ow * c.channels; ++i) {
      const int y0 = i / c.channels / ow * c.stride_h - top;
      const int x0 = i / c.channels % ow * c.stride_w - left;
      Expected e;
      double best = -std::numeric_limits<double>::infinity();
      for (int y = std::max(0, y0); y < std::min(c.height, y0 + c.window_h); ++y) {
        for (int x = std::max(0, x0); x < std::min(c.width, x0 + c.window_w); ++x) {
          const float v = in[((n * c.height + y) * c.width + x) * c.channels + i % c.channels];
          e.Add(v);
          best = std::max(best, double{v});
        }
      }
      if (c.average) {
        e.value /= static_cast<double>(e.terms);
        e.magnitude /= static_cast<double>(e.terms);
      } else {
        e = {best, 0, 0};
      }
      e.Clamp(ActivationRange(c.activation));
      out.push_back(e);
    }
  }
  return out;
}

void Check(const CpuPoolCase& c) {
  Random random(7);
  const std::vector<int> shape = {c.batch, c.height, c.width, c.channels};
  const std::vector<float> in = random.Floats(Count(shape));
  TfLitePoolParams params = Params(c);
  for (const Way& way : kWays) {
    for (const auto where : {kTfLiteArenaRw, kTfLiteCustom}) {
      OpRunner run(Registration(c, way.form), &params, way.threads);
      run.Input(shape, in, where);
      run.Output();
      ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
      ExpectClose(run.Values(), Oracle(c, in),
                  StrCat(way.name, c.average ? " average " : " max ", c.height, "x", c.width, "x",
                         c.channels, " window ", c.window_h, "x", c.window_w, " stride ",
                         c.stride_h, " padding ", static_cast<int>(c.padding)));
    }
  }
}

TEST(Pooling, WindowsStridesPaddingsChannels) {
  for (const bool average : {false, true}) {
    for (const auto padding : {kTfLitePaddingSame, kTfLitePaddingValid}) {
      for (const int window : {1, 2, 3, 5, 7}) {
        for (const int stride : {1, 2, 3}) {
          for (const int channels : {1, 3, 4, 17}) {
            CpuPoolCase c;
            c.average = average;
            c.padding = padding;
            c.window_h = window;
            c.window_w = window == 5 ? 2 : window;
            c.stride_h = stride;
            c.stride_w = stride == 3 ? 1 : stride;
            c.channels = channels;
            Check(c);
          }
        }
      }
    }
  }
}

TEST(Pooling, BatchesAndActivations) {
  for (const bool average : {false, true}) {
    for (const int batch : {0, 1, 2, 3, 7}) {
      for (const auto activation : {kTfLiteActNone, kTfLiteActRelu, kTfLiteActRelu6}) {
        CpuPoolCase c;
        c.average = average;
        c.batch = batch;
        c.activation = activation;
        Check(c);
      }
    }
  }
}

TEST(Pooling, WindowBeyondAValidInputGivesAnEmptyOutput) {
  for (const bool average : {false, true}) {
    CpuPoolCase c;
    c.average = average;
    c.padding = kTfLitePaddingValid;
    c.window_h = 9;
    Check(c);
  }
}

TEST(Pooling, WindowFarBeyondTheWidthEmptiesTheHeightToo) {
  CpuPoolCase c;
  TfLitePoolParams params = Params(c);
  params.padding = kTfLitePaddingValid;
  params.stride_height = params.stride_width = 1;
  struct Window {
    int height, width;
    Shape want;
  };
  for (const auto& [height, width, want] : {Window{1, 4, {1, 4, 0, 2}},
                                            {1, 5, {1, 0, 0, 2}},
                                            {5, 1, {1, 0, 3, 2}},
                                            {6, 1, {1, 0, 3, 2}}}) {
    params.filter_height = height;
    params.filter_width = width;
    OpRunner run(Registration(c, OpForm::kOptimized), &params);
    run.Input({1, 4, 3, 2}, std::vector<float>(24));
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.OutputShape(), want);
  }
}

TEST(Pooling, InfinitiesAreKept) {
  const float inf = std::numeric_limits<float>::infinity();
  CpuPoolCase c;
  TfLitePoolParams params = Params(c);
  for (const Way& way : kWays) {
    OpRunner run(Registration(c, way.form), &params, way.threads);
    run.Input<float>({1, 2, 1, 2}, {inf, -inf, 1, -inf});
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values(), (std::vector<float>{inf, -inf})) << way.name;
  }
}

TEST(Pooling, AverageKeepsNan) {
  CpuPoolCase c;
  c.average = true;
  TfLitePoolParams params = Params(c);
  for (const Way& way : kWays) {
    OpRunner run(Registration(c, way.form), &params, way.threads);
    run.Input<float>({1, 2, 1, 1}, {std::nanf(""), 1});
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_TRUE(std::isnan(run.Values()[0])) << way.name;
  }
}

// Two rows of one column each pooled into one number.
template <class T>
std::vector<T> Pooled(const CpuPoolCase& c, const std::vector<T>& in, const Way& way) {
  TfLitePoolParams params = Params(c);
  OpRunner run(Registration(c, way.form), &params, way.threads);
  const int channels = static_cast<int>(in.size()) / 2;
  run.Input({1, 2, 1, channels}, in);
  run.Output(run.input(0).type);
  EXPECT_EQ(run.Run(), kTfLiteOk) << run.error();
  return run.Values<T>();
}

TEST(Pooling, IntegersRoundHalvesAwayFromZero) {
  for (const Way& way : kWays) {
    CpuPoolCase c;
    c.average = true;
    EXPECT_EQ((Pooled<int8_t>(c, {-1, 1, 127, -128, -2, 2, 127, -128}, way)),
              (std::vector<int8_t>{-2, 2, 127, -128}));
    EXPECT_EQ((Pooled<int16_t>(c, {-1, 32767, -2, 32766}, way)), (std::vector<int16_t>{-2, 32767}));
    EXPECT_EQ((Pooled<uint8_t>(c, {1, 255, 2, 254}, way)), (std::vector<uint8_t>{2, 255}));
    c.average = false;
    EXPECT_EQ((Pooled<int8_t>(c, {-1, 1, -128, -2, 2, -128}, way)),
              (std::vector<int8_t>{-1, 2, -128}));
    EXPECT_EQ((Pooled<uint8_t>(c, {1, 255, 2, 254}, way)), (std::vector<uint8_t>{2, 255}));
  }
}

TEST(Pooling, ActivationsOfIntegersNeedAScale) {
  CpuPoolCase c;
  c.activation = kTfLiteActRelu6;
  TfLitePoolParams params = Params(c);
  OpRunner without(Registration(c, OpForm::kOptimized), &params);
  without.Input<int8_t>({1, 2, 1, 1}, {1, 2});
  without.Output(kTfLiteInt8);
  EXPECT_EQ(without.Run(), kTfLiteError);
  EXPECT_EQ(without.error(), "MAX_POOL_2D: output of type INT8 has no quantization parameters");
}

TEST(Pooling, RootOfMeanSquare) {
  CpuPoolCase c;
  TfLitePoolParams params = Params(c);
  for (const Way& way : kWays) {
    OpRunner run(L2Pool2dRegistration(way.form), &params, way.threads);
    run.Input<float>({1, 2, 1, 2}, {3, -5, 4, 5});
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_NEAR(run.Values()[0], std::sqrt(12.5), 1e-6);
    EXPECT_NEAR(run.Values()[1], 5, 1e-6);
    OpRunner bytes(L2Pool2dRegistration(way.form), &params, way.threads);
    bytes.Input<int8_t>({1, 2, 1, 2}, {3, -5, 4, 5});
    bytes.Output(kTfLiteInt8);
    EXPECT_EQ(bytes.Run(), kTfLiteError);
  }
}

TEST(Pooling, BadOperandsAreErrors) {
  struct Bad {
    std::vector<int> shape;
    TfLiteType type;
    int TfLitePoolParams::*field;
    int value;
  };
  const Bad cases[] = {
      {{7, 8, 5}, kTfLiteFloat32, &TfLitePoolParams::stride_height, 1},
      {{1, 7, 8, 5}, kTfLiteInt8, &TfLitePoolParams::stride_height, 1},
      {{1, 7, 8, 5}, kTfLiteFloat32, &TfLitePoolParams::stride_height, 0},
      {{1, 7, 8, 5}, kTfLiteFloat32, &TfLitePoolParams::stride_width, -2},
      {{1, 7, 8, 5}, kTfLiteFloat32, &TfLitePoolParams::filter_height, 0},
      {{1, 7, 8, 5}, kTfLiteFloat32, &TfLitePoolParams::filter_width, -1},
  };
  for (const Bad& bad : cases) {
    for (const bool average : {false, true}) {
      CpuPoolCase c;
      c.average = average;
      TfLitePoolParams params = Params(c);
      params.*bad.field = bad.value;
      OpRunner run(Registration(c, OpForm::kOptimized), &params);
      run.EmptyInput(bad.shape, bad.type);
      run.Output();
      EXPECT_EQ(run.Prepare(), kTfLiteError);
      EXPECT_NE(run.error().find("POOL_2D: "), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace tern::testing
