// SPDX-License-Identifier: Apache-2.0
// The names of a signature's tensors.
#ifndef TERN_API_INTERPRETER_SIGNATURE_NAMES_H_
#define TERN_API_INTERPRETER_SIGNATURE_NAMES_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tern {

// In the order of the map, which owns the texts.
inline std::vector<const char*> NamesIn(const std::map<std::string, uint32_t>& tensors) {
  std::vector<const char*> names;
  names.reserve(tensors.size());
  for (const auto& [name, index] : tensors) names.push_back(name.c_str());
  return names;
}

// -1 for an unknown or null name, and for an absent tensor.
inline int TensorIndexIn(const std::map<std::string, uint32_t>& tensors, const char* name) {
  if (name == nullptr) return -1;
  const auto found = tensors.find(name);
  return found == tensors.end() ? -1 : static_cast<int>(found->second);
}

}  // namespace tern

#endif  // TERN_API_INTERPRETER_SIGNATURE_NAMES_H_
