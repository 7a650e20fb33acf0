// SPDX-License-Identifier: Apache-2.0
// How much memory the process uses.
#ifndef TERN_TENSORFLOW_LITE_PROFILING_MEMORY_INFO_H_
#define TERN_TENSORFLOW_LITE_PROFILING_MEMORY_INFO_H_

#include <cstddef>
#include <cstdint>

namespace tflite {
namespace profiling {
namespace memory {

// All -1 (0 for the sizes) where the platform does not tell.
struct MemoryUsage {
  static constexpr int kValueNotSet = -1;
  static bool IsSupported();

  int64_t mem_footprint_kb = kValueNotSet;  // most that was ever resident, in KiB
  size_t total_allocated_bytes = 0;         // taken from the system by malloc
  size_t in_use_allocated_bytes = 0;        // of that, handed out
};

MemoryUsage GetMemoryUsage();

}  // namespace memory
}  // namespace profiling
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_PROFILING_MEMORY_INFO_H_
