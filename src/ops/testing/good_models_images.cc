// SPDX-License-Identifier: Apache-2.0
// Convolutions, pooling, resizing, products of matrices, blocks of pixels.
#include "ops/testing/good_models.h"

namespace tern::testing {
namespace {

using namespace tflite;  // the builtin and option names of the schema

std::vector<uint8_t> Bytes(const std::vector<int32_t>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(int32_t));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

void AddConvolutions(GoodModels& m) {
  Conv2DOptionsT conv;
  conv.padding = Padding_SAME;
  conv.stride_h = conv.stride_w = 1;
  int x = m.Input({1, 4, 5, 4});
  m.Op(BuiltinOperator_CONV_2D, {x, m.Const({6, 3, 3, 4}), m.Const({6})}, conv);
  x = m.Input({1, 4, 5, 4});
  m.Call("grouped");
  m.Op(BuiltinOperator_CONV_2D, {x, m.Const({6, 3, 3, 2}), m.Const({6})}, conv);
  x = m.Input({1, 4, 5, 4});
  m.Call("1x1");
  m.Op(BuiltinOperator_CONV_2D, {x, m.Const({6, 1, 1, 4}), m.Const({6})}, conv);
  x = m.Input({1, 4, 5, 4});
  int filter = m.Input({6, 3, 3, 4}), bias = m.Input({6});
  m.Call("computed");
  m.Op(BuiltinOperator_CONV_2D, {x, filter, bias}, conv);
  DepthwiseConv2DOptionsT depthwise;
  depthwise.padding = Padding_SAME;
  depthwise.stride_h = depthwise.stride_w = 1;
  depthwise.depth_multiplier = 2;
  x = m.Input({1, 4, 5, 3});
  m.Op(BuiltinOperator_DEPTHWISE_CONV_2D, {x, m.Const({1, 3, 3, 6}), m.Const({6})}, depthwise);
  TransposeConvOptionsT transpose;
  transpose.padding = Padding_SAME;
  transpose.stride_h = transpose.stride_w = 2;
  x = m.Input({1, 3, 4, 4});
  m.SetOpVersion(3);
  m.Op(BuiltinOperator_TRANSPOSE_CONV,
       {m.Ints({1, 6, 8, 5}), m.Const({5, 3, 3, 4}), x, m.Const({5})}, transpose);
  Conv3DOptionsT volume;
  volume.padding = Padding_SAME;
  volume.stride_d = volume.stride_h = volume.stride_w = 1;
  x = m.Input({1, 3, 3, 3, 2});
  m.Op(BuiltinOperator_CONV_3D, {x, m.Const({2, 2, 2, 2, 3}), m.Const({3})}, volume);
  x = m.Input({1, 3, 3, 3, 2});
  m.Op(BuiltinOperator_CONV_3D_TRANSPOSE,
       {m.Ints({1, 3, 3, 3, 3}), m.Const({2, 2, 2, 3, 2}), x, m.Const({3})}, volume);
  x = m.Input({1, 3, 4, 4});
  m.Custom("Convolution2DTransposeBias", {x, m.Const({5, 3, 3, 4}), m.Const({5})},
           {TensorType_FLOAT32}, Bytes({1, 2, 2}));
}

void AddPools(GoodModels& m) {
  Pool2DOptionsT pool;
  pool.padding = Padding_SAME;
  pool.stride_h = pool.stride_w = pool.filter_height = pool.filter_width = 2;
  for (const auto code :
       {BuiltinOperator_AVERAGE_POOL_2D, BuiltinOperator_MAX_POOL_2D, BuiltinOperator_L2_POOL_2D}) {
    m.Op(code, {m.Input({1, 4, 5, 3})}, pool);
  }
  const std::vector<uint8_t> options = Bytes({1, 2, 2, 2, 2, 0, 0, 0, 0, 0});
  m.Custom("MaxPoolingWithArgmax2D", {m.Input({1, 4, 4, 3})},
           {TensorType_FLOAT32, TensorType_INT32}, options);
  const int x = m.Input({1, 2, 2, 3}), places = m.Input({1, 2, 2, 3}, TensorType_INT32);
  m.Custom("MaxUnpooling2D", {x, places}, {TensorType_FLOAT32}, options);
}

void AddProducts(GoodModels& m) {
  int x = m.Input({2, 3, 4});
  FullyConnectedOptionsT full;
  m.Op(BuiltinOperator_FULLY_CONNECTED, {x, m.Const({5, 4}), m.Const({5})}, full);
  full.keep_num_dims = true;
  x = m.Input({2, 3, 4});
  m.Call("any rank");
  m.Op(BuiltinOperator_FULLY_CONNECTED, {x, m.Const({5, 4}), m.Const({5})}, full);
  x = m.Input({2, 3, 4});
  const int filter = m.Input({5, 4}), bias = m.Input({5});
  m.Call("computed");
  m.Op(BuiltinOperator_FULLY_CONNECTED, {x, filter, bias}, full);
  x = m.Input({2, 3, 32});
  m.Call("by block");
  m.Op(BuiltinOperator_FULLY_CONNECTED, {x, m.Blocks(5, 32, 16), m.Const({5})}, full);
  const int a = m.Input({2, 3, 4}), b = m.Input({1, 4, 5});
  m.Op(BuiltinOperator_BATCH_MATMUL, {a, b}, BatchMatMulOptionsT());
}

void AddSizes(GoodModels& m) {
  int x = m.Input({1, 3, 4, 3});
  m.Op(BuiltinOperator_RESIZE_BILINEAR, {x, m.Ints({5, 7})}, ResizeBilinearOptionsT());
  x = m.Input({1, 3, 4, 3});
  m.Op(BuiltinOperator_RESIZE_NEAREST_NEIGHBOR, {x, m.Ints({5, 7})},
       ResizeNearestNeighborOptionsT());
  DepthToSpaceOptionsT unfold;
  unfold.block_size = 2;
  m.Op(BuiltinOperator_DEPTH_TO_SPACE, {m.Input({1, 2, 3, 8})}, unfold);
  SpaceToDepthOptionsT fold;
  fold.block_size = 2;
  m.Op(BuiltinOperator_SPACE_TO_DEPTH, {m.Input({1, 4, 6, 3})}, fold);
  x = m.Input({4, 2, 3, 3});
  m.Op(BuiltinOperator_BATCH_TO_SPACE_ND, {x, m.Ints({2, 2}), m.Ints({2, 2}, {0, 1, 1, 0})});
  x = m.Input({1, 4, 5, 3});
  m.Op(BuiltinOperator_SPACE_TO_BATCH_ND, {x, m.Ints({2, 2}), m.Ints({2, 2}, {0, 0, 1, 0})});
}

}  // namespace

void AddImageModels(GoodModels& m) {
  AddConvolutions(m);
  AddPools(m);
  AddProducts(m);
  AddSizes(m);
}

}  // namespace tern::testing
