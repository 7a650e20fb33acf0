// SPDX-License-Identifier: Apache-2.0
// Memory of this process, as Linux tells it.
#ifndef TERN_DELEGATE_TESTING_PROCESS_MEMORY_H_
#define TERN_DELEGATE_TESTING_PROCESS_MEMORY_H_

#include <cstdint>
#include <fstream>
#include <string>

namespace tern::delegate::testing {

// Bytes of a line of /proc/self/status: "VmRSS", what is resident, or "VmHWM", its peak; 0 where
// there is no such line.
inline int64_t FromStatus(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(name + ":", 0) == 0) return std::stoll(line.substr(name.size() + 1)) * 1024;
  }
  return 0;
}

}  // namespace tern::delegate::testing

#endif  // TERN_DELEGATE_TESTING_PROCESS_MEMORY_H_
