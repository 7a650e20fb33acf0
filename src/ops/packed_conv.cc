// SPDX-License-Identifier: Apache-2.0
// Packs weights when they are new (at every call when they are computed at run time) and runs
// XNNPACK.
#include "ops/packed_conv.h"

#include <utility>

namespace tern {

bool PackedConv::Pack(const Sizes& sizes, FloatRange range, const TfLiteTensor* filter,
                      const TfLiteTensor* bias) {
  const void* filter_data = filter->data.raw_const;
  const void* bias_data = bias == nullptr ? nullptr : bias->data.raw_const;
  const bool constant = IsConstant(filter) && (bias == nullptr || IsConstant(bias));
  if (op_ && constant && filter_data == filter_data_ && bias_data == bias_data_ &&
      groups_ == sizes.groups && filter_shape_ == ShapeOf(filter)) {
    return true;
  }
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
  params.same_padding = sizes.same_padding;
  params.depthwise = sizes.depthwise;
  params.min = range.min;
  params.max = range.max;
  op_ = CreateXnnConv(params, Data<float>(filter), bias == nullptr ? nullptr : Data<float>(bias));
  filter_data_ = filter_data;
  bias_data_ = bias_data;
  filter_shape_ = ShapeOf(filter);
  groups_ = sizes.groups;
  return static_cast<bool>(op_);
}

bool PackedConv::Run(const Sizes& sizes, FloatRange range, const TfLiteTensor* input,
                     const TfLiteTensor* filter, const TfLiteTensor* bias, TfLiteTensor* output,
                     ThreadPool* pool) {
  if (!FitsFastPath(sizes.height, sizes.width) || !Pack(sizes, range, filter, bias)) return false;
  return RunXnnConv(op_, sizes.batch, sizes.height.in, sizes.width.in, input_.Get(input),
                    MutableData<float>(output), pool);
}

}  // namespace tern
