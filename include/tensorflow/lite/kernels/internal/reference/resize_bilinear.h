// SPDX-License-Identifier: Apache-2.0
// Bilinear resizing of NHWC tensors, for custom ops.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_REFERENCE_RESIZE_BILINEAR_H_
#define TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_REFERENCE_RESIZE_BILINEAR_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tensorflow/lite/kernels/internal/types.h"

namespace tflite {
namespace reference_ops {

// The position in the input of output position `value`, and the two pixels around it.
inline void ComputeInterpolationValues(float value, float scale, bool half_pixel_centers,
                                       int32_t input_size, float* scaled_value,
                                       int32_t* lower_bound, int32_t* upper_bound) {
  *scaled_value = half_pixel_centers ? (value + 0.5f) * scale - 0.5f : value * scale;
  *lower_bound = std::max(static_cast<int32_t>(std::floor(*scaled_value)), int32_t{0});
  *upper_bound = std::min(static_cast<int32_t>(std::ceil(*scaled_value)), input_size - 1);
}

// The same in fixed point of 10 fractional bits.
inline void ComputeInterpolationValuesInteger(int32_t value, int32_t scale_10,
                                              bool half_pixel_centers, int32_t input_size,
                                              int32_t* scaled_value, int32_t* lower_bound,
                                              int32_t* upper_bound) {
  *scaled_value = value * scale_10 + (half_pixel_centers ? scale_10 / 2 - (1 << 9) : 0);
  *lower_bound = std::max(*scaled_value / (1 << 10), int32_t{0});
  *upper_bound = std::min((*scaled_value + (1 << 10) - 1) / (1 << 10), input_size - 1);
}

namespace resize_internal {

struct Sizes {
  RuntimeShape input, output;
  int32_t batches, input_height, input_width, output_height, output_width, channels;
};

// `output_size_data` is {height, width}.
inline Sizes SizesOf(const RuntimeShape& input_shape, const int32_t* output_size_data,
                     const RuntimeShape& output_shape) {
  Sizes s;
  s.input = RuntimeShape::ExtendedShape(4, input_shape);
  s.output = RuntimeShape::ExtendedShape(4, output_shape);
  s.batches = MatchingDim(s.input, 0, s.output, 0);
  s.channels = MatchingDim(s.input, 3, s.output, 3);
  s.input_height = s.input.Dims(1);
  s.input_width = s.input.Dims(2);
  s.output_height = output_size_data[0];
  s.output_width = output_size_data[1];
  return s;
}

inline float FloatScale(int32_t input, int32_t output, bool align_corners) {
  const int32_t less = align_corners && output > 1 ? 1 : 0;
  return static_cast<float>(input - less) / static_cast<float>(output - less);
}

inline int32_t FixedScale(int32_t input, int32_t output, bool align_corners) {
  const int32_t less = align_corners && output > 1 ? 1 : 0;
  return ((1 << 10) * (input - less) + (output - less) / 2) / (output - less);
}

// Calls at(output position, the four input positions) for all elements of one output pixel; the
// order is (y0, x0), (y1, x0), (y0, x1), (y1, x1).
template <typename At>
void ForEachChannel(const Sizes& s, int b, int y, int x, int y0, int y1, int x0, int x1, At at) {
  for (int c = 0; c < s.channels; ++c) {
    at(Offset(s.output, b, y, x, c), Offset(s.input, b, y0, x0, c), Offset(s.input, b, y1, x0, c),
       Offset(s.input, b, y0, x1, c), Offset(s.input, b, y1, x1, c));
  }
}

}  // namespace resize_internal

// Weights are floats; T may be any arithmetic type, results of integers are cut off.
template <typename T>
inline void ResizeBilinear(const ResizeBilinearParams& op_params, const RuntimeShape& input_shape,
                           const T* input_data, const RuntimeShape& /*output_size_shape*/,
                           const int32_t* output_size_data, const RuntimeShape& output_shape,
                           T* output_data) {
  TFLITE_DCHECK(!op_params.half_pixel_centers || !op_params.align_corners);
  const auto s = resize_internal::SizesOf(input_shape, output_size_data, output_shape);
  const float scale_y =
      resize_internal::FloatScale(s.input_height, s.output_height, op_params.align_corners);
  const float scale_x =
      resize_internal::FloatScale(s.input_width, s.output_width, op_params.align_corners);
  for (int b = 0; b < s.batches; ++b) {
    for (int y = 0; y < s.output_height; ++y) {
      float in_y = 0;
      int32_t y0 = 0, y1 = 0;
      ComputeInterpolationValues(static_cast<float>(y), scale_y, op_params.half_pixel_centers,
                                 s.input_height, &in_y, &y0, &y1);
      const float dy = in_y - static_cast<float>(y0);
      for (int x = 0; x < s.output_width; ++x) {
        float in_x = 0;
        int32_t x0 = 0, x1 = 0;
        ComputeInterpolationValues(static_cast<float>(x), scale_x, op_params.half_pixel_centers,
                                   s.input_width, &in_x, &x0, &x1);
        const float dx = in_x - static_cast<float>(x0);
        const auto value = [&](int at) { return static_cast<float>(input_data[at]); };
        resize_internal::ForEachChannel(
            s, b, y, x, y0, y1, x0, x1, [&](int out, int a00, int a10, int a01, int a11) {
              output_data[out] =
                  static_cast<T>(value(a00) * (1 - dy) * (1 - dx) + value(a10) * dy * (1 - dx) +
                                 value(a01) * (1 - dy) * dx + value(a11) * dy * dx);
            });
      }
    }
  }
}

// Weights are fixed-point numbers of 10 fractional bits; results are rounded to nearest, ties away
// from zero.
template <typename T>
inline void ResizeBilinearInteger(const ResizeBilinearParams& op_params,
                                  const RuntimeShape& input_shape, const T* input_data,
                                  const RuntimeShape& /*output_size_shape*/,
                                  const int32_t* output_size_data, const RuntimeShape& output_shape,
                                  T* output_data) {
  TFLITE_DCHECK(!op_params.half_pixel_centers || !op_params.align_corners);
  constexpr int32_t kOne = 1 << 10;
  const auto s = resize_internal::SizesOf(input_shape, output_size_data, output_shape);
  const int32_t scale_y =
      resize_internal::FixedScale(s.input_height, s.output_height, op_params.align_corners);
  const int32_t scale_x =
      resize_internal::FixedScale(s.input_width, s.output_width, op_params.align_corners);
  for (int b = 0; b < s.batches; ++b) {
    for (int y = 0; y < s.output_height; ++y) {
      int32_t in_y = 0, y0 = 0, y1 = 0;
      ComputeInterpolationValuesInteger(y, scale_y, op_params.half_pixel_centers, s.input_height,
                                        &in_y, &y0, &y1);
      const int64_t dy = in_y - kOne * y0;
      for (int x = 0; x < s.output_width; ++x) {
        int32_t in_x = 0, x0 = 0, x1 = 0;
        ComputeInterpolationValuesInteger(x, scale_x, op_params.half_pixel_centers, s.input_width,
                                          &in_x, &x0, &x1);
        const int64_t dx = in_x - kOne * x0;
        resize_internal::ForEachChannel(
            s, b, y, x, y0, y1, x0, x1, [&](int out, int a00, int a10, int a01, int a11) {
              const int64_t sum = input_data[a00] * (kOne - dy) * (kOne - dx) +
                                  input_data[a10] * dy * (kOne - dx) +
                                  input_data[a01] * (kOne - dy) * dx + input_data[a11] * dy * dx;
              constexpr int64_t kHalf = int64_t{1} << 19;
              output_data[out] =
                  static_cast<T>((sum + (sum > 0 ? kHalf : -kHalf)) / (int64_t{1} << 20));
            });
      }
    }
  }
}

}  // namespace reference_ops
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_REFERENCE_RESIZE_BILINEAR_H_
