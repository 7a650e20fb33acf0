// SPDX-License-Identifier: Apache-2.0
// One-op models of all ops on every engine present. Corner cases lie beside the ops.
#include <gtest/gtest.h>

#include "ops/testing/op_case.h"

namespace tern::testing {
namespace {

using namespace tflite;  // the builtin and option names of the schema

BuiltinOptionsUnion Conv(Padding padding, int stride, int dilation = 1,
                         ActivationFunctionType activation = ActivationFunctionType_NONE) {
  Conv2DOptionsT o;
  o.padding = padding;
  o.stride_h = o.stride_w = stride;
  o.dilation_h_factor = o.dilation_w_factor = dilation;
  o.fused_activation_function = activation;
  return Pack(o);
}

TEST(OpCases, Conv2d) {
  CheckCase({"1x1",
             BuiltinOperator_CONV_2D,
             Conv(Padding_SAME, 1),
             {Runtime({1, 5, 7, 8}), Constant({12, 1, 1, 8}), Constant({12})},
             {1, 5, 7, 12}});
  CheckCase({"channels not a multiple of 4",
             BuiltinOperator_CONV_2D,
             Conv(Padding_SAME, 1),
             {Runtime({1, 6, 5, 3}), Constant({7, 3, 3, 3}), Constant({7})},
             {1, 6, 5, 7}});
  CheckCase({"stride 2, relu6, batch 2",
             BuiltinOperator_CONV_2D,
             Conv(Padding_SAME, 2, 1, ActivationFunctionType_RELU6),
             {Runtime({2, 9, 8, 5}), Constant({6, 3, 3, 5}), Constant({6})},
             {2, 5, 4, 6}});
  CheckCase({"valid, dilation 2",
             BuiltinOperator_CONV_2D,
             Conv(Padding_VALID, 1, 2),
             {Runtime({1, 9, 8, 4}), Constant({4, 3, 3, 4}), Constant({4})},
             {1, 5, 4, 4}});
  CheckCase({"grouped",
             BuiltinOperator_CONV_2D,
             Conv(Padding_SAME, 1),
             {Runtime({1, 4, 4, 8}), Constant({12, 3, 3, 4}), Constant({12})},
             {1, 4, 4, 12},
             6});
  CheckCase({"without bias",
             BuiltinOperator_CONV_2D,
             Conv(Padding_SAME, 1),
             {Runtime({1, 4, 4, 3}), Constant({5, 2, 2, 3}), Absent()},
             {1, 4, 4, 5}});
  CheckCase({"computed weights",
             BuiltinOperator_CONV_2D,
             Conv(Padding_SAME, 1),
             {Runtime({1, 4, 4, 3}), Runtime({5, 3, 3, 3}), Constant({5})},
             {1, 4, 4, 5}});
}

TEST(OpCases, DepthwiseConv2d) {
  DepthwiseConv2DOptionsT o;
  o.padding = Padding_SAME;
  o.stride_h = o.stride_w = 1;
  o.depth_multiplier = 1;
  CheckCase({"3x3",
             BuiltinOperator_DEPTHWISE_CONV_2D,
             Pack(o),
             {Runtime({1, 6, 7, 9}), Constant({1, 3, 3, 9}), Constant({9})},
             {1, 6, 7, 9}});
  o.dilation_h_factor = o.dilation_w_factor = 2;
  CheckCase({"dilation",
             BuiltinOperator_DEPTHWISE_CONV_2D,
             Pack(o),
             {Runtime({1, 9, 7, 4}), Constant({1, 3, 3, 4}), Constant({4})},
             {1, 9, 7, 4},
             2});
  o.dilation_h_factor = o.dilation_w_factor = 1;
  o.stride_h = o.stride_w = 2;
  o.depth_multiplier = 3;
  o.padding = Padding_VALID;
  CheckCase({"multiplier 3, stride 2",
             BuiltinOperator_DEPTHWISE_CONV_2D,
             Pack(o),
             {Runtime({2, 9, 7, 3}), Constant({1, 5, 3, 9}), Constant({9})},
             {2, 3, 3, 9}});
}

TEST(OpCases, TransposeConv) {
  TransposeConvOptionsT o;
  o.padding = Padding_SAME;
  o.stride_h = o.stride_w = 2;
  CheckCase({"stride 2",
             BuiltinOperator_TRANSPOSE_CONV,
             Pack(o),
             {ConstantInts({1, 8, 6, 5}), Constant({5, 3, 3, 4}), Runtime({1, 4, 3, 4})},
             {1, 8, 6, 5}});
  CheckCase(
      {"odd size, bias",
       BuiltinOperator_TRANSPOSE_CONV,
       Pack(o),
       {ConstantInts({1, 7, 5, 3}), Constant({3, 4, 4, 6}), Runtime({1, 4, 3, 6}), Constant({3})},
       {1, 7, 5, 3},
       3});
  o.padding = Padding_VALID;
  CheckCase({"valid",
             BuiltinOperator_TRANSPOSE_CONV,
             Pack(o),
             {ConstantInts({2, 9, 7, 2}), Constant({2, 3, 3, 3}), Runtime({2, 4, 3, 3})},
             {2, 9, 7, 2}});
  o.padding = Padding_SAME;
  o.stride_w = 5;
  o.stride_h = 1;
  CheckCase({"output below the stride",
             BuiltinOperator_TRANSPOSE_CONV,
             Pack(o),
             {ConstantInts({1, 1, 3, 3}), Constant({3, 1, 5, 2}), Runtime({1, 1, 1, 2})},
             {1, 1, 3, 3}},
            Engines::kInTurn);
}

TEST(OpCases, Pooling) {
  Pool2DOptionsT o;
  o.stride_h = o.stride_w = 2;
  o.filter_height = 3;
  o.filter_width = 2;
  for (const auto op : {BuiltinOperator_AVERAGE_POOL_2D, BuiltinOperator_MAX_POOL_2D}) {
    o.padding = Padding_SAME;
    CheckCase({"same", op, Pack(o), {Runtime({1, 7, 8, 5})}, {1, 4, 4, 5}});
    o.padding = Padding_VALID;
    CheckCase({"valid, batch 2", op, Pack(o), {Runtime({2, 7, 8, 9})}, {2, 3, 4, 9}});
  }
  o.filter_height = o.filter_width = 6;
  CheckCase({"global",
             BuiltinOperator_AVERAGE_POOL_2D,
             Pack(o),
             {Runtime({1, 6, 6, 10})},
             {1, 1, 1, 10}});
}

TEST(OpCases, Elementwise) {
  CheckCase({"relu", BuiltinOperator_RELU, {}, {Runtime({1, 3, 5, 7})}, {1, 3, 5, 7}});
  CheckCase({"relu6", BuiltinOperator_RELU6, {}, {Runtime({2, 3, 5, 3})}, {2, 3, 5, 3}, 1, 9});
  CheckCase(
      {"logistic", BuiltinOperator_LOGISTIC, {}, {Runtime({1, 3, 5, 7})}, {1, 3, 5, 7}, 1, 20});
  LeakyReluOptionsT leaky;
  leaky.alpha = 0.2f;
  CheckCase({"leaky relu",
             BuiltinOperator_LEAKY_RELU,
             Pack(leaky),
             {Runtime({1, 4, 4, 6})},
             {1, 4, 4, 6}});
  AddOptionsT add;
  MulOptionsT mul;
  add.fused_activation_function = ActivationFunctionType_RELU;
  const std::vector<std::vector<int32_t>> shapes = {
      {1, 4, 3, 6}, {6}, {1, 1, 1, 6}, {1, 4, 3, 1}, {1}};
  for (const auto& shape : shapes) {
    CheckCase({"add",
               BuiltinOperator_ADD,
               Pack(add),
               {Runtime({1, 4, 3, 6}), Runtime(shape)},
               {1, 4, 3, 6}});
    CheckCase({"add constant",
               BuiltinOperator_ADD,
               Pack(add),
               {Runtime({1, 4, 3, 6}), Constant(shape)},
               {1, 4, 3, 6}},
              Engines::kInTurn);
    CheckCase({"multiply",
               BuiltinOperator_MUL,
               Pack(mul),
               {Runtime({1, 4, 3, 6}), Runtime(shape)},
               {1, 4, 3, 6}},
              Engines::kInTurn);
    CheckCase({"constant times",
               BuiltinOperator_MUL,
               Pack(mul),
               {Constant(shape), Runtime({1, 4, 3, 6})},
               {1, 4, 3, 6}},
              Engines::kInTurn);
  }
}

TEST(OpCases, Movement) {
  for (int axis = 0; axis < 4; ++axis) {
    ConcatenationOptionsT o;
    o.axis = axis;
    std::vector<int32_t> out = {1, 4, 3, 6};
    out[axis] *= 3;
    CheckCase({StrCat("concatenation axis ", axis),
               BuiltinOperator_CONCATENATION,
               Pack(o),
               {Runtime({1, 4, 3, 6}), Constant({1, 4, 3, 6}), Runtime({1, 4, 3, 6})},
               out});
  }
  ConcatenationOptionsT channels;
  channels.axis = -1;
  CheckCase({"odd channels",
             BuiltinOperator_CONCATENATION,
             Pack(channels),
             {Runtime({2, 2, 2, 3}), Runtime({2, 2, 2, 6})},
             {2, 2, 2, 9}});
  CheckCase({"pad",
             BuiltinOperator_PAD,
             Pack(PadOptionsT()),
             {Runtime({1, 4, 3, 6}), ConstantInts({0, 0, 1, 2, 0, 3, 2, 1}, {4, 2})},
             {1, 7, 6, 9}});
  CheckCase({"reshape",
             BuiltinOperator_RESHAPE,
             Pack(ReshapeOptionsT()),
             {Runtime({1, 4, 3, 6}), ConstantInts({1, 6, 12})},
             {1, 6, 12}});
  CheckCase({"reshape to rank 2",
             BuiltinOperator_RESHAPE,
             Pack(ReshapeOptionsT()),
             {Runtime({3, 1, 1, 10}), ConstantInts({3, -1})},
             {3, 10}});
}

TEST(OpCases, ResizeBilinear) {
  for (const int mode : {0, 1, 2}) {
    ResizeBilinearOptionsT o;
    o.align_corners = mode == 1;
    o.half_pixel_centers = mode == 2;
    CheckCase({StrCat("mode ", mode),
               BuiltinOperator_RESIZE_BILINEAR,
               Pack(o),
               {Runtime({1, 4, 5, 6}), ConstantInts({9, 7})},
               {1, 9, 7, 6},
               3});
  }
}

TEST(OpCases, Softmax) {
  SoftmaxOptionsT o;
  o.beta = 1;
  CheckCase({"rank 2", BuiltinOperator_SOFTMAX, Pack(o), {Runtime({2, 11})}, {2, 11}});
  CheckCase({"rank 4", BuiltinOperator_SOFTMAX, Pack(o), {Runtime({1, 3, 2, 21})}, {1, 3, 2, 21}});
  CheckCase({"one row of many", BuiltinOperator_SOFTMAX, Pack(o), {Runtime({1, 1001})}, {1, 1001}});
}

}  // namespace
}  // namespace tern::testing
