// SPDX-License-Identifier: Apache-2.0
// Hashes of bytes, of 64 bits for cache keys and tables, of 128 for checksums: the same in every
// run; but for HashBulk and HashBulk128, which read words in the machine's order, also on every
// machine. Not meant against an adversary.
#ifndef TERN_BASE_HASH_H_
#define TERN_BASE_HASH_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace tern {

// Spreads every input bit over the whole word.
inline uint64_t MixBits(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

inline uint64_t CombineHash(uint64_t seed, uint64_t value) {
  return MixBits(seed * 0x9E3779B97F4A7C15ull + value + 0x632BE59BD9B4E019ull);
}

inline uint64_t HashBytes(const void* data, size_t size, uint64_t seed = 0) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  uint64_t hash = CombineHash(seed, size);
  uint64_t word = 0;
  while (size >= 8) {
    word = 0;
    for (int i = 0; i < 8; ++i) word |= static_cast<uint64_t>(bytes[i]) << (8 * i);
    hash = CombineHash(hash, word);
    bytes += 8;
    size -= 8;
  }
  if (size > 0) {
    word = 0;
    for (size_t i = 0; i < size; ++i) word |= static_cast<uint64_t>(bytes[i]) << (8 * i);
    hash = CombineHash(hash, word);
  }
  return hash;
}

// As fast as memory is read: four words at a time, each in a lane of its own. For weights.
inline uint64_t HashBulk(const void* data, size_t size) {
  constexpr uint64_t kFactor = 0x9E3779B97F4A7C15ull;
  const auto* bytes = static_cast<const unsigned char*>(data);
  uint64_t lanes[4] = {1, 2, 3, 4};
  size_t at = 0;
  for (; at + 32 <= size; at += 32) {
    for (int i = 0; i < 4; ++i) {
      uint64_t word;
      std::memcpy(&word, bytes + at + 8 * i, sizeof word);
      lanes[i] = (lanes[i] ^ word) * kFactor;
      lanes[i] ^= lanes[i] >> 29;
    }
  }
  uint64_t hash = HashBytes(bytes + at, size - at, size);
  for (const uint64_t lane : lanes) hash = CombineHash(hash, lane);
  return hash;
}

struct Hash128 {
  uint64_t words[2] = {0, 0};
  bool operator==(const Hash128&) const = default;
};

// HashBulk in 128 bits, for the checksums of files: two hashes with different factors, in one pass.
inline Hash128 HashBulk128(const void* data, size_t size) {
  constexpr uint64_t kFactors[2] = {0x9E3779B97F4A7C15ull, 0xD6E8FEB86659FD93ull};
  const auto* bytes = static_cast<const unsigned char*>(data);
  uint64_t lanes[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  size_t at = 0;
  for (; at + 32 <= size; at += 32) {
    for (int i = 0; i < 4; ++i) {
      uint64_t word;
      std::memcpy(&word, bytes + at + 8 * i, sizeof word);
      for (int k = 0; k < 2; ++k) {
        lanes[k][i] = (lanes[k][i] ^ word) * kFactors[k];
        lanes[k][i] ^= lanes[k][i] >> (29 + 3 * k);
      }
    }
  }
  Hash128 hash;
  for (int k = 0; k < 2; ++k) {
    hash.words[k] = HashBytes(bytes + at, size - at, CombineHash(kFactors[k], size));
    for (const uint64_t lane : lanes[k]) hash.words[k] = CombineHash(hash.words[k], lane);
  }
  return hash;
}

inline uint64_t HashBytes(std::span<const uint8_t> bytes, uint64_t seed = 0) {
  return HashBytes(bytes.data(), bytes.size(), seed);
}

inline uint64_t HashText(std::string_view text, uint64_t seed = 0) {
  return HashBytes(text.data(), text.size(), seed);
}

}  // namespace tern

#endif  // TERN_BASE_HASH_H_
