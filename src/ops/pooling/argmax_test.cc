// SPDX-License-Identifier: Apache-2.0
// MaxPoolingWithArgmax2D, MaxUnpooling2D and Convolution2DTransposeBias on the CPU and on the GPU
// engines against plain loops, and their refusals.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "ops/cpu_registry.h"
#include "ops/testing/check_model.h"
#include "ops/testing/op_runner.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

struct PoolCase {
  int batch = 1, height = 5, width = 6, channels = 5;
  int window_h = 2, window_w = 3, stride_h = 2, stride_w = 2;
  bool same = true, whole = true;
  int32_t activation = 0;

  std::vector<uint8_t> Options() const {
    return BytesOf<int32_t>(
        {same ? 1 : 2, stride_w, stride_h, window_w, window_h, activation, 0, 0, 0, 0});
  }
  std::vector<int32_t> In() const { return {batch, height, width, channels}; }
  static int OutOf(int in, int window, int stride, bool same) {
    return same ? (in + stride - 1) / stride : (in - window + stride) / stride;
  }
  static int PadOf(int in, int out, int window, int stride) {
    return std::max(0, (out - 1) * stride + window - in) / 2;
  }
  tflite::TensorType IndexType() const {
    return whole ? tflite::TensorType_INT32 : tflite::TensorType_FLOAT32;
  }
};

std::vector<Engine> AllEngines() {
  std::vector<Engine> engines = CpuEngines();
  engines.insert(engines.end(), DriverEngines().begin(), DriverEngines().end());
  return engines;
}

// Indices of INT32 or FLOAT32 as numbers.
std::vector<float> NumbersOf(const Values& values, bool whole) {
  if (!whole) return values.floats();
  std::vector<int32_t> ints(values.bytes.size() / sizeof(int32_t));
  if (!ints.empty()) std::memcpy(ints.data(), values.bytes.data(), values.bytes.size());
  return {ints.begin(), ints.end()};
}

void CheckPool(const PoolCase& c) {
  const int oh = PoolCase::OutOf(c.height, c.window_h, c.stride_h, c.same);
  const int ow = PoolCase::OutOf(c.width, c.window_w, c.stride_w, c.same);
  const int top = c.same ? PoolCase::PadOf(c.height, oh, c.window_h, c.stride_h) : 0;
  const int left = c.same ? PoolCase::PadOf(c.width, ow, c.window_w, c.stride_w) : 0;
  // Small integers, so that halves hold them and that equal ones occur.
  Random random(9);
  std::vector<float> in(static_cast<size_t>(c.batch * c.height * c.width * c.channels));
  for (float& v : in) v = static_cast<float>(random.Integer(-20, 20));
  std::vector<float> values, taps;
  for (int i = 0; i < c.batch * oh * ow * c.channels; ++i) {
    const int channel = i % c.channels, pixel = i / c.channels;
    const int y0 = pixel / ow % oh * c.stride_h - top, x0 = pixel % ow * c.stride_w - left;
    float best = -100, tap = -1;
    for (int t = 0; t < c.window_h * c.window_w; ++t) {
      const int y = y0 + t / c.window_w, x = x0 + t % c.window_w;
      if (y < 0 || x < 0 || y >= c.height || x >= c.width) continue;
      const int row = pixel / ow / oh * c.height + y;
      const float v = in[(row * c.width + x) * c.channels + channel];
      if (v > best) tap = static_cast<float>(t);
      best = std::max(best, v);
    }
    values.push_back(c.activation == kTfLiteActRelu ? std::max(best, 0.0f) : best);
    taps.push_back(tap);
  }
  ModelBuilder b;
  const int x = b.Input(c.In());
  const int y = b.Tensor({c.batch, oh, ow, c.channels});
  const int at = b.Tensor({c.batch, oh, ow, c.channels}, c.IndexType());
  b.CustomOp("MaxPoolingWithArgmax2D", {x}, {y, at}, c.Options());
  b.Output(y);
  b.Output(at);
  for (const Engine& engine : AllEngines()) {
    const RunResult result = RunModel(b.Finish(), {BytesOf(in)}, engine);
    ASSERT_EQ(result.error, "") << engine.name;
    EXPECT_EQ(result.outputs[0].floats(), values) << engine.name;
    EXPECT_EQ(NumbersOf(result.outputs[1], c.whole), taps) << engine.name;
  }
}

