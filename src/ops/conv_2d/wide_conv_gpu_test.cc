// SPDX-License-Identifier: Apache-2.0
// Convolutions of INT16 on GPU engines have the multipliers of the CPU, which has them in 16 bits.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "ops/testing/same_bytes.h"

namespace tern::testing {
namespace {

// A filter of one element for each of two channels. With the exact multipliers a quarter of all
// elements would be a step off.
std::vector<uint8_t> Model(bool depthwise, bool biased) {
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

TEST(WideConvGpu, HasTheMultipliersOfTheCpu) {
  for (const bool depthwise : {false, true}) {
    for (const bool biased : {false, true}) {
      const std::vector<uint8_t> model = Model(depthwise, biased);
      Random random(5);
      std::vector<int16_t> elements(64 * 64 * (depthwise ? 2 : 1));
      for (int16_t& v : elements) v = static_cast<int16_t>(random.Integer(-32768, 32767));
      std::vector<uint8_t> bytes(elements.size() * sizeof(int16_t));
      std::memcpy(bytes.data(), elements.data(), bytes.size());
      const RunResult want = RunModel(model, {bytes}, CpuEngines()[0]);
      ASSERT_EQ(want.error, "");
      const std::vector<double> b = want.outputs[0].numbers();
      for (const Engine& engine : EnginesFor(true)) {
        const RunResult got = RunModel(model, {bytes}, engine);
        ASSERT_EQ(got.error, "") << engine.name;
        const std::vector<double> a = got.outputs[0].numbers();
        ASSERT_EQ(a.size(), b.size());
        size_t off = 0;
        for (size_t i = 0; i < a.size(); ++i) {
          off += a[i] == b[i] ? 0 : 1;
          ASSERT_LE(std::fabs(a[i] - b[i]), 1) << engine.name << ", element " << i;
        }
        EXPECT_LT(off, a.size() / 100) << engine.name << (depthwise ? ", depthwise" : "");
      }
    }
  }
}

}  // namespace
}  // namespace tern::testing
