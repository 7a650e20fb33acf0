// SPDX-License-Identifier: Apache-2.0
// The options of the custom op Convolution2DTransposeBias: padding, stride of width and height, as
// 32-bit integers.
#ifndef TERN_OPS_TRANSPOSE_CONV_TRANSPOSE_OPTIONS_H_
#define TERN_OPS_TRANSPOSE_CONV_TRANSPOSE_OPTIONS_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern {

// Nothing when the bytes are too few or the padding is unknown; strides are for the caller to
// judge.
inline std::optional<TfLiteTransposeConvParams> ReadTransposeOptions(const void* bytes,
                                                                     int64_t size) {
  int32_t values[3];
  if (bytes == nullptr || size < static_cast<int64_t>(sizeof(values))) return std::nullopt;
  std::memcpy(values, bytes, sizeof(values));
  if (values[0] != kTfLitePaddingSame && values[0] != kTfLitePaddingValid) return std::nullopt;
  TfLiteTransposeConvParams params{};
  params.padding = static_cast<TfLitePadding>(values[0]);
  params.stride_width = values[1];
  params.stride_height = values[2];
  params.activation = kTfLiteActNone;
  return params;
}

// How many output positions that op makes of `in` positions.
inline int64_t TransposedExtent(int64_t in, int64_t filter, int64_t stride, TfLitePadding padding) {
  return in * stride + (padding == kTfLitePaddingSame ? 0 : std::max<int64_t>(0, filter - stride));
}

}  // namespace tern

#endif  // TERN_OPS_TRANSPOSE_CONV_TRANSPOSE_OPTIONS_H_
