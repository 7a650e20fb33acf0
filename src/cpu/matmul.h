// SPDX-License-Identifier: Apache-2.0
// Products of matrices, C = stage(A B): convolutions over NHWC images, and matrices as they lie.
// Nothing is read or written outside of the tensors.
#ifndef TERN_CPU_MATMUL_H_
#define TERN_CPU_MATMUL_H_

#include <cstdint>
#include <vector>

#include "cpu/conv_shape.h"
#include "cpu/float_matrix.h"
#include "cpu/integer_matrix.h"
#include "cpu/output_stage.h"
#include "cpu/packed_cache.h"
#include "cpu/thread_pool.h"

namespace tern {

// A left side that is no image: [rows, depth].
inline ConvShape MatrixShape(int64_t rows, int64_t depth, int64_t columns) {
  const WindowAxis line = {.in = 1, .out = 1}, pixels = {.in = rows, .out = rows};
  return {1, 1, depth, columns, line, pixels};
}

// The left side: a row holds the numbers that an output pixel sums, in the order of the filter.
struct LeftView {
  ConvShape shape;
  const void* data;  // floats, or integers of `type`
  IntegerType type = IntegerType::kInt8;
  int32_t zero_point = 0;  // also of numbers outside of the image; 0 for INT16
};

// The right side is a FloatMatrix or an IntegerMatrix of shape.groups groups and of shape.Depth()
// numbers per column. Integers need `starts` of the stage: SumStarts with MatrixZeroPoint.
template <class Right>
struct MatMul {
  const LeftView& left;
  const Right& right;
  const OutputStage& stage;

  // False when there is no memory.
  bool Run(ThreadPool* pool) const;
};
template <>
bool MatMul<FloatMatrix>::Run(ThreadPool* pool) const;
template <>
bool MatMul<IntegerMatrix>::Run(ThreadPool* pool) const;
template <class Right>
MatMul(const LeftView&, const Right&, const OutputStage&) -> MatMul<Right>;

// The zero point of the left side as the matrix's kernel reads it.
int32_t MatrixZeroPoint(const IntegerMatrix& right, const LeftView& left);
// Returns the value that the sum of each column starts from: the bias of 32 bits (null: none), less
// what the zero point of the left side adds to the products with weights of these sums. Readable up
// to 64 more.
std::vector<int32_t> SumStarts(const std::vector<int32_t>& weight_sums, const int32_t* bias,
                               int32_t left_zero_point);

// Weights of a convolution [groups * group_out, height, width, group_in], or, transposed, of one
// group [height, width, group_in, group_out].
struct FloatWeights {
  const float* filter;
  const float* bias;  // one per output channel, or null
  bool constant;      // the same addresses hold the same values at the next call
  bool transposed = false;
};

// A product whose weights are packed at its first run: once when they are constant, at every run
// when they are not. Each Run gives false where there is no optimized kernel (HasOptimizedKernels)
// or no memory; the output is then undefined. Pack* does what the first Run* would do with constant
// weights.
class FloatProduct {
 public:
  // Packs at the next run, whatever the addresses of the weights.
  void Forget() { matrix_.Forget(); }

  bool Pack(const ConvShape& shape, const FloatWeights& weights, ThreadPool* pool) {
    return Get(shape, weights, pool) != nullptr;
  }
  bool Run(const LeftView& left, const FloatWeights& weights, const OutputStage& stage,
           ThreadPool* pool);

  // Of a MatrixShape. Null where rows read their weights as they lie, as a few rows do.
  const FloatMatrix* PackMatrix(const ConvShape& shape, const FloatWeights& weights,
                                ThreadPool* pool) {
    return ReadsColumns(shape, weights) ? nullptr : Get(shape, weights, pool);
  }
  // With what PackMatrix gave, so that several threads may call it.
  static bool RunMatrix(const FloatMatrix* packed, const LeftView& left,
                        const FloatWeights& weights, const OutputStage& stage, ThreadPool* pool);

 private:
  static bool ReadsColumns(const ConvShape& shape, const FloatWeights& weights);
  const FloatMatrix* Get(const ConvShape& shape, const FloatWeights& weights, ThreadPool* pool);

  Packed<FloatMatrix> matrix_;
};

}  // namespace tern

#endif  // TERN_CPU_MATMUL_H_
