// SPDX-License-Identifier: Apache-2.0
// The custom ops MaxPoolingWithArgmax2D and MaxUnpooling2D: their options, as the 32-bit integers
// padding, stride of width and height, window width and height, activation; and the size of what
// MaxUnpooling2D makes.
#ifndef TERN_OPS_POOLING_ARGMAX_RULES_H_
#define TERN_OPS_POOLING_ARGMAX_RULES_H_

#include <cstdint>
#include <cstring>
#include <optional>

#include "base/tensor/shape_math.h"
#include "ops/pooling/pool_rules.h"
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

// The window of the pooling that MaxUnpooling2D undoes: `in` is the size of the result, `out` that
// of the op's input, of rank 4, whose windows lie side by side.
inline Window UnpooledWindowOf(const TfLitePoolParams& params, const Shape& pooled) {
  Window window = PoolWindowOf(params, pooled);
  for (WindowAxis* axis : {&window.height, &window.width}) {
    axis->out = axis->in;
    axis->in = params.padding == kTfLitePaddingSame ? axis->out * axis->stride
                                                    : (axis->out - 1) * axis->stride + axis->filter;
    SetPadding(params.padding, *axis);
  }
  return window;
}

}  // namespace tern

#endif  // TERN_OPS_POOLING_ARGMAX_RULES_H_
