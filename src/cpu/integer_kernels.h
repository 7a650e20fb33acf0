// SPDX-License-Identifier: Apache-2.0
// The kernels behind quantized operators: products of integer matrices, depthwise sums, and what
// becomes of the sums. On plain memory; src/cpu/integer_gemm.h and src/cpu/integer_conv.h put them
// together.
#ifndef TERN_CPU_INTEGER_KERNELS_H_
#define TERN_CPU_INTEGER_KERNELS_H_

#include <cstdint>

namespace tern {

// One tile of a product of matrices.
struct IntegerTile {
  const void* rows;       // activations: UINT8 or INT16, zeros of the weights after the last one
  int64_t row_stride;     // bytes
  const int8_t* panel;    // weights [groups, columns, group]
  int64_t groups;         // steps along the depth
  const int32_t* column;  // what the sums of a column start from, one per column of the panel
  const int32_t* row;     // what the sums of a row start from in addition
  int32_t* sums;          // [rows, columns], aligned to a vector; they wrap
};

struct IntegerGemmKernel {
  int64_t rows;       // most rows of a tile
  int64_t lanes;      // a panel has one or two times as many columns
  int64_t group;      // products that a step adds to one sum
  int64_t row_bytes;  // size of an activation: 1 (UINT8) or 2 (INT16)
  // `count` rows by `vectors` * lanes columns.
  void (*run)(int64_t count, int64_t vectors, const IntegerTile& tile);
};

// result = clamp(round(round(sum * 2^left * value / 2^31) / 2^right) + zero_point, low, high).
// The product rounds ties up, the shift away from zero. Arrays with one element per output channel,
// readable up to the next multiple of 16.
struct Requantization {
  const int32_t* value;
  const int32_t* left;   // 0..31; the shift wraps
  const int32_t* right;  // 0..31
  bool any_left;         // some `left` is not 0
  int32_t zero_point, low, high;
  // The same with fewer steps, where all channels of a vector allow it. Halves of both roundings'
  // units and the zero point are added before the first shift, which rounds down, as the second:
  // clamp((((sum * fast_value + fast_start) >> 31) - (sum < 0)) >> fast_right, low, high).
  const int32_t* fast_value;
  const int32_t* fast_right;
  const int64_t* fast_start;  // kNoFastForm: not this channel
};
inline constexpr int64_t kNoFastForm = INT64_MIN;

// result = clamp(round(sum * factor[c]) + zero_point, low, high), in double, ties away from zero.
// Factors are finite: one for each unit, the array as above, or one for all; bounds within the
// type.
struct RealRequantization {
  const double* factor;
  bool one_factor;
  int32_t zero_point, low, high;
};

// result = clamp(float(sum) * (scale * channel_scale[c]) + bias[c]), in float.
// Arrays as above.
struct HybridScale {
  const float* channel_scale;
  const float* bias;
  float low, high;
};

// A depthwise convolution of some pixels of 8 or 16 bits.
struct IntegerDepthwisePixels {
  const void* const* taps;  // [pixels, tap_count] where the channels of each tap lie
  int64_t pixels, tap_count, channels;
  const int16_t* weights;  // [tap_count, weight_stride], readable up to a multiple of 16 channels
  int64_t weight_stride;
  const int32_t* column;  // as above
  int32_t* sums;          // [pixels, sum_stride]
  int64_t sum_stride;
};

enum class IntegerType { kUInt8, kInt8, kInt16 };

struct IntegerKernels {
  // For activations of 8 bits (UINT8, or INT16 around zero: see row_bytes) and of 16.
  IntegerGemmKernel bytes, shorts;

  // Activations of 8 bits become those that `bytes` takes: to = (from ^ flip), as a byte or minus
  // `zero_point` as INT16.
  void (*convert)(const uint8_t* from, int64_t count, uint8_t flip, int32_t zero_point, void* to);
  // Their sum, relative to the zero point.
  int32_t (*row_sum)(const void* row, int64_t count, int32_t zero_point);

  // rows x units sums of 32 bits -> `type`. Pointers into the arrays stand at the first unit.
  void (*requantize)(const int32_t* sums, int64_t sum_stride, int64_t rows, int64_t units,
                     const Requantization& how, IntegerType type, void* out, int64_t out_stride);
  void (*requantize_real)(const int32_t* sums, int64_t sum_stride, int64_t rows, int64_t units,
                          const RealRequantization& how, IntegerType type, void* out,
                          int64_t out_stride);
  // The same to FLOAT32.
  void (*dequantize)(const int32_t* sums, int64_t sum_stride, int64_t rows, int64_t units,
                     const HybridScale& how, float scale, float* out, int64_t out_stride);

  // The smallest and the largest of at least one number; false when one is not finite.
  bool (*float_range)(const float* values, int64_t count, float* low, float* high);
  // to = clamp(round(value * factor), low, high), ties away from zero.
  void (*quantize)(const float* values, int64_t count, float factor, int32_t low, int32_t high,
                   int16_t* to);
  // The same plus a zero point.
  void (*quantize_bytes)(const float* values, int64_t count, float factor, int32_t low,
                         int32_t high, int32_t zero_point, int8_t* to);

  // Channels side by side in memory; every tap may be read up to its last channel only.
  void (*depthwise)(IntegerType type, const IntegerDepthwisePixels& pixels);

  // sums[row * units + unit] = sum of a[row * depth + i] * w[unit * depth + i], exact.
  void (*dots)(const int16_t* a, int64_t rows, const void* weights, bool unsigned_weights,
               int64_t units, int64_t depth, int64_t* sums, int64_t sum_stride);
  // sums[unit] = sum of (x[i] - zero_point) * w[unit * depth + i]; they wrap. Null where no
  // instruction multiplies bytes.
  void (*byte_dots)(const int8_t* x, int32_t zero_point, const int8_t* w, int64_t units,
                    int64_t depth, int32_t* sums);
};

// Null where InstructionSet() is "none".
const IntegerKernels* GetIntegerKernels();

}  // namespace tern

#endif  // TERN_CPU_INTEGER_KERNELS_H_
