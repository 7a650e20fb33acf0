// SPDX-License-Identifier: Apache-2.0
// Quantized products with a bias of INT32 or INT64 that is computed: CONV_2D, DEPTHWISE_CONV_2D,
// TRANSPOSE_CONV and FULLY_CONNECTED.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/testing/model_builder.h"
#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

enum class Product { kConv, kDepthwise, kTransposed, kDense };

struct BiasCase {
  Product product;
  tflite::TensorType type = tflite::TensorType_INT8;
  bool per_channel = false;
  bool computed_filter = false;
  bool long_bias = false;
};

constexpr int kBiasInputs = 6, kBiasOutputs = 10;

// Large enough that floats do not hold all of them, and far beyond what the output's type holds.
const std::vector<int32_t> kComputedBias = {
    0, 1, -1, 3000, -3000, (1 << 24) + 1, -(1 << 24) - 1, 1 << 30, -(1 << 30), 77};

// Some of which need both words.
const std::vector<int64_t> kLongBias = {
    0, 1, -1, 3000, -3000, (1 << 24) + 1, -(1 << 24) - 1, int64_t{1} << 36, -(int64_t{3} << 32),
    77};

ModelBuilder BiasModel(const BiasCase& c) {
  const bool depthwise = c.product == Product::kDepthwise, dense = c.product == Product::kDense;
  const bool shorts = c.type == tflite::TensorType_INT16;
  const int channels = depthwise ? kBiasOutputs : kBiasInputs;
  ModelBuilder b;
  const std::vector<int32_t> in =
      dense ? std::vector<int32_t>{5, channels} : std::vector<int32_t>{1, 5, 4, channels};
  const std::vector<int32_t> out =
      dense ? std::vector<int32_t>{5, kBiasOutputs} : std::vector<int32_t>{1, 5, 4, kBiasOutputs};
  const std::vector<int32_t> filter = dense ? std::vector<int32_t>{kBiasOutputs, channels}
                                      : depthwise
                                          ? std::vector<int32_t>{1, 3, 3, kBiasOutputs}
                                          : std::vector<int32_t>{kBiasOutputs, 3, 3, channels};
  const float scale = shorts ? 0.0002f : 0.02f;
  const int x = b.Quantize(b.Input(in, c.type), scale, shorts ? 0 : -3);
  int count = 1;
  for (const int32_t size : filter) count *= size;
  Random random(static_cast<uint64_t>(count));
  std::vector<int8_t> weights(static_cast<size_t>(count));
  for (int8_t& v : weights) v = static_cast<int8_t>(random.Integer(-127, 127));
  const int w = c.computed_filter ? b.Input(filter, tflite::TensorType_INT8)
                                  : b.Const<int8_t>(filter, weights);
  std::vector<float> scales(c.per_channel ? kBiasOutputs : 1);
  for (size_t i = 0; i < scales.size(); ++i) scales[i] = 0.004f + 0.001f * static_cast<float>(i);
  b.QuantizePerChannel(w, scales, std::vector<int64_t>(scales.size(), 0), depthwise ? 3 : 0);
  const tflite::TensorType bias_type =
      c.long_bias ? tflite::TensorType_INT64 : tflite::TensorType_INT32;
  const int bias = b.Input({kBiasOutputs}, bias_type);
  for (float& v : scales) v *= scale;
  b.QuantizePerChannel(bias, scales, std::vector<int64_t>(scales.size(), 0), 0);
  const int y = b.Quantize(b.Tensor(out, c.type), shorts ? 0.0003f : 0.05f, shorts ? 0 : 5);
  switch (c.product) {
    case Product::kConv: {
      tflite::Conv2DOptionsT o;
      o.stride_w = o.stride_h = 1;
      o.quantized_bias_type = bias_type;
      b.Op(tflite::BuiltinOperator_CONV_2D, {x, w, bias}, {y}, o);
      break;
    }
    case Product::kDepthwise: {
      tflite::DepthwiseConv2DOptionsT o;
      o.stride_w = o.stride_h = o.depth_multiplier = 1;
      b.Op(tflite::BuiltinOperator_DEPTHWISE_CONV_2D, {x, w, bias}, {y}, o);
      break;
    }
    case Product::kTransposed: {
      tflite::TransposeConvOptionsT o;
      o.stride_w = o.stride_h = 1;
      o.quantized_bias_type = bias_type;
      const int shape = b.Const<int32_t>({4}, out);
      b.SetOpVersion(3);
      b.Op(tflite::BuiltinOperator_TRANSPOSE_CONV, {shape, w, x, bias}, {y}, o);
      break;
    }
    case Product::kDense: {
      tflite::FullyConnectedOptionsT o;
      b.Op(tflite::BuiltinOperator_FULLY_CONNECTED, {x, w, bias}, {y}, o);
    }
  }
  b.Output(y);
  return b;
}

void CheckComputedBias(const BiasCase& c) {
  const bool shorts = c.type == tflite::TensorType_INT16;
  const size_t pixels = c.product == Product::kDense ? 5 : 20;
  const size_t channels = c.product == Product::kDepthwise ? kBiasOutputs : kBiasInputs;
  Random random(5);
  std::vector<int8_t> bytes(pixels * channels);
  for (int8_t& v : bytes) v = static_cast<int8_t>(random.Integer(-128, 127));
  std::vector<int16_t> words(pixels * channels);
  for (int16_t& v : words) v = static_cast<int16_t>(random.Integer(-32768, 32767));
  std::vector<std::vector<uint8_t>> inputs = {shorts ? BytesOf(words) : BytesOf(bytes)};
  if (c.computed_filter) {
    const size_t taps = c.product == Product::kDense ? 1 : 9;
    std::vector<int8_t> weights(taps * kBiasOutputs *
                                (c.product == Product::kDepthwise ? 1 : kBiasInputs));
    for (int8_t& v : weights) v = static_cast<int8_t>(random.Integer(-127, 127));
    inputs.push_back(BytesOf(weights));
  }
  inputs.push_back(c.long_bias ? BytesOf(kLongBias) : BytesOf(kComputedBias));
  CheckWithinSteps("product " + std::to_string(static_cast<int>(c.product)), BiasModel(c).Finish(),
                   inputs, 1);
}

TEST(ComputedBiasGpu, OfBytes) {
  for (const Product product :
       {Product::kConv, Product::kDepthwise, Product::kTransposed, Product::kDense}) {
    CheckComputedBias({.product = product});
    CheckComputedBias({.product = product, .per_channel = true});
    CheckComputedBias({.product = product, .computed_filter = true});
  }
}

TEST(ComputedBiasGpu, OfInt16) {
  CheckComputedBias({.product = Product::kConv, .type = tflite::TensorType_INT16});
  CheckComputedBias({.product = Product::kDense, .type = tflite::TensorType_INT16});
}

TEST(ComputedBiasGpu, OfInt16InWideSums) {
  for (const Product product :
       {Product::kConv, Product::kDepthwise, Product::kTransposed, Product::kDense}) {
    BiasCase c{.product = product, .type = tflite::TensorType_INT16, .long_bias = true};
    CheckComputedBias(c);
    c.per_channel = true;
    CheckComputedBias(c);
    c.per_channel = false;
    c.computed_filter = true;
    CheckComputedBias(c);
  }
}

}  // namespace
}  // namespace tern::testing
