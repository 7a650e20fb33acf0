// SPDX-License-Identifier: Apache-2.0
// The recipe for the numbers of a plan's constant. It takes the place of the numbers, so that a
// plan stays small and a model's weights are copied piece by piece, on their way to the device.
#ifndef TERN_GPU_DESC_CONSTANT_PART_H_
#define TERN_GPU_DESC_CONSTANT_PART_H_

#include <cstdint>
#include <variant>
#include <vector>

#include "gpu/desc/tensor_desc.h"

namespace tern::gpu {

// How the stored values of a model's tensor become numbers of a plan.
enum class Decoding {
  kReal,             // the real values
  kWeights,          // of weights of products with floats: all are signed, without zero point
  kShuffledWeights,  // of UINT8 weights with the sign bit flipped, in blocks of 4 rows by 16
                     // columns
  kStored,           // integers less their zero point, as numbers
  kShuffledStored,   // integers of shuffled weights
  kLowHalf,          // integers: the low halves of their 64 bits
  kHighHalf,         // integers: the high halves
  kBytes,            // elements of 8 bits as they are
  kSignedBytes,      // signed elements of 8 bits plus 128, of 4 bits plus 8
  kScales,           // the scales of a tensor along an axis, or of their blocks
};

// A filter as slices of output lanes, in the order in which convolution kernels walk it:
// [block][tap][step][lane][slice of the block]. Places beyond the channels are zero.
struct FilterPacking {
  int out_channels = 0;
  int group_in = 1, group_out = 1;  // channels of one group
  int taps = 1;                     // positions of the window
  int blocks = 1;                   // of `slices` output slices
  int steps = 1;                    // source slices that a block reads
  int lanes = 4;                    // source lanes of a slice walked
  int slices = 1;
  int64_t out_step = 1, tap_step = 1, in_step = 1;  // how far apart neighbours lie in the filter
  bool winograd = false;  // the taps are the 36 numbers that 3 by 3 become (base/tensor/winograd.h)

  int64_t filter_slices() const { return int64_t{blocks} * taps * steps * lanes * slices; }
  int64_t bias_slices() const { return int64_t{blocks} * slices; }
  friend bool operator==(const FilterPacking&, const FilterPacking&) = default;
};

// A run of slices of a constant.
struct ConstantPart {
  int64_t slices = 0;
  // The tensor behind it, a number that the plan's maker gave; -1: `values` instead.
  int source = -1;
  Decoding decoding = Decoding::kReal;
  int64_t first = 0;  // element of the source
  // Elements of a part without a source; one stands for all, none for zeros.
  std::vector<float> values = {};
  // Row-major elements of a box as Layout::kSlices, or a filter.
  std::variant<Box, FilterPacking> packing = Box();

  friend bool operator==(const ConstantPart&, const ConstantPart&) = default;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_DESC_CONSTANT_PART_H_
