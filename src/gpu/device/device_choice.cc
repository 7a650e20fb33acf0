// SPDX-License-Identifier: Apache-2.0
// A choice of digits is a place, anything else a name.
#include "gpu/device/device_choice.h"

#include <cctype>

#include "base/status.h"

namespace tern::gpu {
namespace {

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

absl::StatusOr<std::vector<size_t>> ChooseDevices(const std::vector<std::string>& names,
                                                  const std::string& choice, const char* api) {
  std::vector<size_t> chosen;
  std::string list;
  const bool number = choice.find_first_not_of("0123456789") == std::string::npos;
  for (size_t i = 0; i < names.size(); ++i) {
    list += StrCat(i == 0 ? "" : ", ", i, ": ", names[i]);
    const bool meant =
        choice.empty() ||
        (number ? StrCat(i) == choice : Lower(names[i]).find(Lower(choice)) != std::string::npos);
    if (meant) chosen.push_back(i);
  }
  if (chosen.empty()) return Unavailable(api, ": no device '", choice, "' (", list, ")");
  return chosen;
}

}  // namespace tern::gpu
