// SPDX-License-Identifier: Apache-2.0
// Philox 4x32-10, a counter-based generator (Salmon et al., 2011): four random words for each
// value of a 128-bit counter, and how words become floats and doubles in [0, 1).
#ifndef TERN_OPS_RANDOM_PHILOX_H_
#define TERN_OPS_RANDOM_PHILOX_H_

#include <array>
#include <bit>
#include <cstdint>

namespace tern {

class Philox {
 public:
  using Words = std::array<uint32_t, 4>;

  Philox() = default;
  // The first seed is the key, the second one the upper half of the counter.
  Philox(uint64_t seed, uint64_t seed2) : key_(seed), high_(seed2) {}

  // The words of the counter, which then moves on.
  Words Next() {
    Words words = {Low(low_), High(low_), Low(high_), High(high_)};
    uint32_t a = Low(key_), b = High(key_);
    for (int round = 0; round < 10; ++round) {
      const uint64_t p = uint64_t{0xD2511F53} * words[0], q = uint64_t{0xCD9E8D57} * words[2];
      words = {High(q) ^ words[1] ^ a, Low(q), High(p) ^ words[3] ^ b, Low(p)};
      a += 0x9E3779B9;
      b += 0xBB67AE85;
    }
    Skip(1);
    return words;
  }

  void Skip(uint64_t count) {
    low_ += count;
    if (low_ < count) ++high_;
  }

 private:
  static uint32_t Low(uint64_t v) { return static_cast<uint32_t>(v); }
  static uint32_t High(uint64_t v) { return static_cast<uint32_t>(v >> 32); }

  uint64_t key_ = 0, low_ = 0, high_ = 0;
};

// The lower 23 bits after the point.
inline float UnitFloat(uint32_t word) {
  return std::bit_cast<float>(0x3F800000u | (word & 0x7FFFFFu)) - 1.0f;
}

// 20 bits of the first word and all of the second after the point.
inline double UnitDouble(uint32_t upper, uint32_t lower) {
  const uint64_t fraction = uint64_t{upper & 0xFFFFFu} << 32 | lower;
  return std::bit_cast<double>(uint64_t{0x3FF} << 52 | fraction) - 1.0;
}

}  // namespace tern

#endif  // TERN_OPS_RANDOM_PHILOX_H_
