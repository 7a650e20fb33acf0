// SPDX-License-Identifier: Apache-2.0
// Reads the free memory of Linux from /proc/meminfo.
#include "runtime/free_memory.h"

#include <fstream>
#include <sstream>
#include <string>

namespace tern {

bool MemoryMayHold(size_t bytes) {
  constexpr size_t kWorthAsking = size_t{1} << 30;
  if (bytes < kWorthAsking) return true;
  std::ifstream file("/proc/meminfo");
  size_t kibibytes = 0;
  bool reported = false;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    size_t value = 0;
    words >> name >> value;
    if (name != "MemAvailable:" && name != "SwapFree:") continue;
    kibibytes += value;
    reported = true;
  }
  return !reported || bytes / 1024 <= kibibytes;
}

}  // namespace tern
