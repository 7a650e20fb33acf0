// SPDX-License-Identifier: Apache-2.0
// The kernels behind quantized operators: products of integer matrices, depthwise sums, and output
// stages. On plain memory.
#ifndef TERN_CPU_INTEGER_KERNELS_H_
#define TERN_CPU_INTEGER_KERNELS_H_

#include <cstdint>

#include "cpu/output_stage.h"

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
  int64_t rows;       // maximum of a tile
  int64_t lanes;      // a panel has one or two times as many columns
  int64_t group;      // products that a step adds to one sum
  int64_t row_bytes;  // size of an activation: 1 (UINT8) or 2 (INT16)
  // `count` rows by `vectors` * lanes columns.
  void (*run)(int64_t count, int64_t vectors, const IntegerTile& tile);
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

struct IntegerKernels {
  // For activations of 8 bits (UINT8, or INT16 around zero: see row_bytes) and of 16.
  IntegerGemmKernel bytes, shorts;

  // Activations of 8 bits become those that `bytes` takes: to = (from ^ flip), as a byte or minus
  // `zero_point` as INT16.
  void (*convert)(const uint8_t* from, int64_t count, uint8_t flip, int32_t zero_point, void* to);
  // The sum of a row of such bytes or INT16, relative to the zero point.
  int32_t (*row_sum)(const void* row, int64_t count, int32_t zero_point);

  // Of the forms of these names, for complete sums.
  OutputStage::Kernel fixed_point, real, to_float;

  // The smallest and the largest of at least one number; false when one is not finite.
  bool (*float_range)(const float* values, int64_t count, float* low, float* high);
  // to = clamp(round(value * factor), low, high), ties away from zero.
  void (*quantize)(const float* values, int64_t count, float factor, int32_t low, int32_t high,
                   int16_t* to);
  // Quantizes and adds a zero point.
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
