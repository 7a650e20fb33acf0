// SPDX-License-Identifier: Apache-2.0
// Options of custom ops for tests: a FlexBuffer map.
#ifndef TERN_OPS_TESTING_FLEX_OPTIONS_H_
#define TERN_OPS_TESTING_FLEX_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "flatbuffers/flexbuffers.h"

namespace tern::testing {

// `fill` adds the entries.
inline std::vector<uint8_t> FlexOptions(const std::function<void(flexbuffers::Builder&)>& fill) {
  flexbuffers::Builder builder;
  builder.Map([&] { fill(builder); });
  builder.Finish();
  return builder.GetBuffer();
}

inline std::vector<uint8_t> IntegerOptions(
    const std::vector<std::pair<const char*, int64_t>>& entries) {
  return FlexOptions([&](flexbuffers::Builder& b) {
    for (const auto& [key, value] : entries) b.Int(key, value);
  });
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_FLEX_OPTIONS_H_
