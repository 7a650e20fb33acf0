// SPDX-License-Identifier: Apache-2.0
// Reads numbers out of a FlexBuffer whose root is a map, as custom ops store their options. Every
// offset is checked before it is followed, so damaged bytes give errors only.
#ifndef TERN_OPS_DETECTION_POSTPROCESS_FLEX_MAP_H_
#define TERN_OPS_DETECTION_POSTPROCESS_FLEX_MAP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/status.h"

namespace tern {

class FlexMap {
 public:
  // The bytes must outlive the map.
  static StatusOr<FlexMap> Open(const void* bytes, size_t size);

  struct Number {
    bool integer = false;
    int64_t as_integer = 0;  // rounded towards zero when the number is a fraction
    double as_double = 0;
  };
  // Nothing when the key is absent; an error when its value is no number.
  StatusOr<std::optional<Number>> Find(std::string_view key) const;

 private:
  // Little-endian unsigned value of 1, 2, 4 or 8 bytes at `at`.
  bool Read(size_t at, size_t width, uint64_t* value) const;
  // Follows the backward offset stored at `at`.
  bool Follow(size_t at, size_t width, size_t* target) const;
  bool KeyIs(size_t index, std::string_view key, bool* equal) const;
  StatusOr<Number> ReadNumber(size_t index) const;

  const uint8_t* bytes_ = nullptr;
  size_t size_ = 0;
  // The map: position of its first value, bytes per value, number of entries; the same of its keys.
  size_t values_ = 0, width_ = 1, count_ = 0;
  size_t keys_ = 0, key_width_ = 1;
};

}  // namespace tern

#endif  // TERN_OPS_DETECTION_POSTPROCESS_FLEX_MAP_H_
