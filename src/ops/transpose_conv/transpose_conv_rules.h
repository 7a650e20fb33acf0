// SPDX-License-Identifier: Apache-2.0
// Operands, window and result of transposed convolutions, for the CPU and the GPU form, and the
// options of the custom op Convolution2DTransposeBias: padding, stride of width and height, as
// 32-bit integers.
#ifndef TERN_OPS_TRANSPOSE_CONV_TRANSPOSE_CONV_RULES_H_
#define TERN_OPS_TRANSPOSE_CONV_TRANSPOSE_CONV_RULES_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "base/tensor/shape_math.h"
#include "ops/rules_kit/window_rules.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern {

// Where the operands are: the wanted output shape, weights, input and bias. -1: there is none.
struct TransposePlaces {
  int shape, weights, input, bias;
};
inline constexpr TransposePlaces kTransposeConv = {0, 1, 2, 3}, kTransposeConvBias = {-1, 1, 0, 2};

// The window of the forward convolution, which maps the output's size to the input's: `in` is the
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

// Returns the output shape of that op for an input of rank 4.
inline Shape TransposedShape(const TfLiteTransposeConvParams& params, const Shape& input,
                             const Shape& filter) {
  const auto extent = [&](size_t axis, int64_t stride) {
    const int64_t more = params.padding == kTfLitePaddingSame ? 0 : filter[axis] - stride;
    return input[axis] * stride + std::max<int64_t>(0, more);
  };
  return {input[0], extent(1, params.stride_height), extent(2, params.stride_width), filter[0]};
}

}  // namespace tern

#endif  // TERN_OPS_TRANSPOSE_CONV_TRANSPOSE_CONV_RULES_H_
