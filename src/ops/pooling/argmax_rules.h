// SPDX-License-Identifier: Apache-2.0
// The custom ops MaxPoolingWithArgmax2D and MaxUnpooling2D: their options, as the 32-bit integers
// padding, stride of width and height, window width and height, activation; and the size of what
// MaxUnpooling2D makes.
#ifndef TERN_OPS_POOLING_ARGMAX_RULES_H_
#define TERN_OPS_POOLING_ARGMAX_RULES_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern {

// Nothing when the bytes are too few or a value is out of range.
inline std::optional<TfLitePoolParams> ReadPoolOptions(const void* bytes, int64_t size) {
  int32_t values[6];
  if (bytes == nullptr || size < static_cast<int64_t>(sizeof(values))) return std::nullopt;
  std::memcpy(values, bytes, sizeof(values));
  if (values[0] != kTfLitePaddingSame && values[0] != kTfLitePaddingValid) return std::nullopt;
  for (int i = 1; i < 5; ++i) {
    if (values[i] < 1 || values[i] > INT16_MAX) return std::nullopt;
  }
  if (values[5] < kTfLiteActNone || values[5] > kTfLiteActRelu6) return std::nullopt;
  TfLitePoolParams params{};
  params.padding = static_cast<TfLitePadding>(values[0]);
  params.stride_width = values[1];
  params.stride_height = values[2];
  params.filter_width = values[3];
  params.filter_height = values[4];
  params.activation = static_cast<TfLiteFusedActivation>(values[5]);
  return params;
}

struct UnpoolAxis {
  int64_t out, pad_before;
};

// One axis of `in` windows laid side by side.
inline UnpoolAxis MakeUnpoolAxis(TfLitePadding padding, int64_t in, int64_t filter,
                                 int64_t stride) {
  const int64_t full = (in - 1) * stride + filter;
  const int64_t out = padding == kTfLitePaddingSame ? in * stride : full;
  return {out, std::max<int64_t>(0, full - out) / 2};
}

}  // namespace tern

#endif  // TERN_OPS_POOLING_ARGMAX_RULES_H_
