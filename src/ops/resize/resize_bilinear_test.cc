// SPDX-License-Identifier: Apache-2.0
// RESIZE_BILINEAR in every form against double-precision interpolation, and its refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/cpu_registry.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

struct Place {
  int low, high;
  double fraction;
};

Place PlaceOf(int o, int in, int out, const TfLiteResizeBilinearParams& params) {
  // The scale is a float by definition; the rest is exact enough in double.
  const float scale = params.align_corners && out > 1 ? static_cast<float>(in - 1) / (out - 1)
                                                      : static_cast<float>(in) / out;
  const double at = params.half_pixel_centers ? (o + 0.5) * scale - 0.5 : o * double{scale};
  const int low = std::clamp(static_cast<int>(std::floor(at)), 0, in - 1);
  return {low, std::min(low + 1, in - 1), std::clamp(at - low, 0.0, 1.0)};
}

void Check(const std::vector<int>& shape, int height, int width, bool align, bool half_pixel,
           TfLiteAllocationType where) {
  Random random(31);
  const std::vector<float> in = random.Floats(Count(shape));
  TfLiteResizeBilinearParams params{align, half_pixel};
  const int channels = shape[3];
  std::vector<Expected> want;
  for (int i = 0; i < shape[0] * height * width * channels; ++i) {
    const int c = i % channels, n = i / channels / width / height;
    const Place x = PlaceOf(i / channels % width, shape[2], width, params);
    const Place y = PlaceOf(i / channels / width % height, shape[1], height, params);
    auto at = [&](int row, int column) {
      return double{in[((n * shape[1] + row) * shape[2] + column) * channels + c]};
    };
    Expected e;
    e.Add(at(y.low, x.low) * (1 - y.fraction) * (1 - x.fraction));
    e.Add(at(y.low, x.high) * (1 - y.fraction) * x.fraction);
    e.Add(at(y.high, x.low) * y.fraction * (1 - x.fraction));
    e.Add(at(y.high, x.high) * y.fraction * x.fraction);
    // A position is rounded to float: its error grows with the position and moves the value between
    // its neighbours.
    e.magnitude += 2.0 * (shape[1] + shape[2]);
    want.push_back(e);
  }
  for (const Way& way : kWays) {
    OpRunner run(ResizeBilinearRegistration(way.form), &params, way.threads);
    run.Input(shape, in);
    run.Input<int32_t>({2}, {height, width}, where);
    run.Output();
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.OutputShape(), (Shape{shape[0], height, width, channels}));
    ExpectClose(run.Values(), want,
                StrCat(way.name, " to ", height, "x", width, " ", align, half_pixel));
  }
}

TEST(ResizeBilinear, SizesAndModes) {
  for (const auto& shape : std::vector<std::vector<int>>{
           {1, 1, 1, 3}, {1, 3, 4, 5}, {2, 7, 5, 1}, {3, 2, 2, 8}, {0, 3, 3, 2}, {7, 4, 4, 3}}) {
    for (const auto& [height, width] :
         std::vector<std::pair<int, int>>{{1, 1}, {2, 3}, {7, 5}, {13, 16}, {3, 40}}) {
      for (const int mode : {0, 1, 2}) {
        Check(shape, height, width, mode == 1, mode == 2, kTfLiteMmapRo);
      }
    }
  }
}

TEST(ResizeBilinear, ComputedSize) { Check({1, 3, 4, 5}, 6, 7, false, true, kTfLiteArenaRw); }

TEST(ResizeBilinear, SameSizeCopies) {
  TfLiteResizeBilinearParams params{false, true};
  Random random(1);
  const std::vector<float> in = random.Floats(60);
  OpRunner run(ResizeBilinearRegistration(OpForm::kOptimized), &params);
  run.Input({1, 3, 4, 5}, in);
  run.Input<int32_t>({2}, {3, 4}, kTfLiteMmapRo);
  run.Output();
  ASSERT_EQ(run.Run(), kTfLiteOk);
  EXPECT_EQ(run.Values(), in);
}

