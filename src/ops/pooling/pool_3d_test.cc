// SPDX-License-Identifier: Apache-2.0
// AvgPool3D and MaxPool3D against windows in plain loops, and options that do not fit.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "ops/cpu_registry.h"
#include "ops/testing/flex_options.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/oracle.h"

namespace tern::testing {
namespace {

std::vector<uint8_t> Options(const std::vector<int>& ksize, const std::vector<int>& strides,
                             const char* padding, const char* format = "NDHWC") {
  return FlexOptions([&](flexbuffers::Builder& b) {
    b.TypedVector("ksize", [&] {
      for (const int v : ksize) b.Int(v);
    });
    b.TypedVector("strides", [&] {
      for (const int v : strides) b.Int(v);
    });
    b.String("padding", padding);
    b.String("data_format", format);
  });
}

constexpr int kIn[3] = {3, 4, 5}, kChannels = 2, kPoolBatch = 2;

template <class T>
void Check(bool max, bool same, TfLiteType type) {
  const int size[3] = {2, 3, 2}, step[3] = {1, 2, 3};
  int out[3];
  for (int i = 0; i < 3; ++i) {
    out[i] = same ? (kIn[i] + step[i] - 1) / step[i] : (kIn[i] - size[i]) / step[i] + 1;
  }
  std::vector<T> x;
  for (const float v : Random(4).Floats(kPoolBatch * 60 * kChannels, -100, 100)) {
    x.push_back(static_cast<T>(v));
  }
  OpRunner run((max ? MaxPool3dRegistration : AvgPool3dRegistration)(OpForm::kOptimized), nullptr,
               2);
  run.SetCustomOptions(Options({1, 2, 3, 2, 1}, {1, 1, 2, 3, 1}, same ? "SAME" : "VALID"));
  run.Input({kPoolBatch, kIn[0], kIn[1], kIn[2], kChannels}, x);
  run.Output(type);
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  ASSERT_EQ(run.OutputShape(), (Shape{kPoolBatch, out[0], out[1], out[2], kChannels}));
  const std::vector<T> got = run.Values<T>();
  size_t at = 0;
  for (int i = 0; i < kPoolBatch * out[0] * out[1] * out[2] * kChannels; ++i, ++at) {
    const int c = i % kChannels, places = i / kChannels;
    const int place[3] = {places / (out[1] * out[2]) % out[0], places / out[2] % out[1],
                          places % out[2]};
    const int batch = places / (out[0] * out[1] * out[2]);
    double sum = 0, largest = -1e9;
    int count = 0;
    for (int tap = 0; tap < size[0] * size[1] * size[2]; ++tap) {
      const int taps[3] = {tap / (size[1] * size[2]), tap / size[2] % size[1], tap % size[2]};
      int position[3];
      bool inside = true;
      for (int k = 0; k < 3; ++k) {
        const int pad = same ? std::max(0, (out[k] - 1) * step[k] + size[k] - kIn[k]) / 2 : 0;
        position[k] = place[k] * step[k] - pad + taps[k];
        inside = inside && position[k] >= 0 && position[k] < kIn[k];
      }
      if (!inside) continue;
      const int from = ((batch * kIn[0] + position[0]) * kIn[1] + position[1]) * kIn[2];
      const double v = x[static_cast<size_t>((from + position[2]) * kChannels + c)];
      sum += v;
      largest = std::max(largest, v);
      ++count;
    }
    const double want = max ? largest : sum / count;
    if (type == kTfLiteFloat32) {
      EXPECT_NEAR(static_cast<double>(got[at]), want, 1e-5);
    } else {
      EXPECT_EQ(got[at], static_cast<T>(std::round(want)));
    }
  }
}

TEST(Pool3d, Windows) {
  for (const bool max : {false, true}) {
    for (const bool same : {false, true}) {
      Check<float>(max, same, kTfLiteFloat32);
      Check<int8_t>(max, same, kTfLiteInt8);
      Check<int16_t>(max, same, kTfLiteInt16);
    }
  }
}

TEST(Pool3d, FiltersBeyondTheInput) {
  OpRunner run(AvgPool3dRegistration(OpForm::kOptimized));
  run.SetCustomOptions(Options({1, 9, 1, 1, 1}, {1, 1, 1, 1, 1}, "VALID"));
  run.Input({1, 2, 1, 1, 1}, std::vector<float>{1, 2});
  run.Output();
  ASSERT_EQ(run.Run(), kTfLiteOk) << run.error();
  EXPECT_EQ(run.OutputShape(), (Shape{1, 0, 1, 1, 1}));
  OpRunner same(AvgPool3dRegistration(OpForm::kOptimized));
  same.SetCustomOptions(Options({1, INT32_MAX, 1, 1, 1}, {1, 1, 1, 1, 1}, "SAME"));
  same.Input({1, 2, 1, 1, 1}, std::vector<float>{1, 2});
  same.Output();
  ASSERT_EQ(same.Run(), kTfLiteOk) << same.error();
  EXPECT_EQ(same.Values(), (std::vector<float>{1.5f, 1.5f}));
}

std::string Error(const std::vector<uint8_t>& options,
                  const std::vector<int>& shape = {1, 2, 2, 2, 1}, float scale = 0) {
  OpRunner run(MaxPool3dRegistration(OpForm::kOptimized));
  run.SetCustomOptions(options);
  run.EmptyInput(shape, scale == 0 ? kTfLiteFloat32 : kTfLiteInt8);
  run.input(0).params.scale = scale;
  run.Output(scale == 0 ? kTfLiteFloat32 : kTfLiteInt8);
  EXPECT_EQ(run.Prepare(), kTfLiteError);
  return run.error();
}

TEST(Pool3d, BadOptionsAreErrors) {
  const std::vector<int> ones = {1, 1, 1, 1, 1};
  EXPECT_EQ(Error(Options(ones, ones, "FULL")), "MaxPool3D: padding must be SAME or VALID (FULL)");
  EXPECT_EQ(Error(Options(ones, ones, "SAME", "NCDHW")),
            "MaxPool3D: data_format must be NDHWC (NCDHW)");
  EXPECT_NE(Error(Options({1, 2, 2, 2}, ones, "SAME")), "");
  EXPECT_NE(Error(Options(ones, {2, 1, 1, 1, 1}, "SAME")), "");
  EXPECT_NE(Error(Options(ones, {1, 0, 1, 1, 1}, "SAME")), "");
  EXPECT_NE(Error(Options(ones, ones, "SAME"), {2, 2, 2, 1}), "");
  EXPECT_NE(Error(Options(ones, ones, "SAME"), {1, 2, 2, 2, 1}, 0.5f), "");
  EXPECT_NE(Error({}), "");
}

}  // namespace
}  // namespace tern::testing
