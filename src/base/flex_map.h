// SPDX-License-Identifier: Apache-2.0
// Reads numbers, lists, texts and further maps out of a FlexBuffer whose root is a map, as custom
// ops store their options. All bytes are verified first, so damaged ones give errors only.
#ifndef TERN_BASE_FLEX_MAP_H_
#define TERN_BASE_FLEX_MAP_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tern {

// Texts and keys live as long as the map that they come from or a copy of it.
class FlexMap {
 public:
  static StatusOr<FlexMap> Open(const void* bytes, size_t size);

  struct Number {
    bool integer = false;
    int64_t as_integer = 0;  // rounded towards zero when the number is a fraction
    double as_double = 0;
  };
  // Nothing when the key is absent or its value null; an error when its value is something else.
  StatusOr<std::optional<Number>> Find(std::string_view key) const;
  StatusOr<std::optional<std::vector<int64_t>>> FindIntegers(std::string_view key) const;
  StatusOr<std::optional<std::string_view>> FindText(std::string_view key) const;
  StatusOr<std::optional<FlexMap>> FindMap(std::string_view key) const;
  std::vector<std::string_view> Keys() const;

 private:
  struct Content;
  explicit FlexMap(Content content);

  std::shared_ptr<const Content> content_;
};

}  // namespace tern

#endif  // TERN_BASE_FLEX_MAP_H_
