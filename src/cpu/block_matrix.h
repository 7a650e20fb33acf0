// SPDX-License-Identifier: Apache-2.0
// Weights of 4 bits or fewer with a scale by block, as the kernel wants them, and their products
// with rows of bytes. They take 4 bits each, and 32 for a scale.
#ifndef TERN_CPU_BLOCK_MATRIX_H_
#define TERN_CPU_BLOCK_MATRIX_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "cpu/aligned.h"
#include "cpu/block_kernel.h"
#include "cpu/thread_pool.h"

namespace tern {

// Rows of activations: value = scale[row] * (number - zero_point[row]).
struct ByteRows {
  const int8_t* numbers;  // [rows, depth]
  const float* scale;
  const int32_t* zero_point;
  int64_t count;
};

class BlockMatrix {
 public:
  struct Source {
    const uint8_t* weights;  // [units, depth] signed numbers of `bits` (2 or 4) bits
    int bits;
    int64_t units, depth, block;
    std::function<float(int64_t unit, int64_t block)> scale_of;
  };
  static bool Suits(int bits, int64_t depth, int64_t block);
  // Null where there is no optimized kernel, the source does not suit it, or there is no memory.
  static std::shared_ptr<const BlockMatrix> Pack(const Source& source, ThreadPool* pool);

  // output[row, unit] = clamp(sum of products * scales + bias[unit]); `bias` may be null. False
  // when there is no memory.
  bool Multiply(const ByteRows& rows, const float* bias, float low, float high, float* output,
                ThreadPool* pool) const;

 private:
  void PackPanel(const Source& source, int64_t panel);
  // Rows as BlockTile wants them; `starts` are those of their blocks.
  void ArrangeRow(const int8_t* from, int8_t* to, int32_t* starts) const;
  struct Arranged {
    const int8_t* rows;
    const int32_t* starts;
  };
  void MultiplyPanel(int64_t panel, const ByteRows& rows, const Arranged& arranged,
                     const float* bias, float low, float high, float* output) const;

  const BlockKernel* kernel_ = nullptr;
  int64_t units_ = 0, depth_ = 0, block_ = 0;
  int64_t blocks_ = 0, panels_ = 0;
  AlignedArray<uint8_t> nibbles_;  // [panels, steps, lanes, 4]
  AlignedArray<float> scales_;     // [panels, blocks, lanes]
  // For each unit what a zero point of one adds to its sum.
  AlignedArray<float> zero_sums_;
};

}  // namespace tern

#endif  // TERN_CPU_BLOCK_MATRIX_H_
