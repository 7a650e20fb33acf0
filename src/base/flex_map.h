// SPDX-License-Identifier: Apache-2.0
// Reads numbers, lists and further maps out of a FlexBuffer whose root is a map, as custom ops
// store their options. Every offset is checked before it is followed, so damaged bytes give errors
// only.
#ifndef TERN_BASE_FLEX_MAP_H_
#define TERN_BASE_FLEX_MAP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

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
  // Nothing when the key is absent; an error when its value is something else.
  StatusOr<std::optional<Number>> Find(std::string_view key) const;
  StatusOr<std::optional<std::vector<int64_t>>> FindIntegers(std::string_view key) const;
  StatusOr<std::optional<std::string_view>> FindText(std::string_view key) const;
  StatusOr<std::optional<FlexMap>> FindMap(std::string_view key) const;
  // All keys, as they lie in the bytes.
  StatusOr<std::vector<std::string_view>> Keys() const;

 private:
  // Where a value or an offset to it lies, and its type.
  struct Place {
    size_t at, width;
    uint64_t type;     // without the width of what lies after an offset
    size_t inner = 1;  // that width
  };

  // The map of these bytes whose first value lies at `values`, with `width` bytes for each.
  static StatusOr<FlexMap> MapAt(const uint8_t* bytes, size_t size, size_t values, size_t width);
  // Little-endian unsigned value of 1, 2, 4 or 8 bytes at `at`.
  bool Read(size_t at, size_t width, uint64_t* value) const;
  // Follows the backward offset stored at `at`.
  bool Follow(size_t at, size_t width, size_t* target) const;
  bool KeyIs(size_t index, std::string_view key, bool* equal) const;
  static Place MakePlace(size_t at, size_t width, uint64_t packed);
  StatusOr<std::optional<Place>> FindPlace(std::string_view key) const;
  StatusOr<Number> ReadNumber(Place place) const;
  StatusOr<std::vector<int64_t>> ReadIntegers(const Place& place) const;

  const uint8_t* bytes_ = nullptr;
  size_t size_ = 0;
  // The map: position of its first value, bytes per value, number of entries; the same of its keys.
  size_t values_ = 0, width_ = 1, count_ = 0;
  size_t keys_ = 0, key_width_ = 1;
};

}  // namespace tern

#endif  // TERN_BASE_FLEX_MAP_H_
