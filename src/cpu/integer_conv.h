// SPDX-License-Identifier: Apache-2.0
// Convolutions over integer images. The caller says how sums of products are stored.
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

// Returns the value that the sum of each channel starts from: the bias of 32 bits (null: none),
// less what the zero point of the input adds to the products with weights of these sums. Readable
// up to 64 more.
std::vector<int32_t> SumStarts(const std::vector<int32_t>& weight_sums, const int32_t* bias,
                               int32_t input_zero_point);

// A convolution by a matrix of shape.groups groups, whose depth is shape.Depth(). Rows are output
// pixels. `weight_zero` is the zero point of the matrix's INT8. `starts` are SumStarts with
// MatrixZeroPoint; wide sums leave them out. False when there is no memory.
bool RunIntegerConv(const ConvShape& shape, const IntegerMatrix& filter, const IntegerImage& input,
                    int32_t weight_zero, const int32_t* starts, StoreSums store, ThreadPool* pool);

// The zero point of the input as the matrix's kernel reads it.
int32_t MatrixZeroPoint(const IntegerMatrix& filter, const IntegerImage& input);

// [taps, channels] as numbers relative to their zero point.
struct DepthwiseWeights {
  int64_t taps, channels, stride;
  std::vector<int16_t> weights;
  std::vector<int32_t> sums;  // of each channel
};
std::shared_ptr<const DepthwiseWeights> PackDepthwise(const int16_t* weights, int64_t taps,
                                                      int64_t channels);

// shape.group_in is 1; channel o reads input channel o / shape.group_out. `starts` are SumStarts
// with the input's zero point. Sums of INT16 activations
// are those of 32 bits, too, and so are exact for at most kMostDepthwiseTaps taps.
inline constexpr int64_t kMostDepthwiseTaps = 511;
bool RunIntegerDepthwise(const ConvShape& shape, const DepthwiseWeights& weights,
                         const IntegerImage& input, const int32_t* starts, StoreSums store,
                         ThreadPool* pool);

}  // namespace tern

#endif  // TERN_CPU_INTEGER_CONV_H_
