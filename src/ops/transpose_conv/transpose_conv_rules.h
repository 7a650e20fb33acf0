// SPDX-License-Identifier: Apache-2.0
// The window of a transposed convolution, for the CPU and the GPU form, and the options of the
// custom op Convolution2DTransposeBias: padding, stride of width and height, as 32-bit integers.
#ifndef TERN_OPS_TRANSPOSE_CONV_TRANSPOSE_CONV_RULES_H_
#define TERN_OPS_TRANSPOSE_CONV_TRANSPOSE_CONV_RULES_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "base/shape_math.h"
#include "ops/rules_kit/window_rules.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern {

// That of the forward convolution, which maps the output's size to the input's: `in` is the
// output's size, and the input's is still open. Shapes of rank 4, filter [out, height, width, in].
inline Window TransposedWindowOf(const TfLiteTransposeConvParams& params, const Shape& output,
                                 const Shape& filter) {
  return {.height = {.in = output[1], .filter = filter[1], .stride = params.stride_height},
          .width = {.in = output[2], .filter = filter[2], .stride = params.stride_width}};
}

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

#endif  // TERN_OPS_TRANSPOSE_CONV_TRANSPOSE_CONV_RULES_H_