TEST(MaxPoolArgmax, Shapes) {
  CheckPool({});
  CheckPool({.batch = 3, .channels = 17, .whole = false});
  CheckPool({.channels = 1, .window_h = 3, .window_w = 3, .stride_h = 1, .stride_w = 1});
  CheckPool({.batch = 2, .height = 7, .width = 8, .same = false, .activation = kTfLiteActRelu});
}

// Where nothing is larger than the smallest number, the first tap inside the image is the largest.
TEST(MaxPoolArgmax, WindowsOfInfinities) {
  const float inf = std::numeric_limits<float>::infinity();
  const PoolCase c = {.height = 2, .width = 2, .channels = 2, .window_h = 2, .window_w = 2};
  ModelBuilder b;
  const int x = b.Input(c.In());
  const int y = b.Tensor({1, 1, 1, 2}), at = b.Tensor({1, 1, 1, 2}, c.IndexType());
  b.CustomOp("MaxPoolingWithArgmax2D", {x}, {y, at}, c.Options());
  b.Output(y);
  b.Output(at);
  const std::vector<float> in = {-inf, -inf, -inf, 1, -inf, inf, -inf, -inf};
  for (const Engine& engine : AllEngines()) {
    const RunResult result = RunModel(b.Finish(), {BytesOf(in)}, engine);
    ASSERT_EQ(result.error, "") << engine.name;
    EXPECT_EQ(result.outputs[0].floats(), (std::vector<float>{-inf, inf})) << engine.name;
    EXPECT_EQ(NumbersOf(result.outputs[1], c.whole), (std::vector<float>{0, 2})) << engine.name;
  }
}

void CheckUnpool(const PoolCase& c) {
  const auto extent = [&](int in, int window, int stride) {
    return c.same ? in * stride : (in - 1) * stride + window;
  };
  const int oh = extent(c.height, c.window_h, c.stride_h);
  const int ow = extent(c.width, c.window_w, c.stride_w);
  const int top = PoolCase::PadOf(oh, c.height, c.window_h, c.stride_h);
  const int left = PoolCase::PadOf(ow, c.width, c.window_w, c.stride_w);
  const int count = c.batch * c.height * c.width * c.channels;
  Random random(4);
  std::vector<float> in, want(static_cast<size_t>(c.batch * oh * ow * c.channels));
  std::vector<int32_t> taps;
  for (int i = 0; i < count; ++i) {
    in.push_back(static_cast<float>(random.Integer(1, 50)));
    taps.push_back(static_cast<int32_t>(random.Integer(0, c.window_h * c.window_w - 1)));
    const int pixel = i / c.channels;
    const int y = pixel / c.width % c.height * c.stride_h - top + taps[i] / c.window_w;
    const int x = pixel % c.width * c.stride_w - left + taps[i] % c.window_w;
    if (y < 0 || x < 0 || y >= oh || x >= ow) continue;
    const int row = pixel / c.width / c.height * oh + y;
    want[(row * ow + x) * c.channels + i % c.channels] = in[i];
  }
  ModelBuilder b;
  const int x = b.Input(c.In()), at = b.Input(c.In(), c.IndexType());
  const int y = b.Tensor({c.batch, oh, ow, c.channels});
  b.CustomOp("MaxUnpooling2D", {x, at}, {y}, c.Options());
  b.Output(y);
  const std::vector<float> real_taps(taps.begin(), taps.end());
  for (const Engine& engine : AllEngines()) {
    const RunResult result =
        RunModel(b.Finish(), {BytesOf(in), c.whole ? BytesOf(taps) : BytesOf(real_taps)}, engine);
    ASSERT_EQ(result.error, "") << engine.name;
    EXPECT_EQ(result.outputs[0].floats(), want) << engine.name;
  }
}

TEST(MaxUnpool, Shapes) {
  CheckUnpool({});
  CheckUnpool({.batch = 2, .height = 3, .width = 2, .channels = 17, .same = false, .whole = false});
  CheckUnpool({.channels = 1, .window_h = 3, .window_w = 3, .stride_h = 1, .stride_w = 2});
  CheckUnpool({.window_h = 1, .window_w = 1, .stride_h = 3, .stride_w = 2, .same = false});
}

