// SPDX-License-Identifier: Apache-2.0
// Convolutions over integer images. What the sums of products become is said by the caller.
#ifndef TERN_CPU_INTEGER_CONV_H_
#define TERN_CPU_INTEGER_CONV_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "cpu/conv_shape.h"
#include "cpu/integer_matrix.h"

namespace tern {

struct IntegerImage {
  const void* data;
  IntegerType type;
  int32_t zero_point;  // also what lies outside of the image; 0 for INT16
};

// What a convolution sums: products of activations and weights relative to their zero points, and
// the bias of 32 bits (null: none), which wide sums leave out.
struct IntegerTerms {
  int32_t weight_zero_point;
  const int32_t* bias;
};

// A convolution by a matrix of shape.groups groups, whose depth is shape.Depth(). Rows are output
// pixels. False when there is no memory.
bool RunIntegerConv(const ConvShape& shape, const IntegerMatrix& filter, const IntegerImage& input,
                    bool unsigned_weights, const IntegerTerms& terms, const StoreSums& store,
                    ThreadPool* pool);

// [taps, channels] as numbers relative to their zero point.
struct DepthwiseWeights {
  int64_t taps, channels, stride;
  std::vector<int16_t> weights;
  std::vector<int32_t> sums;  // of each channel
};
std::shared_ptr<const DepthwiseWeights> PackDepthwise(const int16_t* weights, int64_t taps,
                                                      int64_t channels);

// shape.group_in is 1; channel o reads input channel o / shape.group_out. Sums of INT16 activations
// are those of 32 bits, too, and so are exact for at most kMostDepthwiseTaps taps.
inline constexpr int64_t kMostDepthwiseTaps = 511;
bool RunIntegerDepthwise(const ConvShape& shape, const DepthwiseWeights& weights,
                         const IntegerImage& input, const int32_t* bias, const StoreSums& store,
                         ThreadPool* pool);

}  // namespace tern

#endif  // TERN_CPU_INTEGER_CONV_H_
