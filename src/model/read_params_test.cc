// SPDX-License-Identifier: Apache-2.0
// Operator options against the parameter structs made of them.

#include "model/read_params.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "model/testing/model_builder.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern {
namespace {

using testing::ModelBuilder;
using namespace tflite;  // NOLINT: the schema's names

struct Free {
  void operator()(void* block) const { std::free(block); }
};
template <typename T>
using Params = std::unique_ptr<T, Free>;

// The parameters of an op with these options; null and a test failure on error.
template <typename ParamsT, typename OptionsT>
Params<ParamsT> Read(BuiltinOperator code, OptionsT options) {
  ModelBuilder b;
  b.Op(code, {}, {}, std::move(options));
  const std::vector<uint8_t> bytes = b.Finish();
  StatusOr<void*> params =
      ReadParams(*GetModel(bytes.data())->subgraphs()->Get(0)->operators()->Get(0), code);
  EXPECT_TRUE(params.ok()) << params.status();
  return Params<ParamsT>(params.ok() ? static_cast<ParamsT*>(*params) : nullptr);
}

template <typename OptionsT>
std::string ReadError(BuiltinOperator code, OptionsT options) {
  ModelBuilder b;
  b.Op(code, {}, {}, std::move(options));
  const std::vector<uint8_t> bytes = b.Finish();
  StatusOr<void*> params =
      ReadParams(*GetModel(bytes.data())->subgraphs()->Get(0)->operators()->Get(0), code);
  if (params.ok()) std::free(*params);
  return std::string(Message(params.status()));
}

TEST(ReadParamsTest, Convolution) {
  Conv2DOptionsT o;
  o.padding = Padding_VALID;
  o.stride_w = 2;
  o.stride_h = 3;
  o.fused_activation_function = ActivationFunctionType_RELU6;
  o.dilation_w_factor = 4;
  o.dilation_h_factor = 5;
  o.quantized_bias_type = TensorType_INT64;
  const auto p = Read<TfLiteConvParams>(BuiltinOperator_CONV_2D, o);
  EXPECT_EQ(p->padding, kTfLitePaddingValid);
  EXPECT_EQ(p->stride_width, 2);
  EXPECT_EQ(p->stride_height, 3);
  EXPECT_EQ(p->activation, kTfLiteActRelu6);
  EXPECT_EQ(p->dilation_width_factor, 4);
  EXPECT_EQ(p->dilation_height_factor, 5);
  EXPECT_EQ(p->quantized_bias_type, kTfLiteInt64);
  o.fused_activation_function = static_cast<ActivationFunctionType>(9);
  EXPECT_EQ(ReadError(BuiltinOperator_CONV_2D, o), "unknown activation (9)");
  o.fused_activation_function = ActivationFunctionType_NONE;
  o.quantized_bias_type = static_cast<TensorType>(99);
  EXPECT_EQ(ReadError(BuiltinOperator_CONV_2D, o), "unknown element type (99)");
}

TEST(ReadParamsTest, Conv3DServesBothDirections) {
  Conv3DOptionsT o;
  o.stride_d = 7;
  o.dilation_d_factor = 2;
  for (const auto code : {BuiltinOperator_CONV_3D, BuiltinOperator_CONV_3D_TRANSPOSE}) {
    const auto p = Read<TfLiteConv3DParams>(code, o);
    EXPECT_EQ(p->stride_depth, 7);
    EXPECT_EQ(p->dilation_depth_factor, 2);
    EXPECT_EQ(p->padding, kTfLitePaddingSame);
  }
}

TEST(ReadParamsTest, DefaultsOfTheSchemaArrive) {
  EXPECT_TRUE(Read<TfLiteAddParams>(BuiltinOperator_ADD, AddOptionsT())->pot_scale_int16);
  EXPECT_TRUE(Read<TfLiteBidirectionalSequenceLSTMParams>(
                  BuiltinOperator_BIDIRECTIONAL_SEQUENCE_LSTM, BidirectionalSequenceLSTMOptionsT())
                  ->time_major);
  EXPECT_EQ(Read<TfLiteUniqueParams>(BuiltinOperator_UNIQUE, UniqueOptionsT())->index_out_type,
            kTfLiteInt32);
  EXPECT_EQ(
      Read<TfLiteConvParams>(BuiltinOperator_CONV_2D, Conv2DOptionsT())->dilation_width_factor, 1);
}

TEST(ReadParamsTest, MissingTableGivesZeros) {
  ModelBuilder b;
  b.Op(BuiltinOperator_ADD, {}, {});
  const std::vector<uint8_t> bytes = b.Finish();
  const Operator& op = *GetModel(bytes.data())->subgraphs()->Get(0)->operators()->Get(0);
  for (int code = 0; code <= BuiltinOperator_MAX; ++code) {
    StatusOr<void*> params = ReadParams(op, static_cast<BuiltinOperator>(code));
    ASSERT_TRUE(params.ok()) << code << params.status();
    std::free(*params);
  }
  Params<TfLiteAddParams> add(static_cast<TfLiteAddParams*>(*ReadParams(op, BuiltinOperator_ADD)));
  EXPECT_FALSE(add->pot_scale_int16);
  EXPECT_EQ(*ReadParams(op, BuiltinOperator_RELU), nullptr);
  EXPECT_FALSE(ReadParams(op, static_cast<BuiltinOperator>(-1)).ok());
  EXPECT_FALSE(ReadParams(op, static_cast<BuiltinOperator>(210)).ok());
}

TEST(ReadParamsTest, Lists) {
  ReshapeOptionsT reshape;
  reshape.new_shape = {2, -1, 3};
  const auto p = Read<TfLiteReshapeParams>(BuiltinOperator_RESHAPE, reshape);
  ASSERT_EQ(p->num_dimensions, 3);
  EXPECT_EQ(p->shape[1], -1);
  reshape.new_shape.assign(9, 1);
  EXPECT_EQ(ReadError(BuiltinOperator_RESHAPE, reshape), "new_shape is too long (9, 8)");
  SqueezeOptionsT squeeze;
  squeeze.squeeze_dims = {-1, 2};
  const auto s = Read<TfLiteSqueezeParams>(BuiltinOperator_SQUEEZE, squeeze);
  ASSERT_EQ(s->num_squeeze_dims, 2);
  EXPECT_EQ(s->squeeze_dims[0], -1);
}

TEST(ReadParamsTest, EnumsAndTypes) {
  MirrorPadOptionsT mirror;
  mirror.mode = MirrorPadMode_SYMMETRIC;
  EXPECT_EQ(Read<TfLiteMirrorPaddingParams>(BuiltinOperator_MIRROR_PAD, mirror)->mode,
            kTfLiteMirrorPaddingSymmetric);
  CastOptionsT cast;
  cast.in_data_type = TensorType_BFLOAT16;
  cast.out_data_type = TensorType_INT4;
  const auto c = Read<TfLiteCastParams>(BuiltinOperator_CAST, cast);
  EXPECT_EQ(c->in_data_type, kTfLiteBFloat16);
  EXPECT_EQ(c->out_data_type, kTfLiteInt4);
  LSTMOptionsT lstm;
  lstm.kernel_type = LSTMKernelType_BASIC;
  lstm.fused_activation_function = ActivationFunctionType_TANH;
  lstm.proj_clip = 2.5f;
  const auto l = Read<TfLiteLSTMParams>(BuiltinOperator_LSTM, lstm);
  EXPECT_EQ(l->kernel_type, kTfLiteLSTMBasicKernel);
  EXPECT_EQ(l->activation, kTfLiteActTanh);
  EXPECT_EQ(l->proj_clip, 2.5f);
  ReduceWindowOptionsT window;
  window.reduce_function = ReduceWindowFunction_MAXIMUM;
  EXPECT_EQ(Read<TfLiteReduceWindowParams>(BuiltinOperator_REDUCE_WINDOW, window)->reduce_function,
            TfLiteReduceWindowFunctionMax);
  FullyConnectedOptionsT dense;
  dense.weights_format = static_cast<FullyConnectedOptionsWeightsFormat>(3);
  EXPECT_EQ(ReadError(BuiltinOperator_FULLY_CONNECTED, dense), "unknown weights format (3)");
}

TEST(ReadParamsTest, TextsAndListsLieInTheBlock) {
  BucketizeOptionsT buckets;
  buckets.boundaries = {1, 2.5f, 4};
  const auto b = Read<TfLiteBucketizeParams>(BuiltinOperator_BUCKETIZE, buckets);
  ASSERT_EQ(b->num_boundaries, 3);
  EXPECT_EQ(b->boundaries[1], 2.5f);
  VarHandleOptionsT handle;
  handle.container = "c";
  handle.shared_name = "state";
  const auto v = Read<TfLiteVarHandleParams>(BuiltinOperator_VAR_HANDLE, handle);
  EXPECT_STREQ(v->container, "c");
  EXPECT_STREQ(v->shared_name, "state");
  StableHLOCompositeOptionsT composite;
  composite.name = "odml.gelu";
  composite.decomposition_subgraph_index = 4;
  composite.composite_attributes = {9, 8, 7};
  composite.version = 2;
  const auto c =
      Read<TfLiteStablehloCompositeParams>(BuiltinOperator_STABLEHLO_COMPOSITE, composite);
  EXPECT_STREQ(c->name, "odml.gelu");
  EXPECT_EQ(c->subgraph_index, 4);
  EXPECT_EQ(c->version, 2);
  ASSERT_EQ(c->attributes_size, 3u);
  EXPECT_EQ(c->attributes[2], 7);
}

TEST(ReadParamsTest, Stablehlo) {
  StablehloGatherOptionsT gather;
  gather.offset_dims = {1, 2};
  gather.slice_sizes = {1, 5, 6};
  gather.index_vector_dim = 1;
  const auto g = Read<TfLiteStablehloGatherParams>(BuiltinOperator_STABLEHLO_GATHER, gather);
  EXPECT_EQ(g->num_offset_dims, 2);
  EXPECT_EQ(g->num_slice_sizes, 3);
  EXPECT_EQ(g->slice_sizes[2], 6);
  gather.offset_dims.assign(9, 0);
  EXPECT_EQ(ReadError(BuiltinOperator_STABLEHLO_GATHER, gather), "offset_dims is too long (9, 8)");
  StablehloReduceWindowOptionsT window;
  EXPECT_EQ(ReadError(BuiltinOperator_STABLEHLO_REDUCE_WINDOW, window),
            "window_dimensions is missing");
  window.window_dimensions = {2, 2};
  const auto w =
      Read<TfLiteStablehloReduceWindowParams>(BuiltinOperator_STABLEHLO_REDUCE_WINDOW, window);
  EXPECT_EQ(w->window_strides[1], 1);
  EXPECT_EQ(w->padding[3], 0);
  window.window_strides = {1};
  EXPECT_EQ(ReadError(BuiltinOperator_STABLEHLO_REDUCE_WINDOW, window),
            "window_strides has the wrong length (1, 2)");
  StablehloCaseOptionsT branches;
  branches.branch_subgraph_indices.assign(20, 3);
  EXPECT_EQ(Read<TfLiteStablehloCaseParams>(BuiltinOperator_STABLEHLO_CASE, branches)->num_branches,
            20u);
  branches.branch_subgraph_indices.assign(21, 3);
  EXPECT_NE(ReadError(BuiltinOperator_STABLEHLO_CASE, branches), "");
  StablehloPadOptionsT pad;
  pad.edge_padding_low = {1};
  EXPECT_NE(ReadError(BuiltinOperator_STABLEHLO_PAD, pad), "");
}

}  // namespace
}  // namespace tern