// One row of numbers. The expected integers follow from the rule of each type: floats plus a half
// and cut off, or steps of 1/1024 with halves away from zero.
template <class T>
void CheckRow(const std::vector<T>& row, int width, bool align, bool half_pixel,
              const std::vector<T>& want) {
  TfLiteResizeBilinearParams params{align, half_pixel};
  for (const Way& way : kWays) {
    OpRunner run(ResizeBilinearRegistration(way.form), &params, way.threads);
    run.Input({1, 1, static_cast<int>(row.size()), 1}, row);
    run.Input<int32_t>({2}, {1, width}, kTfLiteMmapRo);
    run.Output(run.input(0).type);
    ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
    EXPECT_EQ(run.Values<T>(), want) << way.name;
  }
}

TEST(ResizeBilinear, Integers) {
  CheckRow<uint8_t>({0, 10, 20, 30}, 6, false, false, {0, 7, 13, 20, 27, 30});
  CheckRow<uint8_t>({0, 10, 20, 31}, 6, true, false, {0, 6, 12, 18, 24, 31});
  CheckRow<uint8_t>({0, 255}, 4, false, true, {0, 64, 191, 255});
  CheckRow<int8_t>({0, 10, 20, 30}, 6, false, false, {0, 7, 13, 20, 27, 30});
  CheckRow<int8_t>({-1, -2}, 4, false, false, {-1, -2, -2, -2});
  CheckRow<int8_t>({-128, 127}, 4, false, true, {-128, -64, 63, 127});
  CheckRow<int16_t>({-32768, 32767}, 3, true, false, {-32768, -1, 32767});
}

TEST(ResizeBilinear, CornersWithoutWeightDoNotCount) {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  CheckRow<float>({inf, 1}, 4, false, true, {inf, inf, inf, 1});
  CheckRow<float>({1, -inf}, 4, false, true, {1, -inf, -inf, -inf});
  CheckRow<float>({1, inf, 3, 5}, 8, false, false, {1, inf, inf, inf, 3, 4, 5, 5});
  CheckRow<float>({1, inf, 3}, 3, true, false, {1, inf, 3});
  CheckRow<float>({1, inf, 3}, 3, false, true, {1, inf, 3});
  TfLiteResizeBilinearParams params{false, false};
  OpRunner run(ResizeBilinearRegistration(OpForm::kOptimized), &params);
  run.Input<float>({1, 3, 1, 1}, {nan, 1, inf});
  run.Input<int32_t>({2}, {6, 1}, kTfLiteMmapRo);
  run.Output();
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_TRUE(std::isnan(run.Values()[0]));
  EXPECT_TRUE(std::isnan(run.Values()[1]));
  EXPECT_EQ(run.Values()[2], 1);
  for (int i = 3; i < 6; ++i) EXPECT_EQ(run.Values()[i], inf) << i;
}

TEST(ResizeBilinear, BadOperandsAreErrors) {
  struct Bad {
    std::vector<int> shape;
    std::vector<int32_t> size;
    bool align, half_pixel;
  };
  const Bad cases[] = {
      {{1, 3, 4}, {2, 2}, false, false},
      {{1, 0, 4, 5}, {2, 2}, false, false},
      {{1, 3, 4, 5}, {0, 2}, false, false},
      {{1, 3, 4, 5}, {2, -1}, false, false},
      {{1, 3, 4, 5}, {2, 2, 2}, false, false},
      {{1, 3, 4, 5}, {2, 2}, true, true},
      {{1, 3, 4, 5}, {1 << 16, 1 << 16}, false, false},
  };
  for (const Bad& bad : cases) {
    for (const auto where : {kTfLiteMmapRo, kTfLiteArenaRw}) {
      TfLiteResizeBilinearParams params{bad.align, bad.half_pixel};
      OpRunner run(ResizeBilinearRegistration(OpForm::kOptimized), &params);
      run.Input(bad.shape, std::vector<float>(Count(bad.shape)));
      run.Input({static_cast<int>(bad.size.size())}, bad.size, where);
      run.Output();
      EXPECT_EQ(run.Run(), kTfLiteError);
      EXPECT_EQ(run.error().rfind("RESIZE_BILINEAR: ", 0), 0u) << run.error();
    }
  }
}

}  // namespace
}  // namespace tern::testing
