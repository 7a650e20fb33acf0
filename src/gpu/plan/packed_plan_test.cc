// SPDX-License-Identifier: Apache-2.0
// Tensors and weights that take as few bits in device memory as in the model.
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

bool BindsPacked(const Dispatch& dispatch) {
  return std::any_of(dispatch.bindings.begin(), dispatch.bindings.end(),
                     [](const Binding& b) { return b.role == BindingRole::kPacked; });
}

// Convolutions with `filters` bytes in each filter, all of whose tensors have 8 bits.
class PackedPlanTest : public ::testing::Test {
 protected:
  static constexpr int kChannels = 64;
  static constexpr int kFilterBytes = kChannels * kChannels;

  PackedPlanTest() : bytes_(kFilterBytes, 3) {}

  TensorId Conv(TensorId in, TfLiteType type, int taps = 1) {
    TfLiteConvParams params{};
    params.padding = kTfLitePaddingSame;
    params.stride_width = params.stride_height = 1;
    params.dilation_width_factor = params.dilation_height_factor = 1;
    const TensorId filter = b_.Tensor({kChannels, taps, taps, kChannels});
    GraphTensor& tensor = b_.graph().tensors[filter];
    tensor.type = type;
    tensor.data = Borrowed(bytes_.data());
    tensor.SetQuantization({{0.5f}, {0}});
    return b_.Op(kTfLiteBuiltinConv2d, "CONV_2D", {in, filter, -1}, {1, 8, 8, kChannels}, params);
  }
  TensorId Quantized8(TensorId id) { return b_.Quantize(id, {kTfLiteInt8, 0.25f, -5}); }

  Plan PlanFor(bool packed) {
    const auto made =
        Compile(b_.graph(), device_, GpuLoweringTable(), {.fuse = true, .packed = packed});
    EXPECT_TRUE(made.ok()) << made.status();
    return made.ok() ? made->plan : Plan();
  }

  static std::vector<std::string> Elements(const Plan& plan, Role role) {
    std::vector<std::string> texts;
    for (const PlanTensor& tensor : plan.tensors) {
      if (tensor.role == role) texts.push_back(ToString(tensor.desc));
    }
    return texts;
  }

  std::vector<uint8_t> bytes_;
  GraphBuilder b_;
  DeviceInfo device_;
};

using Texts = std::vector<std::string>;

TEST_F(PackedPlanTest, WeightsOfBytesTakeAByte) {
  b_.Output(Conv(b_.Input({1, 8, 8, kChannels}), kTfLiteInt8));
  EXPECT_LE(PlanFor(true).constant_bytes(), kFilterBytes * 11 / 10 + 3 * kChannels * 4);
  EXPECT_GE(PlanFor(false).constant_bytes(), 4 * kFilterBytes);
}

TEST_F(PackedPlanTest, WeightsOfNibblesTakeANibble) {
  b_.Output(Conv(b_.Input({1, 8, 8, kChannels}), kTfLiteInt4));
  EXPECT_LE(PlanFor(true).constant_bytes(), kFilterBytes / 2 * 11 / 10 + 3 * kChannels * 4);
}

// With a scale for each 32 of them.
TEST_F(PackedPlanTest, WeightsByBlockTakeANibble) {
  constexpr int kScales = kFilterBytes / 32;
  const std::vector<float> scales(kScales, 0.5f);
  const TensorId weights = b_.Tensor({kChannels, kChannels});
  GraphTensor& tensor = b_.graph().tensors[weights];
  tensor.type = kTfLiteInt4;
  tensor.data = Borrowed(bytes_.data());
  tensor.quantization = RowBlocks{scales.data(), kTfLiteFloat32, kScales, 32};
  const TfLiteFullyConnectedParams params{};
  b_.Output(b_.Op(kTfLiteBuiltinFullyConnected, "FULLY_CONNECTED",
                  {b_.Input({40, kChannels}), weights, -1}, {40, kChannels}, params));
  EXPECT_LE(PlanFor(true).constant_bytes(),
            kFilterBytes / 2 * 11 / 10 + (kScales + 2 * kChannels) * 4);
  device_.max_buffers = 3;
  const Plan plan = PlanFor(true);
  ASSERT_EQ(plan.dispatches.size(), 1u);
  EXPECT_FALSE(BindsPacked(plan.dispatches[0]));
}

