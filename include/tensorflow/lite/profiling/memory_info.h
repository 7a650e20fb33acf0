// SPDX-License-Identifier: Apache-2.0
// How much memory the process uses.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_MEMORY_INFO_H_
#define TERN_TENSORFLOW_LITE_PROFILING_MEMORY_INFO_H_

#include <cstddef>
#include <cstdint>
#include <ostream>

namespace tflite {
namespace profiling {
namespace memory {

// All -1 (0 for sizes of the heap) where the platform does not tell.
struct MemoryUsage {
  static constexpr int kValueNotSet = -1;
  static bool IsSupported();

  int64_t mem_footprint_kb = kValueNotSet;         // maximum resident set, in KiB
  size_t total_allocated_bytes = 0;                // taken from the system by malloc
  size_t in_use_allocated_bytes = 0;               // of that, handed out
  int64_t private_footprint_bytes = kValueNotSet;  // resident now, and of this process alone

  // By field: the memory of two things, and what was added between two looks.
  MemoryUsage operator+(const MemoryUsage& other) const;
  MemoryUsage operator-(const MemoryUsage& other) const;
  // One line without an end; sizes are in units of a million bytes.
  void AllStatsToStream(std::ostream* stream) const;
};

inline std::ostream& operator<<(std::ostream& stream, const MemoryUsage& usage) {
  usage.AllStatsToStream(&stream);
  return stream;
}

MemoryUsage GetMemoryUsage();

}  // namespace memory
}  // namespace profiling
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_PROFILING_MEMORY_INFO_H_
