// SPDX-License-Identifier: Apache-2.0
// The right side of float matrix products, packed for float_gemm.h, and the product.
#ifndef TERN_CPU_FLOAT_MATRIX_H_
#define TERN_CPU_FLOAT_MATRIX_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "base/tensor/quantized_range.h"
#include "cpu/aligned.h"
#include "cpu/float_gemm.h"
#include "cpu/thread_pool.h"

namespace tern {

class FloatMatrix {
 public:
  // columns: [groups * columns, depth], one row of memory per column of the matrix; with
  // `transposed` they lie as [depth, columns], and groups is 1. bias: one per column, or null.
  struct Source {
    const float* columns;
    const float* bias;
    int64_t groups, columns_per_group, depth;
    bool transposed;
  };
  // Null where there are no vectors, or no memory.
  static std::shared_ptr<const FloatMatrix> Pack(const Source& source, ThreadPool* pool);

  int64_t columns() const { return columns_; }
  int64_t depth() const { return depth_; }

  // Panels of one group, which are consecutive columns of it.
  struct Panel {
    int kind;         // of the kernels
    int64_t first;    // column
    int64_t columns;  // at most the kind's width
    int64_t offset;   // in the packed values
  };
  const std::vector<Panel>& panels() const { return panels_; }

  // The left side. A row is `segments` runs of depth() / segments numbers.
  struct Rows {
    int64_t count;
    const float* data;
    int64_t stride;  // in numbers, from row to row
    int64_t segments = 1, segment_stride = 0;
  };
  // c[r, n] = clamp(sum over k of a[r, k] * matrix[k, n] + bias[n]) of one group for the panels
  // [first_panel, last_panel).
  void Multiply(int64_t group, int64_t first_panel, int64_t last_panel, const Rows& a, float* c,
                int64_t c_stride, const FloatRange& clamp) const;

 private:
  bool Layout(const Source& source);
  void Fill(const Source& source, int64_t group, const Panel& panel);

  const FloatGemm* gemm_ = nullptr;
  int64_t columns_ = 0, depth_ = 0;
  int64_t group_size_ = 0;  // packed values of one group
  std::vector<Panel> panels_;
  AlignedArray<float> values_;
};

}  // namespace tern

#endif  // TERN_CPU_FLOAT_MATRIX_H_
