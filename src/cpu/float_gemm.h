// SPDX-License-Identifier: Apache-2.0
// Kernels of float matrix products, for src/cpu alone: C = A B + bias, clamped. B is packed into
// panels of as many columns as a kernel computes at once.
#ifndef TERN_CPU_FLOAT_GEMM_H_
#define TERN_CPU_FLOAT_GEMM_H_

#include <cstdint>

namespace tern {

// One call of a kernel.
struct FloatTile {
  // A row of A is `segments` runs of `depth` numbers; run s of row r begins at
  // a + r * a_stride + s * segment_stride.
  int64_t depth, segments;
  const float* a;
  int64_t a_stride, segment_stride;
  const float* panel;  // width columns of bias, then of each of the segments * depth rows of B
  float* c;            // row r begins at c + r * c_stride
  int64_t c_stride;
  int64_t columns;  // at most the panel's width; those beyond are not written
  float min, max;   // NaN stays NaN
};

// Kernels for panels of one width.
struct FloatPanelKernels {
  int width;                                      // columns
  int rows;                                       // maximum of one call
  void (*const* compute)(const FloatTile& tile);  // compute[r - 1] computes r rows
};

struct FloatGemm {
  const FloatPanelKernels* panels;  // from the widest to the narrowest, each a multiple of that
  int panel_kinds;

  // Dot products: out[i] = sum over k of a[k] * b[i * b_stride + k], 0 <= i < count.
  void (*dots)(const float* a, const float* b, int64_t b_stride, int64_t depth, int64_t count,
               float* out);
};

// Null where there are no vectors.
const FloatGemm* GetFloatGemm();

}  // namespace tern

#endif  // TERN_CPU_FLOAT_GEMM_H_
