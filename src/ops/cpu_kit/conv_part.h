// SPDX-License-Identifier: Apache-2.0
// One of several convolutions that make an output, each by some of the filter's taps.
#ifndef TERN_OPS_CPU_KIT_CONV_PART_H_
#define TERN_OPS_CPU_KIT_CONV_PART_H_

#include <cstdint>
#include <vector>

#include "cpu/conv_shape.h"
#include "cpu/output_stage.h"

namespace tern {

struct ConvPart {
  ConvShape shape;
  std::vector<int64_t> taps = {};  // of the filter, in the order of the shape's; none: all of them
  PixelSpread spread = {};         // where the results lie
  bool transposed = false;         // the filter lies as [taps, channels]
};

// The part's taps of a filter [channels, all taps, depth].
template <class T>
std::vector<T> TapsOf(const ConvPart& part, const T* filter, int64_t all_taps) {
  const int64_t depth = part.shape.group_in;
  std::vector<T> chosen;
  chosen.reserve(static_cast<size_t>(part.shape.group_out * part.shape.Depth()));
  for (int64_t c = 0; c < part.shape.group_out; ++c, filter += all_taps * depth) {
    for (const int64_t tap : part.taps) {
      chosen.insert(chosen.end(), filter + tap * depth, filter + (tap + 1) * depth);
    }
  }
  return chosen;
}

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_CONV_PART_H_
