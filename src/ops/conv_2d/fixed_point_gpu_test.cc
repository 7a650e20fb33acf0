// SPDX-License-Identifier: Apache-2.0
// Convolutions of quantized tensors give the elements of the CPU on GPU engines, all of them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

// A filter of one element for each of two channels. With multipliers of 31 bits a quarter of all
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
      CheckWithinSteps(depthwise ? "depthwise" : "convolution", WideModel(depthwise, biased),
                       {BytesOf(elements)}, 0);
    }
  }
}

// With one scale or one per channel; the multipliers differ by a factor of four.
std::vector<uint8_t> ByteModel(bool per_channel, bool with_relu) {
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
  if (!with_relu) {
    b.Output(y);
    return b.Finish();
  }
  b.SetOpVersion(2);
  b.Output(b.Op(tflite::BuiltinOperator_RELU, {y}, {like()}));
  return b.Finish();
}

TEST(FixedPointGpu, BytesAreRoundedTwice) {
  Random random(11);
  std::vector<int8_t> elements(40 * 40 * 8);
  for (int8_t& v : elements) v = static_cast<int8_t>(random.Integer(-128, 127));
  for (const bool per_channel : {false, true}) {
    for (const bool with_relu : {false, true}) {
      CheckWithinSteps(per_channel ? "scales" : "one scale", ByteModel(per_channel, with_relu),
                       {BytesOf(elements)}, 0);
    }
  }
}

// The results of a convolution of one product, in each channel with a bias of up to `bias_bits` and
// a multiplier of its own, of up to 2^max_shift.
std::vector<uint8_t> BiasModel(tflite::TensorType type, int bias_bits, int max_shift, bool bias64) {
  constexpr int kChannels = 1021;
  ModelBuilder b;
  const bool wide = type == tflite::TensorType_INT16;
  const int x = b.Quantize(b.Input({1, 1, 4, 1}, type), 1, 0);
  Random random(static_cast<uint64_t>(bias_bits * 100 + max_shift));
  std::vector<int8_t> weights(kChannels);
  std::vector<int32_t> biases(kChannels);
  std::vector<float> scales(kChannels);
  for (int i = 0; i < kChannels; ++i) {
    weights[i] = static_cast<int8_t>(random.Integer(-127, 127));
    const int bits = static_cast<int>(random.Integer(1, bias_bits));
    biases[i] = static_cast<int32_t>(random.Integer(-(int64_t{1} << bits), int64_t{1} << bits));
    // Results mostly lie within the type, and some multipliers are powers of two.
    const int shift = std::min<int>(max_shift, (wide ? 16 : 8) - bits);
    const double part = i % 5 == 0 ? 0.5 : std::ldexp(random.Integer(1 << 20, 1 << 21), -21);
    scales[i] = static_cast<float>(std::ldexp(part, shift));
  }
  const std::vector<int64_t> zeros(kChannels, 0);
  const int w =
      b.QuantizePerChannel(b.Const<int8_t>({kChannels, 1, 1, 1}, weights), scales, zeros, 0);
  const std::vector<int64_t> longs(biases.begin(), biases.end());
  const int c = b.QuantizePerChannel(
      bias64 ? b.Const<int64_t>({kChannels}, longs) : b.Const<int32_t>({kChannels}, biases), scales,
      zeros, 0);
  tflite::Conv2DOptionsT options;
  options.stride_w = options.stride_h = 1;
  options.quantized_bias_type = bias64 ? tflite::TensorType_INT64 : tflite::TensorType_INT32;
  b.SetOpVersion(3);
  const int y = b.Quantize(b.Tensor({1, 1, 4, kChannels}, type), 1, wide ? 0 : 7);
  b.Output(b.Op(tflite::BuiltinOperator_CONV_2D, {x, w, c}, {y}, options));
  return b.Finish();
}

TEST(FixedPointGpu, SumsAndMultipliersOfAnySize) {
  const auto bytes = BytesOf(std::vector<int8_t>{-128, 0, 1, 127});
  const auto shorts = BytesOf(std::vector<int16_t>{-32768, 0, 1, 32767});
  for (const int bits : {10, 23, 27, 30}) {
    for (const int max_shift : {0, 3}) {
      const std::string name = StrCat(bits, " bits, ", max_shift, " to the left");
      CheckWithinSteps(name, BiasModel(tflite::TensorType_INT8, bits, max_shift, false), {bytes},
                       0);
      for (const bool bias64 : {false, true}) {
        CheckWithinSteps(name, BiasModel(tflite::TensorType_INT16, bits, max_shift, bias64),
                         {shorts}, 0);
      }
    }
  }
}

// Sums of UINT8 beyond 2^24, which floats do not hold.
TEST(FixedPointGpu, SumsBeyondFloats) {
  constexpr int kDepth = 1500;
  for (const bool one_pixel : {false, true}) {
    const int width = one_pixel ? 1 : 5;
    ModelBuilder b;
    const auto type = tflite::TensorType_UINT8;
    const int x = b.Quantize(b.Input({1, 1, width, kDepth}, type), 0.02f, 3);
    Random random(5);
    std::vector<uint8_t> weights(6 * kDepth);
    for (uint8_t& v : weights) v = static_cast<uint8_t>(random.Integer(100, 255));
    const int w = b.Quantize(b.Const<uint8_t>({6, 1, 1, kDepth}, weights), 0.01f, 20);
    const int c =
        b.Quantize(b.Const<int32_t>({6}, {0, -20000000, -25000001, -30000007, 5, 77}), 0.0002f, 0);
    tflite::Conv2DOptionsT options;
    options.stride_w = options.stride_h = 1;
    b.SetOpVersion(1);
    const int y = b.Quantize(b.Tensor({1, 1, width, 6}, type), 30.0f, 128);
    b.Output(b.Op(tflite::BuiltinOperator_CONV_2D, {x, w, c}, {y}, options));
    std::vector<uint8_t> elements(static_cast<size_t>(width) * kDepth);
    for (uint8_t& v : elements) v = static_cast<uint8_t>(random.Integer(0, 255));
    CheckWithinSteps(one_pixel ? "one pixel" : "a row", b.Finish(), {elements}, 0);
  }
}

}  // namespace
}  // namespace tern::testing
