// SPDX-License-Identifier: Apache-2.0
// Weights of 8, 4 or 2 bits, dense or sparse, as one signed byte each.
#ifndef TERN_OPS_CPU_KIT_SMALL_INTEGERS_H_
#define TERN_OPS_CPU_KIT_SMALL_INTEGERS_H_

#include <cstdint>
#include <vector>

#include "ops/cpu_kit/op_kit.h"

namespace tern {

// Bits of one number: 8 for INT8 and UINT8, 4 for INT4, 2 for INT2, else 0.
int SmallIntegerBits(TfLiteType type);

// The signed number at `index` of packed ones, which fill a byte from its low bits on.
inline int8_t SmallIntegerAt(const uint8_t* bytes, int64_t index, int bits) {
  const int64_t at = index * bits;
  const auto shifted = static_cast<uint8_t>(bytes[at / 8] << (8 - bits - at % 8));
  return static_cast<int8_t>(static_cast<int8_t>(shifted) >> (8 - bits));
}

class SmallIntegers {
 public:
  // One byte per number, valid until the next call; UINT8 keeps its bits. Constants that must be
  // unpacked are unpacked once.
  StatusOr<const int8_t*> Get(const TfLiteTensor* t, const char* what);
  void Forget() { numbers_.clear(); }

 private:
  std::vector<int8_t> numbers_;
};

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_SMALL_INTEGERS_H_