TEST_F(PackedPlanTest, WeightsOfHalvesTakeAHalf) {
  bytes_.resize(2 * kFilterBytes);
  b_.Output(Conv(b_.Input({1, 8, 8, kChannels}), kTfLiteFloat16));
  EXPECT_LE(PlanFor(true).constant_bytes(), 2 * kFilterBytes * 11 / 10 + 2 * kChannels * 4);
}

// Packed weights have a buffer of their own. A device that has none to spare gets numbers.
TEST_F(PackedPlanTest, WeightsAreUnpackedForDevicesWithoutABufferForThem) {
  device_.max_buffers = 4;
  const TensorId in = b_.Input({1, 8, 8, kChannels}), more = b_.Input({1, 8, 8, kChannels});
  const TensorId conv = Conv(in, kTfLiteInt8);
  b_.Output(b_.Op(kTfLiteBuiltinAdd, "ADD", {conv, more}, {1, 8, 8, kChannels}, TfLiteAddParams{}));
  Plan plan = PlanFor(true);
  ASSERT_EQ(plan.dispatches.size(), 1u);
  EXPECT_FALSE(BindsPacked(plan.dispatches[0]));
  device_.max_buffers = 5;
  plan = PlanFor(true);
  ASSERT_EQ(plan.dispatches.size(), 1u);
  EXPECT_TRUE(BindsPacked(plan.dispatches[0]));
}

// Scales are floats beside halves, and so are the zeros outside an image: pointers to them and to
// the image would be of two types.
TEST_F(PackedPlanTest, LanesOfHalvesAreNotWalkedInMemory) {
  bytes_.resize(9 * kFilterBytes);
  device_.device_class = DeviceClass::kCpu;
  device_.native_vector_width = device_.max_slice_width = 16;
  const TensorId first = Conv(b_.Input({1, 8, 8, kChannels}), kTfLiteInt8, 3);
  b_.Output(Conv(first, kTfLiteInt8, 3));
  CompileOptions options;
  options.packed = true;
  for (const Precision precision : {Precision::kF32, Precision::kF16}) {
    options.precision = precision;
    const auto made = Compile(b_.graph(), device_, GpuLoweringTable(), options);
    ASSERT_TRUE(made.ok()) << made.status();
    const Dispatch& second = made->plan.dispatches.back();
    EXPECT_TRUE(BindsPacked(second));
    for (const Define& define : second.defines) {
      if (define.name != "LANE_LOOP") continue;
      EXPECT_EQ(define.value, precision == Precision::kF32);
    }
  }
}

// Tensors between two nodes hold only real values of stored values.
TEST_F(PackedPlanTest, QuantizedTensorsTakeAByte) {
  const TensorId first = Quantized8(Conv(b_.Input({1, 8, 8, kChannels}), kTfLiteInt8));
  b_.Output(Conv(first, kTfLiteInt8));
  EXPECT_EQ(Elements(PlanFor(true), Role::kTemp), (Texts{"1x8x8x64 slices u8"}));
  EXPECT_EQ(Elements(PlanFor(false), Role::kTemp), (Texts{"1x8x8x64 slices q32"}));
  for (const PlanTensor& tensor : PlanFor(true).tensors) {
    if (tensor.role == Role::kTemp) {
      EXPECT_EQ(tensor.scale, 0.25f);
      EXPECT_EQ(tensor.zero, 123);
    }
  }
}

// The inverse of the scale is no normal float: what is written could not become bytes again.
TEST_F(PackedPlanTest, TensorsWithTheLeastScalesTakeAFloat) {
  const TensorId first =
      b_.Quantize(Conv(b_.Input({1, 8, 8, kChannels}), kTfLiteInt8), {kTfLiteInt8, 1e-40f, 0});
  b_.Output(Conv(first, kTfLiteInt8));
  EXPECT_EQ(Elements(PlanFor(true), Role::kTemp), (Texts{"1x8x8x64 slices f32"}));
}

// A launch of its own rounds and packs what goes out; what it reads is not rounded yet.
TEST_F(PackedPlanTest, WhatIsNotRoundedYetTakesAFloat) {
  b_.Output(Quantized8(Conv(b_.Input({1, 8, 8, kChannels}), kTfLiteInt8)));
  EXPECT_EQ(Elements(PlanFor(true), Role::kTemp), (Texts{"1x8x8x64 slices f32"}));
  EXPECT_EQ(Elements(PlanFor(true), Role::kOutput), (Texts{"1x1x1x1024 rows i32"}));
}

}  // namespace
}  // namespace tern::gpu
