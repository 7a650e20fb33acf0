// SPDX-License-Identifier: Apache-2.0
// Integer weights as the kernels want them, and their products with rows of activations.
#ifndef TERN_CPU_INTEGER_MATRIX_H_
#define TERN_CPU_INTEGER_MATRIX_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "cpu/aligned.h"
#include "cpu/integer_kernels.h"
#include "cpu/thread_pool.h"

namespace tern {

// Rows of activations as the kernel of a matrix takes them.
struct IntegerRows {
  const void* data;
  int64_t stride;  // bytes
};
// Gives rows [first, first + count) of a group, in `scratch` or where they lie, and what their
// sums start from.
using GatherRows = absl::FunctionRef<IntegerRows(int64_t group, int64_t first, int64_t count,
                                                 uint8_t* scratch, int32_t* row_starts)>;

class IntegerMatrix {
 public:
  struct Source {
    const void* weights;  // [groups * columns, depth] of INT8, or UINT8 (which lose 128)
    bool unsigned_weights;
    int64_t groups, columns, depth;
    bool transposed = false;  // they lie as [depth, columns]; one group
    bool shorts = false;      // activations have 16 bits
    int32_t zero_point = 0;   // of the weights
  };
  // Null where there is no optimized kernel (HasOptimizedKernels) or no memory.
  static std::shared_ptr<const IntegerMatrix> Pack(const Source& source, ThreadPool* pool);

  const IntegerGemmKernel& kernel() const { return *kernel_; }
  int64_t groups() const { return groups_; }
  int64_t columns() const { return columns_; }
  int64_t depth() const { return depth_; }
  // Bytes from one row to the next where rows are copied.
  int64_t RowStride() const;
  // Of the packed weights, which are INT8.
  int32_t zero_point() const { return zero_point_; }
  // The sum of the weights of each column, of all groups.
  const std::vector<int32_t>& sums() const { return sums_; }

  // Stores every sum of `rows` rows per group, from several threads; columns count through all
  // groups. The starts of the stage have columns() * groups() + 64 readable elements. Sums of
  // 16-bit activations are wide, and no start counts then. `gather` gets scratch_bytes of memory
  // for each row. False when there is no memory.
  bool Multiply(int64_t rows, GatherRows gather, int64_t scratch_bytes, const OutputStage& stage,
                ThreadPool* pool) const;

 private:
  struct Panel {
    int64_t first, columns, vectors;
  };
  void PackPanel(const Source& source, int64_t group, int64_t panel);
  int8_t* PanelAt(int64_t group, int64_t panel) const;
  void MultiplyPanel(int64_t group, const Panel& panel, const int8_t* weights, int64_t first_row,
                     int64_t rows, const IntegerRows& from, const int32_t* row_starts,
                     const OutputStage& stage) const;
  void MultiplyWide(IntegerTile tile, int64_t rows, const Panel& panel, int64_t* wide) const;

  const IntegerGemmKernel* kernel_ = nullptr;
  bool shorts_ = false;
  int32_t zero_point_ = 0;
  int64_t groups_ = 0, columns_ = 0, depth_ = 0, steps_ = 0;
  std::vector<Panel> panels_;  // of each group
  AlignedArray<int8_t> packed_;
  std::vector<int32_t> sums_;
};

}  // namespace tern

#endif  // TERN_CPU_INTEGER_MATRIX_H_