TEST(MaxUnpool, BadOperandsAreErrors) {
  const auto error = [](const std::vector<uint8_t>& options, int32_t index, int channels) {
    OpRunner run(MaxUnpoolRegistration(OpForm::kOptimized));
    run.SetCustomOptions(options);
    run.Input<float>({1, 1, 1, 1}, {3});
    run.Input<int32_t>({1, 1, 1, channels}, std::vector<int32_t>(channels, index));
    run.Output();
    EXPECT_EQ(run.Run(), kTfLiteError);
    return run.error();
  };
  EXPECT_EQ(error(PoolCase().Options(), 6, 1), "MaxUnpooling2D: index is out of range (6, 6)");
  EXPECT_EQ(error(PoolCase().Options(), -1, 1), "MaxUnpooling2D: index is out of range (-1, 6)");
  EXPECT_NE(error(PoolCase().Options(), 0, 2), "");
  EXPECT_NE(error({}, 0, 1), "");
  EXPECT_NE(error(BytesOf<int32_t>({1, 0, 1, 1, 1, 0}), 0, 1), "");
  EXPECT_NE(error(BytesOf<int32_t>({0, 1, 1, 1, 1, 0}), 0, 1), "");
  EXPECT_NE(error(BytesOf<int32_t>({1, 1, 1, 1 << 20, 1, 0}), 0, 1), "");
}

TEST(TransposeConvBias, MatchesTransposeConv) {
  for (const bool same : {true, false}) {
    for (const int kernel : {2, 3, 1}) {
      Random random(5);
      const std::vector<float> in = random.Floats(2 * 3 * 4 * 5), bias = random.Floats(6);
      const std::vector<float> w = random.Floats(6 * kernel * kernel * 5);
      const auto extent = [&](int n) { return n * 2 + (same ? 0 : std::max(0, kernel - 2)); };
      const std::vector<int32_t> out = {2, extent(3), extent(4), 6};
      const auto model = [&](bool custom) {
        ModelBuilder b;
        const int x = b.Input({2, 3, 4, 5});
        const int filter = b.Const<float>({6, kernel, kernel, 5}, w),
                  add = b.Const<float>({6}, bias);
        const int y = b.Tensor(out);
        if (custom) {
          b.CustomOp("Convolution2DTransposeBias", {x, filter, add}, {y},
                     BytesOf<int32_t>({same ? 1 : 2, 2, 2}));
        } else {
          tflite::TransposeConvOptionsT o;
          o.padding = same ? tflite::Padding_SAME : tflite::Padding_VALID;
          o.stride_h = o.stride_w = 2;
          b.SetOpVersion(3);
          b.Op(tflite::BuiltinOperator_TRANSPOSE_CONV, {b.Const<int32_t>({4}, out), filter, x, add},
               {y}, std::move(o));
        }
        b.Output(y);
        return b.Finish();
      };
      for (const Engine& engine : AllEngines()) {
        const RunResult want = RunModel(model(false), {BytesOf(in)}, engine);
        const RunResult got = RunModel(model(true), {BytesOf(in)}, engine);
        ASSERT_EQ(want.error + got.error, "") << engine.name;
        EXPECT_EQ(got.outputs[0].shape, want.outputs[0].shape);
        EXPECT_EQ(got.outputs[0].floats(), want.outputs[0].floats()) << engine.name;
      }
    }
  }
}

TEST(TransposeConvBias, BadOptionsAreErrors) {
  for (const std::vector<int32_t>& options :
       {std::vector<int32_t>{}, {1, 2}, {0, 2, 2}, {1, 0, 2}, {1, 2, -2}, {1, 1 << 20, 1}}) {
    OpRunner run(TransposeConvBiasRegistration(OpForm::kOptimized));
    run.SetCustomOptions(BytesOf(options));
    run.EmptyInput({1, 3, 4, 5}, kTfLiteFloat32);
    run.EmptyInput({6, 2, 2, 5}, kTfLiteFloat32);
    run.EmptyInput({6}, kTfLiteFloat32);
    run.Output();
    EXPECT_EQ(run.Prepare(), kTfLiteError);
    EXPECT_EQ(run.error().rfind("Convolution2DTransposeBias: ", 0), 0u) << run.error();
  }
}

}  // namespace
}  // namespace tern::testing
