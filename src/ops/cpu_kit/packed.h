// SPDX-License-Identifier: Apache-2.0
// Numbers of 4 or 2 bits, several in a byte, the first in its low bits, as one byte each.
#ifndef TERN_OPS_CPU_KIT_PACKED_H_
#define TERN_OPS_CPU_KIT_PACKED_H_

#include <cstdint>
#include <vector>

#include "ops/cpu_kit/op_kit.h"

namespace tern {

inline bool IsPacked(TfLiteType type) {
  const int64_t bits = ElementBits(type);
  return bits > 0 && bits < 8;
}

// The bits of each number, without its sign spread. The tensor has its memory (CheckData).
inline std::vector<uint8_t> Unpacked(const TfLiteTensor* t) {
  const int64_t bits = ElementBits(t->type);
  const int mask = (1 << bits) - 1;
  const uint8_t* bytes = Data<uint8_t>(t);
  std::vector<uint8_t> numbers(static_cast<size_t>(Elements(t)));
  int64_t at = 0;
  for (uint8_t& number : numbers) {
    number = static_cast<uint8_t>(bytes[at / 8] >> at % 8 & mask);
    at += bits;
  }
  return numbers;
}

// One byte per element of the tensor, of which the low bits count.
inline void WritePacked(const std::vector<uint8_t>& numbers, TfLiteTensor* t) {
  const int64_t bits = ElementBits(t->type);
  const int mask = (1 << bits) - 1;
  uint8_t* bytes = MutableData<uint8_t>(t);
  int64_t at = 0;
  for (const uint8_t number : numbers) {
    uint8_t& byte = bytes[at / 8];
    byte = static_cast<uint8_t>((at % 8 == 0 ? 0 : byte) | (number & mask) << at % 8);
    at += bits;
  }
}

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_PACKED_H_
