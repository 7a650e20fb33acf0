// SPDX-License-Identifier: Apache-2.0
// Joins texts and numbers into one string, for messages. Takes std::string_view, which the Abseil
// of some systems does not.
#ifndef TERN_BASE_STR_CAT_H_
#define TERN_BASE_STR_CAT_H_

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

namespace tern {
namespace internal {

template <typename T>
void AppendPart(std::string& out, const T& part) {
  if constexpr (std::is_same_v<T, bool>) {
    out += part ? "true" : "false";
  } else if constexpr (std::is_same_v<T, char>) {
    out += part;
  } else if constexpr (std::is_integral_v<T>) {
    out += std::to_string(part);
  } else if constexpr (std::is_floating_point_v<T>) {
    char digits[32];
    std::snprintf(digits, sizeof(digits), "%g", static_cast<double>(part));
    out += digits;
  } else if constexpr (std::is_enum_v<T>) {
    out += std::to_string(static_cast<long long>(part));
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    out += std::string_view(part);
  } else {
    out.append(part.data(), part.size());
  }
}

}  // namespace internal

template <typename... Parts>
std::string StrCat(const Parts&... parts) {
  std::string out;
  (internal::AppendPart(out, parts), ...);
  return out;
}

}  // namespace tern

#endif  // TERN_BASE_STR_CAT_H_
