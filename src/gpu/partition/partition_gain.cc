// SPDX-License-Identifier: Apache-2.0
// A processor takes as long as its arithmetic or its memory, whichever is slower.
#include "gpu/partition/partition_gain.h"

#include <algorithm>

namespace tern::gpu {
namespace {

// The rates of a processor per nanosecond.
struct Rates {
  double multiply_adds, bytes;
};

// One core with vectors of 4 to 8 floats at 2 to 3 GHz does 8 to 24 multiply-adds in a nanosecond
// at best, half of it in convolutions; one core alone reads some 10 GB/s and writes less.
constexpr Rates kCpu = {8, 5};
// 0.5 to 2 TFLOP/s, of which programs reach a third; 20 to 60 GB/s that are shared with the CPU.
constexpr Rates kGpu = {150, 20};
// Copies between runtime and device: one pass by the CPU, or a bus of 4 to 16 GB/s.
constexpr double kCopiedBytes = 4;
// Submitting and waiting for the end, once a part: 20 to 200 us with drivers of today.
constexpr double kSync = 50e3;

double Time(const NodeCost& cost, const Rates& rates) {
  return std::max(static_cast<double>(cost.multiply_adds) / rates.multiply_adds,
                  static_cast<double>(cost.bytes) / rates.bytes);
}

}  // namespace

int64_t EstimateGain(const PartitionCost& cost) {
  double gain = -kSync - static_cast<double>(cost.cut_bytes) / kCopiedBytes;
  for (const NodeCost& node : cost.nodes) gain += Time(node, kCpu) - Time(node, kGpu);
  constexpr double kMost = 1e18;
  return static_cast<int64_t>(std::clamp(gain, -kMost, kMost));
}

}  // namespace tern::gpu
