// SPDX-License-Identifier: Apache-2.0
// Rows of 8-bit numbers, signed or not, and between them and floats. Exact to the last bit: what is
// said of each function is the definition. Rows are read and written alone.
#ifndef TERN_CPU_BYTE_ROWS_H_
#define TERN_CPU_BYTE_ROWS_H_

#include <cstdint>

#include "base/tensor/multiplier.h"

namespace tern {

// out[i] = table[in[i]], 256 entries.
void MapBytes(const uint8_t* table, const uint8_t* in, uint8_t* out, int64_t count);

// The steps of two rows and of the result, and the result's limits.
struct BytePair {
  int32_t zero_a = 0, zero_b = 0, zero_out = 0, low = 0, high = 0;
};

// A multiplier works in two roundings: of the product of 62 bits, ties up, and of the shift to the
// right, ties away from zero.
// ((a - zero_a) * 2^20 * scale_a +- (b - zero_b) * 2^20 * scale_b) * scale_out + zero_out, limited.
struct ByteSum {
  BytePair pair;
  bool subtract = false;
  Multiplier scale_a, scale_b, scale_out;
};
// ((a - zero_a) * (b - zero_b)) * scale + zero_out, limited.
struct ByteProduct {
  BytePair pair;
  Multiplier scale;
};

// The scales that the optimized kernels take: one operand's is 1/2, the other's at most that, and
// the sum's below 1; the product's below 2^13.
bool TakesSum(const ByteSum& sum);
bool TakesProduct(const ByteProduct& product);

// The optimized kernels for rows of T, int8_t or uint8_t. An operand of a pair that does not move
// is one number for the whole row.
template <class T>
struct ByteForms {
  void (*sum)(const ByteSum& sum, const T* a, bool a_moves, const T* b, bool b_moves, T* out,
              int64_t count);
  void (*product)(const ByteProduct& product, const T* a, bool a_moves, const T* b, bool b_moves,
                  T* out, int64_t count);
  // round(in[i] / scale) + zero_point, ties away from zero, limited; NaN gives low.
  void (*quantize)(const float* in, T* out, int64_t count, float scale, int32_t zero_point,
                   int32_t low, int32_t high);
  // (in[i] - zero_point) * scale.
  void (*dequantize)(const T* in, float* out, int64_t count, float scale, int32_t zero_point);
};

// Null where this processor or build has none.
template <class T>
const ByteForms<T>* FastBytes();

}  // namespace tern

#endif  // TERN_CPU_BYTE_ROWS_H_
