// SPDX-License-Identifier: Apache-2.0
// The input of a fuzzer of models: a .tflite file, and behind it 16 bytes that say what is done
// with it. A file stays one that every tool reads, since readers go by offsets from its start.
#ifndef TERN_TESTS_FUZZ_INPUT_H_
#define TERN_TESTS_FUZZ_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace tern::fuzz {

struct Tail {
  uint8_t route = 0;  // what each target does with it, modulo the number of its routes
  uint8_t flags = 0;
  uint8_t input = 0;  // the input that is resized
  uint8_t rank = 0;   // its new rank and sizes
  int8_t sizes[6] = {};
  uint8_t fill = 0;  // values of the inputs: 0 for plain ones, else random bytes
  uint8_t spare[5] = {};

  static constexpr uint8_t kResizeFirst = 1;  // before the first allocation
  static constexpr uint8_t kResizeAgain = 2;  // after the first run
  static constexpr uint8_t kStrict = 4;
  static constexpr uint8_t kSignatures = 8;
  static constexpr uint8_t kPlain = 16;  // the reference CPU kernels
  static constexpr uint8_t kDelegateLate = 32;
  static constexpr uint8_t kHalf = 64;
  static constexpr uint8_t kMisplaced = 128;  // the file starts at an odd address

  bool Has(uint8_t flag) const { return (flags & flag) != 0; }
};
static_assert(sizeof(Tail) == 16);

struct Input {
  std::span<const uint8_t> file;
  Tail tail;
};

inline Input Split(const uint8_t* data, size_t size) {
  Input input;
  if (size < sizeof(Tail)) return input;
  input.file = {data, size - sizeof(Tail)};
  std::memcpy(&input.tail, data + input.file.size(), sizeof(Tail));
  return input;
}

inline std::vector<uint8_t> Join(std::span<const uint8_t> file, const Tail& tail) {
  std::vector<uint8_t> bytes(file.begin(), file.end());
  const auto* first = reinterpret_cast<const uint8_t*>(&tail);
  bytes.insert(bytes.end(), first, first + sizeof(tail));
  return bytes;
}

}  // namespace tern::fuzz

#endif  // TERN_TESTS_FUZZ_INPUT_H_
