// SPDX-License-Identifier: Apache-2.0
// Parameters of operations in the form that stand-alone kernels take.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_TYPES_H_
#define TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_TYPES_H_

#include <cstdint>
#include <cstring>

#include "tensorflow/lite/kernels/internal/runtime_shape.h"

namespace tflite {

enum class FusedActivationFunctionType : uint8_t { kNone, kRelu6, kRelu1, kRelu };
enum class PaddingType : uint8_t { kNone, kSame, kValid };

// Elements before the input; the offsets say what is added after it.
struct PaddingValues {
  int16_t width;
  int16_t height;
  int16_t width_offset;
  int16_t height_offset;
};

struct Padding3DValues {
  int16_t width;
  int16_t height;
  int16_t depth;
  int16_t width_offset;
  int16_t height_offset;
  int16_t depth_offset;
};

struct ResizeBilinearParams {
  bool align_corners;
  bool half_pixel_centers;  // not together with align_corners
};

// Padding may be distinguished from the general form where it leaves batch and channels alone.
enum class ResizingCategory : uint8_t { kNone, kImageStyle, kGenericResize };

// Elements before and after each dimension, of the last `count` dimensions.
struct PadParams {
  int8_t left_padding_count;
  int32_t left_padding[5];
  int8_t right_padding_count;
  int32_t right_padding[5];
  ResizingCategory resizing_category;
};

inline constexpr int kTransposeMaxDimensions = 6;

// Dimension i of the output is dimension perm[i] of the input.
struct TransposeParams {
  int8_t perm_count;
  int32_t perm[kTransposeMaxDimensions];
};

struct PoolParams {
  FusedActivationFunctionType activation;
  PaddingType padding_type;
  PaddingValues padding_values;
  int stride_height;
  int stride_width;
  int filter_height;
  int filter_width;
  int32_t quantized_activation_min;
  int32_t quantized_activation_max;
  float float_activation_min;
  float float_activation_max;
};

// The offsets are the negated zero points of input and weights, and the zero point of the output.
struct ConvParams {
  PaddingType padding_type;
  PaddingValues padding_values;
  int16_t stride_width;
  int16_t stride_height;
  int16_t dilation_width_factor;
  int16_t dilation_height_factor;
  int32_t input_offset;
  int32_t weights_offset;
  int32_t output_offset;
  int32_t output_multiplier;
  int output_shift;
  int32_t quantized_activation_min;
  int32_t quantized_activation_max;
  float float_activation_min;
  float float_activation_max;
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_TYPES_H_
