// SPDX-License-Identifier: Apache-2.0
// Threefry 2x32-20, a counter-based generator (Salmon et al., 2011): two random words for each
// value of a 64-bit counter.
#ifndef TERN_OPS_RANDOM_THREEFRY_H_
#define TERN_OPS_RANDOM_THREEFRY_H_

#include <array>
#include <bit>
#include <cstdint>

namespace tern {

inline std::array<uint32_t, 2> Threefry(uint64_t key, uint64_t counter) {
  constexpr int kTurns[8] = {13, 15, 26, 6, 17, 29, 16, 24};
  constexpr uint32_t kParity = 0x1BD11BDA;
  const auto low = static_cast<uint32_t>(key), high = static_cast<uint32_t>(key >> 32);
  const uint32_t keys[3] = {low, high, low ^ high ^ kParity};
  uint32_t a = static_cast<uint32_t>(counter) + keys[0];
  uint32_t b = static_cast<uint32_t>(counter >> 32) + keys[1];
  for (uint32_t round = 0; round < 20; ++round) {
    a += b;
    b = std::rotl(b, kTurns[round % 8]) ^ a;
    if (round % 4 != 3) continue;
    const uint32_t turn = round / 4 + 1;  // the key comes in again after every fourth round
    a += keys[turn % 3];
    b += keys[(turn + 1) % 3] + turn;
  }
  return {a, b};
}

}  // namespace tern

#endif  // TERN_OPS_RANDOM_THREEFRY_H_
