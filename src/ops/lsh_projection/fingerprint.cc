// SPDX-License-Identifier: Apache-2.0
// FarmHash has a formula of its own for up to 16, 32 and 64 bytes; longer keys go through a state
// of seven words in blocks of 64 bytes, of which the last one may overlap the one before it.
#include "ops/lsh_projection/fingerprint.h"

#include <bit>
#include <utility>

namespace tern {
namespace {

constexpr uint64_t kA = 0xC3A5C85C97CB3127, kB = 0xB492B66FBE98F273, kC = 0x9AE16A3B2F90404F;

uint64_t Little(const uint8_t* bytes, int count) {
  uint64_t word = 0;
  for (int i = 0; i < count; ++i) word |= uint64_t{bytes[i]} << (8 * i);
  return word;
}
uint64_t Word(const uint8_t* bytes) { return Little(bytes, 8); }
uint64_t Fold(uint64_t v) { return v ^ (v >> 47); }
uint64_t Turn(uint64_t v, int right) { return std::rotr(v, right); }
uint64_t Join(uint64_t a, uint64_t b, uint64_t factor) {
  return Fold((b ^ Fold((a ^ b) * factor)) * factor) * factor;
}

uint64_t UpTo16(const uint8_t* s, size_t size) {
  if (size == 0) return kC;
  if (size < 4) {
    const uint64_t low = s[0] + (uint64_t{s[size / 2]} << 8);
    const uint64_t high = size + (uint64_t{s[size - 1]} << 2);
    return Fold(low * kC ^ high * kA) * kC;
  }
  const uint64_t factor = kC + 2 * size;
  if (size < 8) return Join(size + (Little(s, 4) << 3), Little(s + size - 4, 4), factor);
  const uint64_t first = Word(s) + kC, last = Word(s + size - 8);
  return Join(Turn(last, 37) * factor + first, (Turn(first, 25) + last) * factor, factor);
}

// The two words that keys of 17 to 64 bytes make of their ends.
struct Ends {
  uint64_t first, second, last, factor, sum, mixed;
};
Ends EndsOf(const uint8_t* s, size_t size, uint64_t scale) {
  Ends e{};
  e.factor = kC + 2 * size;
  e.first = Word(s) * scale;
  e.second = Word(s + 8);
  e.last = Word(s + size - 8) * e.factor;
  e.sum = Turn(e.first + e.second, 43) + Turn(e.last, 30) + Word(s + size - 16) * kC;
  e.mixed = Join(e.sum, e.first + Turn(e.second + kC, 18) + e.last, e.factor);
  return e;
}

uint64_t UpTo64(const uint8_t* s, size_t size) {
  const Ends e = EndsOf(s, size, kC);
  const uint64_t a = Word(s + 16) * e.factor, b = Word(s + 24);
  const uint64_t c = (e.sum + Word(s + size - 32)) * e.factor;
  const uint64_t d = (e.mixed + Word(s + size - 24)) * e.factor;
  return Join(Turn(a + b, 43) + Turn(c, 30) + d, a + Turn(b + e.first, 18) + c, e.factor);
}

struct Pair {
  uint64_t first, second;
};

// 32 bytes and two seeds.
Pair Mix32(const uint8_t* s, uint64_t a, uint64_t b) {
  const uint64_t last = Word(s + 24);
  a += Word(s);
  b = Turn(b + a + last, 21);
  const uint64_t sum = a + Word(s + 8) + Word(s + 16);
  return {sum + last, b + Turn(sum, 44) + a};
}

struct HashState {
  uint64_t x, y, z;
  Pair v, w;

  void Block(const uint8_t* s, uint64_t factor, uint64_t weight) {
    x = Turn(x + y + v.first + Word(s + 8), 37) * factor;
    y = Turn(y + v.second + Word(s + 48), 42) * factor;
    x ^= w.second * weight;
    y += v.first * weight + Word(s + 40);
    z = Turn(z + w.first, 33) * factor;
    v = Mix32(s, v.second * factor, x + w.first);
    w = Mix32(s + 32, z + w.second, y + Word(s + 16));
    std::swap(z, x);
  }
};

uint64_t Long(const uint8_t* s, size_t size) {
  constexpr uint64_t kSeed = 81;
  const uint64_t y = kSeed * kB + 113;
  HashState state = {kSeed * kC + Word(s), y, Fold(y * kC + 113) * kC, {}, {}};
  const size_t rest = (size - 1) % 64, whole = size - 1 - rest;
  for (size_t at = 0; at < whole; at += 64) state.Block(s + at, kB, 1);
  const uint64_t factor = kB + ((state.z & 0xFF) << 1);
  state.w.first += rest;
  state.v.first += state.w.first;
  state.w.first += state.v.first;
  state.Block(s + size - 64, factor, 9);
  return Join(Join(state.v.first, state.w.first, factor) + Fold(state.y) * kA + state.z,
              Join(state.v.second, state.w.second, factor) + state.x, factor);
}

}  // namespace

uint64_t Fingerprint(std::span<const uint8_t> bytes) {
  const uint8_t* s = bytes.data();
  const size_t size = bytes.size();
  if (size <= 16) return UpTo16(s, size);
  if (size <= 32) return EndsOf(s, size, kB).mixed;
  return size <= 64 ? UpTo64(s, size) : Long(s, size);
}

}  // namespace tern
