// SPDX-License-Identifier: Apache-2.0
// Integers of a JSON document. The library turns any number into any type, and what does not fit
// into whatever comes out.
#ifndef TERN_TOOLS_CLI_WHOLE_H_
#define TERN_TOOLS_CLI_WHOLE_H_

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "nlohmann/json.hpp"

namespace tern::cli {

// The number as a T. Throws std::out_of_range, with the number, when it is none or does not fit: as
// the library throws, for the reader of a document to catch.
template <class T>
T Whole(const nlohmann::json& j) {
  if (j.is_number_unsigned() && std::in_range<T>(j.get<uint64_t>())) {
    return static_cast<T>(j.get<uint64_t>());
  }
  if (j.is_number_integer() && !j.is_number_unsigned() && std::in_range<T>(j.get<int64_t>())) {
    return static_cast<T>(j.get<int64_t>());
  }
  throw std::out_of_range("no whole number, or too large: " + j.dump().substr(0, 40));
}

template <class T>
T WholeOr(const nlohmann::json& object, const char* key, T otherwise) {
  return object.contains(key) ? Whole<T>(object[key]) : otherwise;
}

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_WHOLE_H_
