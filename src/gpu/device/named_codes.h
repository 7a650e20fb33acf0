// SPDX-License-Identifier: Apache-2.0
// Error codes of an API with their names, for messages.
#ifndef TERN_GPU_DEVICE_NAMED_CODES_H_
#define TERN_GPU_DEVICE_NAMED_CODES_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/str_cat.h"

namespace tern::gpu {

struct NamedCode {
  int64_t code;  // wide enough for APIs with and without signs
  const char* name;
};

// The row of a code whose name in the API's header is its name in messages.
#define TERN_NAMED_CODE(name) \
  { name, #name }

// A code that is not known is printed as a number: «API error -9999».
template <size_t kCount>
std::string CodeName(const NamedCode (&codes)[kCount], int64_t code, const char* api) {
  for (const NamedCode& known : codes) {
    if (known.code == code) return known.name;
  }
  return StrCat(api, " error ", code);
}

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_NAMED_CODES_H_
