// SPDX-License-Identifier: Apache-2.0
// Output sizes and padding of windowed operations. Sizes in elements; dilation 1 means none.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_PADDING_H_
#define TERN_TENSORFLOW_LITE_KERNELS_PADDING_H_

#include <algorithm>
#include <cstdint>

#include "tensorflow/lite/core/c/builtin_op_data.h"
#include "tensorflow/lite/kernels/internal/types.h"

namespace tflite {

// Padding before the input for a given output size, never negative. `offset` gets what is added at
// the end when the total is odd (0 or 1).
inline int ComputePaddingWithOffset(int stride, int dilation_rate, int in_size, int filter_size,
                                    int out_size, int* offset) {
  const int64_t effective = (static_cast<int64_t>(filter_size) - 1) * dilation_rate + 1;
  const int64_t needed = (static_cast<int64_t>(out_size) - 1) * stride + effective - in_size;
  const int64_t total = std::max<int64_t>(needed, 0);
  *offset = static_cast<int>(total % 2);
  return static_cast<int>(total / 2);
}

inline int ComputePadding(int stride, int dilation_rate, int in_size, int filter_size,
                          int out_size) {
  int offset = 0;
  return ComputePaddingWithOffset(stride, dilation_rate, in_size, filter_size, out_size, &offset);
}

// Output size of a window over `image_size`; 0 for an unknown padding or a stride below 1. VALID
// can give less than 1 when the window is larger than the image.
inline int ComputeOutSize(TfLitePadding padding, int image_size, int filter_size, int stride,
                          int dilation_rate = 1) {
  const int64_t effective = (static_cast<int64_t>(filter_size) - 1) * dilation_rate + 1;
  const int64_t image = image_size;
  if (stride < 1) {
    return 0;
  }
  switch (padding) {
    case kTfLitePaddingSame:
      return static_cast<int>((image + stride - 1) / stride);
    case kTfLitePaddingValid:
      return static_cast<int>((image + stride - effective) / stride);
    default:
      return 0;
  }
}

// Output size and padding for both dimensions of a picture.
inline TfLitePaddingValues ComputePaddingHeightWidth(int stride_height, int stride_width,
                                                     int dilation_rate_height,
                                                     int dilation_rate_width, int in_height,
                                                     int in_width, int filter_height,
                                                     int filter_width, TfLitePadding padding,
                                                     int* out_height, int* out_width) {
  *out_width = ComputeOutSize(padding, in_width, filter_width, stride_width, dilation_rate_width);
  *out_height =
      ComputeOutSize(padding, in_height, filter_height, stride_height, dilation_rate_height);
  TfLitePaddingValues values;
  values.height = ComputePaddingWithOffset(stride_height, dilation_rate_height, in_height,
                                           filter_height, *out_height, &values.height_offset);
  values.width = ComputePaddingWithOffset(stride_width, dilation_rate_width, in_width, filter_width,
                                          *out_width, &values.width_offset);
  return values;
}

// The same for volumes.
inline Padding3DValues ComputePadding3DValues(int stride_height, int stride_width, int stride_depth,
                                              int dilation_rate_height, int dilation_rate_width,
                                              int dilation_rate_depth, int in_height, int in_width,
                                              int in_depth, int filter_height, int filter_width,
                                              int filter_depth, TfLitePadding padding,
                                              int* out_height, int* out_width, int* out_depth) {
  const TfLitePaddingValues plane = ComputePaddingHeightWidth(
      stride_height, stride_width, dilation_rate_height, dilation_rate_width, in_height, in_width,
      filter_height, filter_width, padding, out_height, out_width);
  *out_depth = ComputeOutSize(padding, in_depth, filter_depth, stride_depth, dilation_rate_depth);
  int depth_offset = 0;
  const int depth = ComputePaddingWithOffset(stride_depth, dilation_rate_depth, in_depth,
                                             filter_depth, *out_depth, &depth_offset);
  Padding3DValues values;
  values.width = static_cast<int16_t>(plane.width);
  values.height = static_cast<int16_t>(plane.height);
  values.depth = static_cast<int16_t>(depth);
  values.width_offset = static_cast<int16_t>(plane.width_offset);
  values.height_offset = static_cast<int16_t>(plane.height_offset);
  values.depth_offset = static_cast<int16_t>(depth_offset);
  return values;
}

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_KERNELS_PADDING_H_
