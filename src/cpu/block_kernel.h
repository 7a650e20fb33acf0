// SPDX-License-Identifier: Apache-2.0
// The kernel behind products with weights of 4 bits that have a scale by block.
#ifndef TERN_CPU_BLOCK_KERNEL_H_
#define TERN_CPU_BLOCK_KERNEL_H_

#include <cstdint>

namespace tern {

// Numbers of a row that a step multiplies: in the low halves of four bytes the even ones, in the
// upper halves the odd ones.
inline constexpr int64_t kBlockStep = 8;
// A weight plus this number is unsigned.
inline constexpr int32_t kNibbleZero = 8;

// Some rows of activations times one panel of units.
struct BlockTile {
  const int8_t* rows;     // each eight with the even ones first
  int64_t row_stride;     // bytes
  const int32_t* starts;  // [rows, blocks]: what the sum of a block starts from
  const uint8_t* panel;   // [steps, lanes, 4]: weights plus kNibbleZero
  const float* scales;    // [blocks, lanes]
  int64_t blocks, block_steps;
  float* sums;  // [rows, lanes]
};

struct BlockKernel {
  int64_t rows;   // maximum of a tile
  int64_t lanes;  // units of a panel
  // sums = for each block the scale times (start + products), added up. A block has at most
  // kMaxBlock numbers.
  void (*run)(int64_t rows, const BlockTile& tile);
};
inline constexpr int64_t kMaxBlock = int64_t{1} << 16;

// Null where InstructionSet() is "none".
const BlockKernel* GetBlockKernel();

}  // namespace tern

#endif  // TERN_CPU_BLOCK_KERNEL_H_
