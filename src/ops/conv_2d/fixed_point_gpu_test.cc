// SPDX-License-Identifier: Apache-2.0
// Convolutions of quantized tensors on GPU engines round where the fixed point of the CPU does.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

// So few elements are other ones than the CPU's, and those by one.
void CheckNearlySame(const std::string& name, const std::vector<uint8_t>& model,
                     const std::vector<uint8_t>& input, size_t most_in_10000) {
  const RunResult want = RunModel(model, {input}, CpuEngines()[0]);
  ASSERT_EQ(want.error, "") << name;
  const std::vector<double> b = want.outputs[0].numbers();
  for (const Engine& engine : EnginesFor(true)) {
    const RunResult got = RunModel(model, {input}, engine);
    ASSERT_EQ(got.error, "") << name << " on " << engine.name;
    const std::vector<double> a = got.outputs[0].numbers();
    ASSERT_EQ(a.size(), b.size());
    size_t off = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      off += a[i] == b[i] ? 0 : 1;
      ASSERT_LE(std::fabs(a[i] - b[i]), 1) << name << " on " << engine.name << ", element " << i;
    }
    EXPECT_LE(off * 10000, a.size() * most_in_10000) << name << " on " << engine.name;
  }
}

// A filter of one element for each of two channels. With the exact multipliers a quarter of all
// elements would be a step off.
std::vector<uint8_t> WideModel(bool depthwise, bool biased) {
  ModelBuilder b;
  const auto type = tflite::TensorType_INT16;
  const int x = b.Quantize(b.Input({1, 64, 64, depthwise ? 2 : 1}, type), 1.0f / 4096, 0);
  const std::vector<int32_t> shape =
      depthwise ? std::vector<int32_t>{1, 1, 1, 2} : std::vector<int32_t>{2, 1, 1, 1};
  const int w = b.QuantizePerChannel(b.Const<int8_t>(shape, {127, -127}),
                                     {0.00787408f, 0.00787432f}, {0, 0}, depthwise ? 3 : 0);
  std::vector<int32_t> inputs = {x, w};
  if (biased) {
    inputs.push_back(b.QuantizePerChannel(b.Const<int64_t>({2}, {3000, -5000}),
                                          {0.00787408f / 4096, 0.00787432f / 4096}, {0, 0}, 0));
  }
  const int y = b.Quantize(b.Tensor({1, 64, 64, 2}, type), 1.0f / 4096, 0);
  if (depthwise) {
    tflite::DepthwiseConv2DOptionsT options;
    options.stride_w = options.stride_h = options.depth_multiplier = 1;
    b.Output(b.Op(tflite::BuiltinOperator_DEPTHWISE_CONV_2D, inputs, {y}, options));
  } else {
    tflite::Conv2DOptionsT options;
    options.stride_w = options.stride_h = 1;
    options.quantized_bias_type = tflite::TensorType_INT64;
    b.Output(b.Op(tflite::BuiltinOperator_CONV_2D, inputs, {y}, options));
  }
  return b.Finish();
}

TEST(FixedPointGpu, MultipliersOf16Bits) {
  for (const bool depthwise : {false, true}) {
    for (const bool biased : {false, true}) {
      Random random(5);
      std::vector<int16_t> elements(64 * 64 * (depthwise ? 2 : 1));
      for (int16_t& v : elements) v = static_cast<int16_t>(random.Integer(-32768, 32767));
      CheckNearlySame(depthwise ? "depthwise" : "convolution", WideModel(depthwise, biased),
                      BytesOf(elements), 100);
    }
  }
}

// With one scale or one per channel; the multipliers differ by a factor of four.
std::vector<uint8_t> ByteModel(bool per_channel) {
  constexpr int kChannels = 12;
  ModelBuilder b;
  const auto type = tflite::TensorType_INT8;
  const int x = b.Quantize(b.Input({1, 40, 40, 8}, type), 0.02f, -3);
  Random random(7);
  std::vector<int8_t> weights(kChannels * 3 * 3 * 8);
  for (int8_t& v : weights) v = static_cast<int8_t>(random.Integer(-127, 127));
  std::vector<float> scales(per_channel ? kChannels : 1);
  for (float& v : scales) v = 0.001f * static_cast<float>(random.Integer(10, 40)) / 10;
  std::vector<float> bias_scales;
  for (const float v : scales) bias_scales.push_back(v * 0.02f);
  const std::vector<int64_t> zeros(scales.size(), 0);
  const int w =
      b.QuantizePerChannel(b.Const<int8_t>({kChannels, 3, 3, 8}, weights), scales, zeros, 0);
  std::vector<int32_t> biases(kChannels);
  for (int32_t& v : biases) v = static_cast<int32_t>(random.Integer(-9000, 9000));
  const int c = b.QuantizePerChannel(b.Const<int32_t>({kChannels}, biases), bias_scales, zeros, 0);
  const auto like = [&] { return b.Quantize(b.Tensor({1, 40, 40, kChannels}, type), 0.021f, 5); };
  tflite::Conv2DOptionsT options;
  options.stride_w = options.stride_h = 1;
  b.SetOpVersion(3);
  const int y = b.Op(tflite::BuiltinOperator_CONV_2D, {x, w, c}, {like()}, options);
  b.Output(y);
  b.SetOpVersion(2);
  b.Output(b.Op(tflite::BuiltinOperator_RELU, {y}, {like()}));
  return b.Finish();
}

TEST(FixedPointGpu, BytesAreRoundedTwice) {
  Random random(11);
  std::vector<int8_t> elements(40 * 40 * 8);
  for (int8_t& v : elements) v = static_cast<int8_t>(random.Integer(-128, 127));
  for (const bool per_channel : {false, true}) {
    CheckNearlySame(per_channel ? "scales" : "one scale", ByteModel(per_channel), BytesOf(elements),
                    5);
  }
}

}  // namespace
}  // namespace tern::testing
