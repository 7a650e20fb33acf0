// SPDX-License-Identifier: Apache-2.0
// Depthwise convolutions over integer images.
#ifndef TERN_CPU_INTEGER_DEPTHWISE_H_
#define TERN_CPU_INTEGER_DEPTHWISE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "cpu/matmul.h"

namespace tern {

// [taps, channels] as numbers relative to their zero point.
struct DepthwiseWeights {
  int64_t taps, channels, stride;
  std::vector<int16_t> weights;
  std::vector<int32_t> sums;  // of each channel
};
std::shared_ptr<const DepthwiseWeights> PackDepthwise(const int16_t* weights, int64_t taps,
                                                      int64_t channels);

// shape.group_in is 1; channel o reads input channel o / shape.group_out. The stage has SumStarts
// with the zero point of the left side. Sums of INT16 activations have 32 bits, too, and so are
// exact for at most kMaxDepthwiseTaps taps.
inline constexpr int64_t kMaxDepthwiseTaps = 511;
bool RunIntegerDepthwise(const LeftView& left, const DepthwiseWeights& weights,
                         const OutputStage& stage, ThreadPool* pool);

}  // namespace tern

#endif  // TERN_CPU_INTEGER_DEPTHWISE_H_
