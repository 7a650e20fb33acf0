// SPDX-License-Identifier: Apache-2.0
// Float convolution and depthwise convolution over NHWC images, and matrix products, at the speed
// of the machine. Nothing is read or written outside of the tensors.
#ifndef TERN_CPU_FAST_CONV_H_
#define TERN_CPU_FAST_CONV_H_

#include <cstdint>
#include <memory>

#include "cpu/conv_shape.h"
#include "cpu/float_matrix.h"
#include "cpu/thread_pool.h"

namespace tern {

// Weights of a convolution [groups * group_out, height, width, group_in]; of a depthwise one
// [height, width, channels * multiplier]; of a matrix product [columns, depth].
struct FloatWeights {
  const float* filter;
  const float* bias;  // one per output channel, or null
  bool constant;      // the same addresses hold the same values at the next call
};

// A convolution by a packed filter of shape.groups groups, whose depth is shape.Depth(). False when
// there is no memory.
bool RunConv(const ConvShape& shape, const FloatMatrix& filter, const float* input,
             const FloatClamp& clamp, float* output, ThreadPool* pool);

// sums[i] = a . columns[i], of `depth` numbers each. False where there is no fast form.
bool DotColumns(const float* a, const float* columns, int64_t depth, int64_t count, float* sums);

// A convolution whose weights are packed at its first run: once when they are constant, at every
// run when they are not. Each Run gives false where there is no fast form (HasFastForms) or no
// memory for packed weights; the output is then undefined. Pack* does what the first Run* would do
// with constant weights.
class FastConv {
 public:
  // Packs at the next run, whatever the addresses of the weights.
  void Forget() { matrix_.reset(); }

  bool Pack(const ConvShape& shape, const FloatWeights& weights, ThreadPool* pool);
  bool Run(const ConvShape& shape, const FloatWeights& weights, const float* input,
           const FloatClamp& clamp, float* output, ThreadPool* pool);

  // group_in is 1; channel o reads input channel o / group_out.
  bool PackDepthwise(const ConvShape& shape, const FloatWeights& weights, ThreadPool* pool);
  bool RunDepthwise(const ConvShape& shape, const FloatWeights& weights, const float* input,
                    const FloatClamp& clamp, float* output, ThreadPool* pool);

  // a [rows, depth] times the columns.
  struct MatrixShape {
    int64_t rows, depth, columns;
    bool transposed = false;  // the filter lies as [depth, columns]
  };
  bool PackMatrix(const MatrixShape& shape, const FloatWeights& weights, ThreadPool* pool);
  bool RunMatrix(const MatrixShape& shape, const FloatWeights& weights, const float* a,
                 const FloatClamp& clamp, float* output, ThreadPool* pool);

 private:
  bool PackSource(const FloatMatrix::Source& source, bool constant, ThreadPool* pool);

  std::shared_ptr<const FloatMatrix> matrix_;
  FloatMatrix::Source packed_{};
};

}  // namespace tern

#endif  // TERN_CPU_FAST_CONV_H_
