// SPDX-License-Identifier: Apache-2.0
// Float depthwise convolution: its kernels, and how they walk an image. For src/cpu alone.
#ifndef TERN_CPU_FLOAT_DEPTHWISE_H_
#define TERN_CPU_FLOAT_DEPTHWISE_H_

#include <cstdint>

#include "base/tensor/quantized_range.h"
#include "cpu/conv_shape.h"
#include "cpu/thread_pool.h"

namespace tern {

// Neighbouring pixels of one output row whose taps all lie inside the image.
struct FloatDepthwisePixels {
  const float* const* in;       // per tap row: the first pixel's first tap, channel 0
  const float* const* weights;  // per tap row: that tap's weights, channel 0
  int64_t tap_rows, taps;       // taps of each row
  int64_t tap_step;             // in numbers, from tap to tap of the input
  int64_t pixel_step;           // in numbers, from pixel to pixel of the input
  int64_t channels;             // of a pixel; numbers from tap to tap of the weights
  const float* bias;            // or null
  float* out;                   // the first pixel, channel 0
  int64_t out_step;             // in numbers, from one output row to the next
  int64_t first, last;          // channels to compute
  float min, max;
};

using ComputeDepthwise = void(const FloatDepthwisePixels& pixels);

struct FloatDepthwise {
  // compute[i] computes 2^i pixels.
  static constexpr int kMaxShift = 3;
  ComputeDepthwise* compute[kMaxShift + 1];
  // Computes filters of 3 x 3 in steps of 1, for two output rows: four tap rows, of which each
  // number is loaded once. compute_pair[i] computes 2^i pixels of each row.
  static constexpr int kMaxPairShift = 2;
  ComputeDepthwise* compute_pair[kMaxPairShift + 1];
};

// Null where there are no vectors.
const FloatDepthwise* GetFloatDepthwise();

// filter [height, width, channels * multiplier]. False where there are no vectors, or no memory.
bool RunFloatDepthwise(const ConvShape& shape, const float* filter, const float* bias,
                       const float* input, const FloatRange& clamp, float* output,
                       ThreadPool* pool);

}  // namespace tern

#endif  // TERN_CPU_FLOAT_DEPTHWISE_H_
