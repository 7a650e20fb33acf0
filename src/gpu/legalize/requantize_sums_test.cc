// SPDX-License-Identifier: Apache-2.0
// Which sums are exact in what, and how their dispatches read and write.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gpu/compile.h"
#include "gpu/testing/graph_builder.h"
#include "ops/gpu_registry.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::gpu {
namespace {

constexpr int kChannels = 8, kDepth = 64;
constexpr QuantizedType kIn = {kTfLiteInt8, 0.5F, -128}, kOut = {kTfLiteInt8, 8.0F, 3};
constexpr QuantizedType kWideIn = {kTfLiteInt16, 0.5F, 0}, kWideOut = {kTfLiteInt16, 8.0F, 0};

class RequantizeSumsTest : public ::testing::Test {
 protected:
  RequantizeSumsTest() : weights_(kChannels * kDepth, 1) {}

  TensorId Filter() {
    const TensorId id = b_.Tensor({kChannels, 1, 1, kDepth});
    GraphTensor& tensor = b_.graph().tensors[id];
    tensor.stored = kTfLiteInt8;
    tensor.data = Borrowed(weights_.data());
    tensor.SetQuantization({{0.25F}, {0}});
    return id;
  }

  TensorId Conv(TensorId in, TensorId filter, TensorId bias, const QuantizedType& out,
                TfLiteFusedActivation activation = kTfLiteActNone) {
    TfLiteConvParams params{};
    params.padding = kTfLitePaddingSame;
    params.stride_width = params.stride_height = 1;
    params.dilation_width_factor = params.dilation_height_factor = 1;
    params.activation = activation;
    params.quantized_bias_type = kTfLiteInt64;
    return b_.Quantize(
        b_.Op(kTfLiteBuiltinConv2d, "CONV_2D", {in, filter, bias}, {1, 4, 4, kChannels}, params),
        out);
  }

  TensorId Input(const QuantizedType& how) { return b_.Quantize(b_.Input({1, 4, 4, kDepth}), how); }

  TensorId Bias(int32_t value) {
    const TensorId id = b_.Ints({kChannels}, std::vector<int32_t>(kChannels, value));
    b_.graph().tensors[id].SetQuantization({{0.25F}, {0}});
    return id;
  }

  // The dispatch of the convolution of a graph with that output.
  Dispatch ConvOf(TensorId output) {
    b_.Output(output);
    const auto made = Compile(b_.graph(), device_, GpuLoweringTable(), {});
    EXPECT_TRUE(made.ok()) << made.status();
    if (!made.ok()) return {};
    for (const Dispatch& dispatch : made->plan.dispatches) {
      if (dispatch.label == "CONV_2D #0") return dispatch;
    }
    return {};
  }

  static const Binding& Bound(const Dispatch& dispatch, const std::string& name) {
    return *std::find_if(dispatch.bindings.begin(), dispatch.bindings.end(),
                         [&](const Binding& b) { return b.name == name; });
  }

  static int Uniform(const Dispatch& dispatch, const std::string& name) {
    for (const auto& uniform : dispatch.uniforms) {
      if (uniform.name == name) return uniform.i;
    }
    return -999;
  }

  std::vector<int8_t> weights_;
  GraphBuilder b_;
  DeviceInfo device_;
};

TEST_F(RequantizeSumsTest, ElementsGoFromMemoryToMemory) {
  const Dispatch conv = ConvOf(Conv(Input(kIn), Filter(), -1, kOut, kTfLiteActRelu6));
  EXPECT_EQ(conv.finish, Finish::kRequantize);
  EXPECT_EQ(conv.sums, Number::kReal);
  ASSERT_EQ(conv.bindings.size(), 4u);  // src, dst, constants and packed weights
  EXPECT_TRUE(Bound(conv, "src").elements);
  EXPECT_TRUE(Bound(conv, "dst").elements);
  EXPECT_TRUE(conv.epilogue.empty());
  EXPECT_EQ(Uniform(conv, "least_element"), 0);
  EXPECT_EQ(Uniform(conv, "most_element"), 1);  // 6 / 8
}

TEST_F(RequantizeSumsTest, StepsGetNumbers) {
  const TensorId conv = Conv(Input(kIn), Filter(), -1, kOut);
  const TensorId tanh = b_.Quantize(
      b_.Op(kTfLiteBuiltinTanh, "TANH", {conv}, {1, 4, 4, kChannels}, 0), {kTfLiteInt8, 0.01F, 0});
  const Dispatch dispatch = ConvOf(tanh);
  ASSERT_FALSE(dispatch.epilogue.empty());
  EXPECT_EQ(dispatch.epilogue[0].a, kOut.scale);
  EXPECT_FALSE(Bound(dispatch, "dst").elements);
}

// The largest sum is 255 * 64 * 127 here, and 65535 * 64 * 127 beyond ints with more of them.
TEST_F(RequantizeSumsTest, IntsHoldSumsBeyondFloats) {
  std::fill(weights_.begin(), weights_.end(), int8_t{127});
  const TensorId bias = Bias(1 << 20);
  const Dispatch bytes = ConvOf(Conv(Input(kIn), Filter(), bias, kOut));
  EXPECT_EQ(bytes.sums, Number::kReal);
  b_ = GraphBuilder();
  const Dispatch shorts = ConvOf(Conv(Input(kWideIn), Filter(), -1, kWideOut));
  EXPECT_EQ(shorts.sums, Number::kInt);
  EXPECT_EQ(shorts.finish, Finish::kRequantizeOnce);
}

TEST_F(RequantizeSumsTest, ABiasMayTakeAllBits) {
  const TensorId bias = Bias((1 << 30) + 1);
  const Dispatch conv = ConvOf(Conv(Input(kIn), Filter(), bias, kOut));
  EXPECT_EQ(conv.finish, Finish::kRequantizeLarge);
  EXPECT_EQ(conv.sums, Number::kReal);
}

TEST_F(RequantizeSumsTest, SumsBeyondIntsStayNumbers) {
  const TensorId bias = Bias(0x7FFFFFFF);
  const Dispatch conv = ConvOf(Conv(Input(kIn), Filter(), bias, kOut));
  EXPECT_EQ(conv.finish, Finish::kReal);
  EXPECT_FALSE(Bound(conv, "src").elements);
}

TEST_F(RequantizeSumsTest, AComputedFilterStaysNumbers) {
  const TensorId filter = b_.Quantize(b_.Input({kChannels, 1, 1, kDepth}), {kTfLiteInt8, 0.25F, 0});
  const TensorId y = Conv(Input(kIn), filter, -1, kOut);
  const Dispatch conv = ConvOf(y);
  EXPECT_EQ(conv.finish, Finish::kReal);
}

}  // namespace
}  // namespace tern::gpu
