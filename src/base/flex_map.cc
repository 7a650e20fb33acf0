// SPDX-License-Identifier: Apache-2.0
#include "base/flex_map.h"

#include <cmath>
#include <cstring>
#include <string>
#include <utility>

// FlatBuffers reads numbers out of texts, too, by a locale that only its library has. No text is
// read so here, and the headers are enough.
#define FLATBUFFERS_LOCALE_INDEPENDENT 0
#include "flatbuffers/base.h"
#if defined(__arm__)  // Where 8 bytes must be aligned to be loaded: damaged keys may lie anywhere.
template <>
inline __attribute__((always_inline)) uint64_t flatbuffers::ReadScalar(const void* bytes) {
  uint64_t value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}
#endif
#include "flatbuffers/flexbuffers.h"

namespace tern {

using flexbuffers::Reference;

struct FlexMap::Content {
  std::shared_ptr<const std::vector<uint8_t>> bytes;
  flexbuffers::Map map;

  Reference At(std::string_view key) const { return map[std::string(key)]; }
};

FlexMap::FlexMap(Content content) : content_(std::make_shared<Content>(std::move(content))) {}

StatusOr<FlexMap> FlexMap::Open(const void* bytes, size_t size) {
  const Status damaged = Invalid("the options are damaged");
  if (bytes == nullptr || size >= FLATBUFFERS_MAX_BUFFER_SIZE) return damaged;
  // The copy is aligned and ends in a zero: VerifyBuffer of FlatBuffers 2.0.8 and 23.5.26 does not
  // see that a last key has no end.
  const auto copy = std::make_shared<std::vector<uint8_t>>(size + 1);
  std::memcpy(copy->data(), bytes, size);
  std::vector<uint8_t> seen;  // what is shared is verified once; else time may be quadratic
  if (!flexbuffers::VerifyBuffer(copy->data(), size, &seen)) return damaged;
  const Reference root = flexbuffers::GetRoot(copy->data(), size);
  if (!root.IsMap()) return Invalid("the options are no map");
  return FlexMap({copy, root.AsMap()});
}

StatusOr<std::optional<FlexMap::Number>> FlexMap::Find(std::string_view key) const {
  const Reference value = content_->At(key);
  if (value.IsNull()) return std::optional<Number>();
  if (!value.IsNumeric() && !value.IsBool()) return Invalid("it is no number");
  Number number{!value.IsFloat(), 0, value.AsDouble()};
  if (number.integer || std::fabs(number.as_double) < 9e18) number.as_integer = value.AsInt64();
  return std::optional<Number>(number);
}

StatusOr<std::optional<std::vector<int64_t>>> FlexMap::FindIntegers(std::string_view key) const {
  const Reference value = content_->At(key);
  if (value.IsNull()) return std::optional<std::vector<int64_t>>();
  std::vector<int64_t> integers;
  const auto read = [&](const auto& list) {
    for (size_t i = 0; i < list.size(); ++i) {
      const Reference element = list[i];
      if (!element.IsIntOrUint() && !element.IsBool()) return false;
      integers.push_back(element.AsInt64());
    }
    return true;
  };
  const bool all = value.IsUntypedVector()      ? read(value.AsVector())
                   : value.IsTypedVector()      ? read(value.AsTypedVector())
                   : value.IsFixedTypedVector() ? read(value.AsFixedTypedVector())
                                                : false;
  if (!all) return Invalid("it is not a list of integers");
  return std::optional<std::vector<int64_t>>(std::move(integers));
}

StatusOr<std::optional<std::string_view>> FlexMap::FindText(std::string_view key) const {
  const Reference value = content_->At(key);
  if (value.IsNull()) return std::optional<std::string_view>();
  if (!value.IsString()) return Invalid("it is no text");
  const flexbuffers::String text = value.AsString();
  return std::optional<std::string_view>(std::string_view(text.c_str(), text.length()));
}

StatusOr<std::optional<FlexMap>> FlexMap::FindMap(std::string_view key) const {
  const Reference value = content_->At(key);
  if (value.IsNull()) return std::optional<FlexMap>();
  if (!value.IsMap()) return Invalid("it is no map");
  return std::optional<FlexMap>(FlexMap({content_->bytes, value.AsMap()}));
}

std::vector<std::string_view> FlexMap::Keys() const {
  const flexbuffers::TypedVector list = content_->map.Keys();
  std::vector<std::string_view> keys;
  for (size_t i = 0; i < list.size(); ++i) keys.push_back(list[i].AsKey());
  return keys;
}

}  // namespace tern
