// SPDX-License-Identifier: Apache-2.0
// Random weights of few bits with scales by block of a row, packed and as floats.
#ifndef TERN_OPS_TESTING_BLOCK_WEIGHTS_H_
#define TERN_OPS_TESTING_BLOCK_WEIGHTS_H_

#include <cstdint>
#include <vector>

#include "base/tensor/half.h"
#include "ops/testing/oracle.h"

namespace tern::testing {

struct BlockWeights {
  int units, depth, block, bits;
  std::vector<uint8_t> packed;
  std::vector<float> scales;  // [units, blocks], that halves hold
  std::vector<float> floats;  // [units, depth]: what they stand for

  BlockWeights(int units, int depth, int block, int bits = 4, uint64_t seed = 3)
      : units(units), depth(depth), block(block), bits(bits) {
    Random random(seed);
    const int count = units * depth, blocks = depth / block, values = 1 << bits;
    packed.assign(static_cast<size_t>((count * bits + 7) / 8), 0);
    scales = random.Floats(int64_t{units} * blocks, 0.01, 0.1);
    for (float& scale : scales) scale = HalfToFloat(FloatToHalf(scale));
    for (int i = 0; i < count; ++i) {
      const auto number = static_cast<int>(random.Integer(-values / 2, values / 2 - 1));
      packed[static_cast<size_t>(i * bits / 8)] |=
          static_cast<uint8_t>((number & (values - 1)) << (i * bits % 8));
      floats.push_back(static_cast<float>(number) *
                       scales[static_cast<size_t>(i / depth * blocks + i % depth / block)]);
    }
  }
  std::vector<uint16_t> half_scales() const {
    std::vector<uint16_t> halves;
    for (const float scale : scales) halves.push_back(FloatToHalf(scale));
    return halves;
  }
};

// Rows that a row's own quantization to 8 bits represents exactly: whole steps of 1/64 from -128 to
// 127 on, both of which occur, or from 0 to 255 on.
inline std::vector<float> ExactRows(int rows, int depth, bool positive = false) {
  Random random(static_cast<uint64_t>(rows + depth));
  std::vector<float> values;
  for (int i = 0; i < rows * depth; ++i) {
    const int at = i % depth;
    const auto number = at == 0           ? int64_t{-128}
                        : at == depth - 1 ? int64_t{127}
                                          : random.Integer(-128, 127);
    values.push_back(static_cast<float>(number + (positive ? 128 : 0)) / 64);
  }
  return values;
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_BLOCK_WEIGHTS_H_
