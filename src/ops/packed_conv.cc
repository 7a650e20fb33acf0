// SPDX-License-Identifier: Apache-2.0
// Packs weights when they are new (at every call when they are computed at run time) and runs
// XNNPACK.
#include "ops/packed_conv.h"

#include "ops/nan_guard.h"

namespace tern {

namespace {

XnnConvParams MakeParams(const PackedConv::Sizes& sizes, FloatRange range) {
  XnnConvParams params;
  params.kernel_height = static_cast<uint32_t>(sizes.height.filter);
  params.kernel_width = static_cast<uint32_t>(sizes.width.filter);
  params.stride_height = static_cast<uint32_t>(sizes.height.stride);
  params.stride_width = static_cast<uint32_t>(sizes.width.stride);
  params.dilation_height = static_cast<uint32_t>(sizes.height.dilation);
  params.dilation_width = static_cast<uint32_t>(sizes.width.dilation);
  params.groups = static_cast<uint32_t>(sizes.groups);
  params.group_input_channels = static_cast<size_t>(sizes.group_input_channels);
  params.group_output_channels = static_cast<size_t>(sizes.group_output_channels);
  params.pad_top = static_cast<uint32_t>(sizes.height.pad_before);
  params.pad_bottom = static_cast<uint32_t>(sizes.height.pad_after);
  params.pad_left = static_cast<uint32_t>(sizes.width.pad_before);
  params.pad_right = static_cast<uint32_t>(sizes.width.pad_after);
  params.depthwise = sizes.depthwise;
  params.min = range.min;
  params.max = range.max;
  return params;
}

}  // namespace

bool PackedConv::Pack(const Sizes& sizes, FloatRange range, const Weights& weights) {
  const XnnConvParams params = MakeParams(sizes, range);
  if (op_ && weights.constant && weights.filter == filter_ && weights.bias == bias_ &&
      params == params_) {
    return true;
  }
  op_ = CreateXnnConv(params, weights.filter, weights.bias);
  filter_ = weights.filter;
  bias_ = weights.bias;
  params_ = params;
  return static_cast<bool>(op_);
}

bool PackedConv::Run(const Sizes& sizes, FloatRange range, const TfLiteTensor* input,
                     const TfLiteTensor* filter, const TfLiteTensor* bias, TfLiteTensor* output,
                     ThreadPool* pool) {
  const Weights weights = {Data<float>(filter), bias == nullptr ? nullptr : Data<float>(bias),
                           IsConstant(filter) && (bias == nullptr || IsConstant(bias))};
  return Run(sizes, range, input_.Get(input), weights, MutableData<float>(output), pool) &&
         !MayHideNan(output, range, pool);
}

bool PackedConv::Run(const Sizes& sizes, FloatRange range, const float* input,
                     const Weights& weights, float* output, ThreadPool* pool) {
  return FitsFastPath(sizes.height, sizes.width) && Pack(sizes, range, weights) &&
         RunXnnConv(op_, sizes.batch, sizes.height.in, sizes.width.in, input, output, pool);
}

}  // namespace tern
