// SPDX-License-Identifier: Apache-2.0
// FlexBuffers are read from their end: the last bytes say where the root is, offsets point
// backwards.
#include "base/flex_map.h"

#include <cmath>
#include <cstring>
#include <utility>

namespace tern {
namespace {

enum Type {
  kNull = 0,
  kInt = 1,
  kUInt = 2,
  kFloat = 3,
  kString = 5,
  kIndirectInt = 6,
  kIndirectUInt = 7,
  kIndirectFloat = 8,
  kMap = 9,
  kVector = 10,
  kVectorInt = 11,
  kVectorUInt = 12,
  // Two, three or four numbers, without their count.
  kVectorInt2 = 16,
  kVectorUInt2 = 17,
  kVectorInt3 = 19,
  kVectorUInt3 = 20,
  kVectorInt4 = 22,
  kVectorUInt4 = 23,
  kBool = 26
};

Status Damaged() { return Invalid("the options are damaged"); }

bool IsWidth(uint64_t width) { return width == 1 || width == 2 || width == 4 || width == 8; }

int64_t SignExtend(uint64_t value, size_t width) {
  const int shift = 64 - 8 * static_cast<int>(width);
  return static_cast<int64_t>(value << shift) >> shift;
}

}  // namespace

bool FlexMap::Read(size_t at, size_t width, uint64_t* value) const {
  if (at > size_ || width > size_ - at) return false;
  *value = 0;
  for (size_t i = 0; i < width; ++i) *value |= uint64_t{bytes_[at + i]} << (8 * i);
  return true;
}

bool FlexMap::Follow(size_t at, size_t width, size_t* target) const {
  uint64_t offset;
  if (!Read(at, width, &offset) || offset > at) return false;
  *target = at - static_cast<size_t>(offset);
  return true;
}

StatusOr<FlexMap> FlexMap::Open(const void* bytes, size_t size) {
  FlexMap map;
  map.bytes_ = static_cast<const uint8_t*>(bytes);
  map.size_ = size;
  if (bytes == nullptr || size < 3) return Damaged();
  const size_t root_width = map.bytes_[size - 1];
  const uint8_t type = map.bytes_[size - 2];
  if (!IsWidth(root_width) || size - 2 < root_width) return Damaged();
  if (type >> 2 != kMap) return Invalid("the options are no map");
  size_t values;
  if (!map.Follow(size - 2 - root_width, root_width, &values)) return Damaged();
  return MapAt(map.bytes_, size, values, size_t{1} << (type & 3));
}

StatusOr<FlexMap> FlexMap::MapAt(const uint8_t* bytes, size_t size, size_t values, size_t width) {
  FlexMap map;
  map.bytes_ = bytes;
  map.size_ = size;
  map.values_ = values;
  map.width_ = width;
  uint64_t count, key_width, key_count;
  if (map.values_ < 3 * map.width_ || !map.Read(map.values_ - map.width_, map.width_, &count) ||
      !map.Read(map.values_ - 2 * map.width_, map.width_, &key_width) || !IsWidth(key_width) ||
      !map.Follow(map.values_ - 3 * map.width_, map.width_, &map.keys_) || map.keys_ < key_width ||
      !map.Read(map.keys_ - key_width, key_width, &key_count) || key_count != count ||
      count > size) {
    return Damaged();
  }
  map.key_width_ = static_cast<size_t>(key_width);
  map.count_ = static_cast<size_t>(count);
  return map;
}

bool FlexMap::KeyIs(size_t index, std::string_view key, bool* equal) const {
  size_t text;
  if (!Follow(keys_ + index * key_width_, key_width_, &text)) return false;
  const size_t room = size_ - text;
  *equal = room > key.size() && std::memcmp(bytes_ + text, key.data(), key.size()) == 0 &&
           bytes_[text + key.size()] == 0;
  return true;
}

FlexMap::Place FlexMap::MakePlace(size_t at, size_t width, uint64_t packed) {
  return {at, width, packed >> 2, size_t{1} << (packed & 3)};
}

StatusOr<FlexMap::Number> FlexMap::ReadNumber(Place place) const {
  const uint64_t type = place.type;
  if (type == kIndirectInt || type == kIndirectUInt || type == kIndirectFloat) {
    if (!Follow(place.at, place.width, &place.at)) return Damaged();
    place.width = place.inner;
  }
  const size_t width = place.width;
  uint64_t bits;
  if (!Read(place.at, width, &bits)) return Damaged();
  Number number;
  if (type == kInt || type == kIndirectInt || type == kUInt || type == kIndirectUInt ||
      type == kBool) {
    number.integer = true;
    const bool has_sign = type == kInt || type == kIndirectInt;
    number.as_integer = has_sign ? SignExtend(bits, width) : static_cast<int64_t>(bits);
    number.as_double = static_cast<double>(number.as_integer);
    return number;
  }
  if ((type != kFloat && type != kIndirectFloat) || width < 4) return Invalid("it is no number");
  if (width == 4) {
    const uint32_t float_bits = static_cast<uint32_t>(bits);
    float value;
    std::memcpy(&value, &float_bits, sizeof(value));
    number.as_double = double{value};
  } else {
    std::memcpy(&number.as_double, &bits, sizeof(number.as_double));
  }
  if (std::fabs(number.as_double) < 9e18) {
    number.as_integer = static_cast<int64_t>(number.as_double);
  }
  return number;
}

StatusOr<std::vector<int64_t>> FlexMap::ReadIntegers(const Place& place) const {
  size_t first;
  if (!Follow(place.at, place.width, &first)) return Damaged();
  uint64_t type = kInt, count = 0;
  switch (place.type) {
    case kVectorInt2:
    case kVectorUInt2:
      count = 2;
      break;
    case kVectorInt3:
    case kVectorUInt3:
      count = 3;
      break;
    case kVectorInt4:
    case kVectorUInt4:
      count = 4;
      break;
    case kVector:
    case kVectorInt:
    case kVectorUInt:
      if (first < place.inner || !Read(first - place.inner, place.inner, &count)) return Damaged();
      break;
    default:
      return Invalid("it is not a list of integers");
  }
  if (count > size_ / place.inner) return Damaged();
  for (const uint64_t without_sign : {kVectorUInt, kVectorUInt2, kVectorUInt3, kVectorUInt4}) {
    if (place.type == without_sign) type = kUInt;
  }
  std::vector<int64_t> values;
  for (uint64_t i = 0; i < count; ++i) {
    Place element{first + static_cast<size_t>(i) * place.inner, place.inner, type};
    if (place.type == kVector) {
      uint64_t packed;
      if (!Read(first + count * place.inner + i, 1, &packed)) return Damaged();
      element = MakePlace(element.at, element.width, packed);
    }
    TERN_ASSIGN_OR_RETURN(const Number number, ReadNumber(element));
    if (!number.integer) return Invalid("it is not a list of integers");
    values.push_back(number.as_integer);
  }
  return values;
}

StatusOr<std::optional<FlexMap::Place>> FlexMap::FindPlace(std::string_view key) const {
  for (size_t i = 0; i < count_; ++i) {
    bool equal;
    if (!KeyIs(i, key, &equal)) return Damaged();
    if (!equal) continue;
    uint64_t packed;
    if (!Read(values_ + count_ * width_ + i, 1, &packed)) return Damaged();
    return std::optional<Place>(MakePlace(values_ + i * width_, width_, packed));
  }
  return std::optional<Place>();
}

StatusOr<std::optional<FlexMap::Number>> FlexMap::Find(std::string_view key) const {
  TERN_ASSIGN_OR_RETURN(const std::optional<Place> place, FindPlace(key));
  if (!place.has_value()) return std::optional<Number>();
  TERN_ASSIGN_OR_RETURN(const Number number, ReadNumber(*place));
  return std::optional<Number>(number);
}

StatusOr<std::optional<std::vector<int64_t>>> FlexMap::FindIntegers(std::string_view key) const {
  TERN_ASSIGN_OR_RETURN(const std::optional<Place> place, FindPlace(key));
  if (!place.has_value()) return std::optional<std::vector<int64_t>>();
  TERN_ASSIGN_OR_RETURN(std::vector<int64_t> values, ReadIntegers(*place));
  return std::optional<std::vector<int64_t>>(std::move(values));
}

StatusOr<std::optional<std::string_view>> FlexMap::FindText(std::string_view key) const {
  TERN_ASSIGN_OR_RETURN(const std::optional<Place> place, FindPlace(key));
  if (!place.has_value()) return std::optional<std::string_view>();
  size_t first;
  uint64_t length;
  if (place->type != kString) return Invalid("it is no text");
  if (!Follow(place->at, place->width, &first) || first < place->inner ||
      !Read(first - place->inner, place->inner, &length) || length > size_ - first) {
    return Damaged();
  }
  return std::optional<std::string_view>(
      std::string_view(reinterpret_cast<const char*>(bytes_) + first, length));
}

StatusOr<std::optional<FlexMap>> FlexMap::FindMap(std::string_view key) const {
  TERN_ASSIGN_OR_RETURN(const std::optional<Place> place, FindPlace(key));
  if (!place.has_value()) return std::optional<FlexMap>();
  if (place->type != kMap) return Invalid("it is no map");
  size_t values;
  if (!Follow(place->at, place->width, &values)) return Damaged();
  TERN_ASSIGN_OR_RETURN(const FlexMap map, MapAt(bytes_, size_, values, place->inner));
  return std::optional<FlexMap>(map);
}

StatusOr<std::vector<std::string_view>> FlexMap::Keys() const {
  std::vector<std::string_view> keys;
  for (size_t i = 0; i < count_; ++i) {
    size_t text;
    if (!Follow(keys_ + i * key_width_, key_width_, &text)) return Damaged();
    const void* end = std::memchr(bytes_ + text, 0, size_ - text);
    if (end == nullptr) return Damaged();
    const auto length = static_cast<size_t>(static_cast<const uint8_t*>(end) - (bytes_ + text));
    keys.emplace_back(reinterpret_cast<const char*>(bytes_ + text), length);
  }
  return keys;
}

}  // namespace tern
