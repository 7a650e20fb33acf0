// SPDX-License-Identifier: Apache-2.0
// How windows of convolutions and poolings slide, for the CPU and the GPU form: an op says of each
// axis its size, its filter and its steps. A CPU form computes the output's size from them; a GPU
// form is given it with the output's tensor. The padding follows by one rule.
#ifndef TERN_OPS_RULES_KIT_WINDOW_RULES_H_
#define TERN_OPS_RULES_KIT_WINDOW_RULES_H_

#include <algorithm>
#include <cstdint>

#include "base/status.h"
#include "base/tensor/window_axis.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern {

struct Window {
  WindowAxis height, width;
};

// The padding of an axis whose output has its size. SAME pads what the windows reach beyond the
// input, the odd element after it.
inline void SetPadding(TfLitePadding padding, WindowAxis& axis) {
  const int64_t reach = (axis.out - 1) * axis.stride + axis.Extent();
  const int64_t total = padding == kTfLitePaddingSame ? std::max<int64_t>(0, reach - axis.in) : 0;
  axis.pad_before = total / 2;
  axis.pad_after = total - axis.pad_before;
}

// Output size and padding of an axis, which `name` names in errors. VALID padding with a filter
// larger than the input gives the size 0 when it is larger by less than two strides, else a
// negative one, which the caller judges.
inline Status SetOutput(const char* name, TfLitePadding padding, WindowAxis& axis) {
  const auto check = [name](const char* what, int64_t value) {
    return value > 0 ? OkStatus() : Invalid(what, name, " must be positive (", value, ")");
  };
  TERN_RETURN_IF_ERROR(check("filter ", axis.filter));
  TERN_RETURN_IF_ERROR(check("stride of ", axis.stride));
  TERN_RETURN_IF_ERROR(check("dilation of ", axis.dilation));
  if (padding == kTfLitePaddingSame) {
    axis.out = CeilDiv(axis.in, axis.stride);
  } else if (padding == kTfLitePaddingValid) {
    axis.out = (axis.in + axis.stride - axis.Extent()) / axis.stride;
  } else {
    return Invalid("unknown padding (", static_cast<int>(padding), ")");
  }
  SetPadding(padding, axis);
  return OkStatus();
}

inline Status SetOutput(TfLitePadding padding, Window& window) {
  TERN_RETURN_IF_ERROR(SetOutput("height", padding, window.height));
  return SetOutput("width", padding, window.width);
}

// The limits of a convolution's stride or dilation, which `what` names in errors.
inline Status CheckSteps(const char* what, int64_t height, int64_t width) {
  for (const int64_t step : {height, width}) {
    if (step < 1 || step > INT16_MAX) {
      return Invalid(what, " must lie in 1..", INT16_MAX, " (", height, ", ", width, ")");
    }
  }
  return OkStatus();
}

}  // namespace tern

#endif  // TERN_OPS_RULES_KIT_WINDOW_RULES_H_
