// SPDX-License-Identifier: Apache-2.0
// Plans of every op, alone and with everything fused after it, on invented devices: a graph that
// fits the device node by node must fit it with fusion.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>

#include "gpu/backends/null/null_device.h"
#include "gpu/compile.h"
#include "gpu/plan/validate_plan.h"
#include "gpu/testing/graph_builder.h"
#include "ops/gpu_registry.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::gpu {
namespace {

using Dims = std::vector<int>;

enum class Origin { kConstant, kRuntime, kAbsent };

TensorId Operand(GraphBuilder& b, const Dims& dims, Origin source) {
  if (source == Origin::kAbsent) return -1;
  if (source == Origin::kRuntime) return b.Input(dims);
  size_t count = 1;
  for (const int d : dims) count *= static_cast<size_t>(d);
  return b.Constant(dims, std::vector<float>(count, 0.5f));
}

TensorId Conv(GraphBuilder& b, TensorId x, int size, Origin filter, Origin bias) {
  TfLiteConvParams p{};
  p.padding = kTfLitePaddingSame;
  p.stride_width = p.stride_height = p.dilation_width_factor = p.dilation_height_factor = 1;
  return b.Op(kTfLiteBuiltinConv2d, "CONV_2D",
              {x, Operand(b, {6, size, size, 6}, filter), Operand(b, {6}, bias)}, {1, 5, 4, 6}, p);
}

TensorId Depthwise(GraphBuilder& b, TensorId x, Origin filter, Origin bias) {
  TfLiteDepthwiseConvParams p{};
  p.padding = kTfLitePaddingSame;
  p.stride_width = p.stride_height = p.dilation_width_factor = p.dilation_height_factor = 1;
  p.depth_multiplier = 1;
  return b.Op(kTfLiteBuiltinDepthwiseConv2d, "DEPTHWISE_CONV_2D",
              {x, Operand(b, {1, 3, 3, 6}, filter), Operand(b, {6}, bias)}, {1, 5, 4, 6}, p);
}

TensorId Transposed(GraphBuilder& b, TensorId x, Origin filter, Origin bias) {
  TfLiteTransposeConvParams p{};
  p.padding = kTfLitePaddingSame;
  p.stride_width = p.stride_height = 1;
  return b.Op(
      kTfLiteBuiltinTransposeConv, "TRANSPOSE_CONV",
      {b.Ints({4}, {1, 5, 4, 6}), Operand(b, {6, 3, 3, 6}, filter), x, Operand(b, {6}, bias)},
      {1, 5, 4, 6}, p);
}

TensorId Pool(GraphBuilder& b, TensorId x, int builtin) {
  TfLitePoolParams p{};
  p.padding = kTfLitePaddingSame;
  p.stride_width = p.stride_height = p.filter_width = p.filter_height = 1;
  return b.Op(builtin, "POOL", {x}, {1, 5, 4, 6}, p);
}

TensorId Binary(GraphBuilder& b, TensorId x, TensorId y) {
  return b.Op(kTfLiteBuiltinAdd, "ADD", {x, y}, {1, 5, 4, 6}, TfLiteAddParams{});
}

struct Producer {
  const char* name;
  std::function<TensorId(GraphBuilder&, TensorId)> make;
};

// Each makes 1x5x4x6 from 1x5x4x6.
std::vector<Producer> Producers() {
  std::vector<Producer> all;
  for (const Origin filter : {Origin::kConstant, Origin::kRuntime}) {
    for (const Origin bias : {Origin::kConstant, Origin::kRuntime, Origin::kAbsent}) {
      for (const int size : {1, 3}) {
        all.push_back({"convolution", [=](GraphBuilder& b, TensorId x) {
                         return Conv(b, x, size, filter, bias);
                       }});
      }
      all.push_back({"depthwise convolution",
                     [=](GraphBuilder& b, TensorId x) { return Depthwise(b, x, filter, bias); }});
      all.push_back({"transposed convolution",
                     [=](GraphBuilder& b, TensorId x) { return Transposed(b, x, filter, bias); }});
    }
  }
  for (const int pool : {kTfLiteBuiltinAveragePool2d, kTfLiteBuiltinMaxPool2d}) {
    all.push_back({"pool", [=](GraphBuilder& b, TensorId x) { return Pool(b, x, pool); }});
  }
  all.push_back({"resize", [](GraphBuilder& b, TensorId x) {
                   return b.Op(kTfLiteBuiltinResizeBilinear, "RESIZE_BILINEAR",
                               {x, b.Ints({2}, {5, 4})}, {1, 5, 4, 6},
                               TfLiteResizeBilinearParams{});
                 }});
  all.push_back(
      {"softmax", [](GraphBuilder& b, TensorId x) {
         return b.Op(kTfLiteBuiltinSoftmax, "SOFTMAX", {x}, {1, 5, 4, 6}, TfLiteSoftmaxParams{1});
       }});
  all.push_back({"pad", [](GraphBuilder& b, TensorId x) {
                   return b.Op(kTfLiteBuiltinPad, "PAD",
                               {x, b.Ints({4, 2}, {0, 0, 0, 0, 0, 0, 0, 0})}, {1, 5, 4, 6}, 0);
                 }});
  all.push_back({"concatenation", [](GraphBuilder& b, TensorId) {
                   TfLiteConcatenationParams p{};
                   p.axis = 1;
                   return b.Op(kTfLiteBuiltinConcatenation, "CONCATENATION",
                               {b.Input({1, 2, 4, 6}), b.Input({1, 3, 4, 6})}, {1, 5, 4, 6}, p);
                 }});
  all.push_back(
      {"reshape", [](GraphBuilder& b, TensorId x) {
         const TensorId flat =
             b.Op(kTfLiteBuiltinReshape, "RESHAPE", {x}, {20, 6}, TfLiteReshapeParams{});
         return b.Op(kTfLiteBuiltinReshape, "RESHAPE", {flat}, {1, 5, 4, 6}, TfLiteReshapeParams{});
       }});
  all.push_back({"sum with a constant", [](GraphBuilder& b, TensorId x) {
                   return Binary(b, x, Operand(b, {1, 5, 4, 6}, Origin::kConstant));
                 }});
  all.push_back({"sum", [](GraphBuilder& b, TensorId x) {
                   return Binary(b, x, b.Input({1, 5, 4, 6}));
                 }});
  return all;
}

// The device takes all nodes one by one.
bool AllNodesFit(const Graph& graph, const DeviceInfo& device, CompileOptions options) {
  options.fuse = false;
  return Compile(graph, device, GpuLoweringTable(), options).ok();
}

void CheckFits(const std::string& device_name, const Producer& producer, int operands) {
  const DeviceInfo device = *NullDeviceInfo(device_name);
  for (const int width : {4, 16}) {
    for (const Precision precision : {Precision::kF32, Precision::kF16}) {
      SCOPED_TRACE(std::string(producer.name) + " on " + device_name + " with " +
                   std::to_string(operands) + " operands after it");
      GraphBuilder b;
      // Neither the first nor the last tensor lies in rows.
      TensorId v = producer.make(b, Pool(b, b.Input({1, 5, 4, 6}), kTfLiteBuiltinMaxPool2d));
      for (int i = 0; i < operands; ++i) {
        v = Binary(b, i % 2 == 0 ? v : b.Input({1, 5, 4, 6}), i % 2 == 0 ? b.Input({6}) : v);
      }
      b.Output(Pool(b, v, kTfLiteBuiltinMaxPool2d));
      const CompileOptions options{.precision = precision, .slice_width = width};
      if (!AllNodesFit(b.graph(), device, options)) continue;
      const absl::StatusOr<Compiled> made = Compile(b.graph(), device, GpuLoweringTable(), options);
      ASSERT_TRUE(made.ok()) << made.status();
      EXPECT_TRUE(ValidatePlan(made->plan, device).ok());
      EXPECT_FALSE(made->plan.dispatches.empty());
    }
  }
}

TEST(OpsFit, WhatFitsAloneFitsFused) {
  for (const std::string& device : NullDeviceNames()) {
    for (const Producer& producer : Producers()) {
      for (const int operands : {0, 1, 2, 3, 5, 9}) CheckFits(device, producer, operands);
    }
  }
}

// The smallest device takes every op.
TEST(OpsFit, EveryOpFitsTheSmallestDevice) {
  const DeviceInfo device = *NullDeviceInfo("gles-min");
  for (const Producer& producer : Producers()) {
    GraphBuilder b;
    b.Output(producer.make(b, b.Input({1, 5, 4, 6})));
    EXPECT_EQ(Compile(b.graph(), device, GpuLoweringTable(), {}).status(), absl::OkStatus())
        << producer.name;
  }
}

// Whether a node runs follows from types and shapes: no number of a constant is read, let alone
// copied. Reading memory that forbids it would end the child process.
TEST(OpsFit, ChecksReadNoNumbers) {
  void* forbidden =
      mmap(nullptr, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, /*fd=*/-1, /*offset=*/0);
  ASSERT_NE(forbidden, MAP_FAILED);
  int constants = 0;
  for (const Producer& producer : Producers()) {
    GraphBuilder b;
    b.Output(producer.make(b, b.Input({1, 5, 4, 6})));
    for (GraphTensor& tensor : b.graph().tensors) {
      if (!tensor.is_constant() || tensor.type != kTfLiteFloat32) continue;
      tensor.data = Borrowed(forbidden);
      ++constants;
    }
    const auto check = [&] {
      _exit(AllNodesFit(b.graph(), *NullDeviceInfo("gles-min"), {}) ? 0 : 1);
    };
    EXPECT_EXIT(check(), testing::ExitedWithCode(0), "") << producer.name;
  }
  EXPECT_GT(constants, 0);
  EXPECT_EQ(munmap(forbidden, 1 << 20), 0);
}

}  // namespace
}  // namespace tern::gpu
