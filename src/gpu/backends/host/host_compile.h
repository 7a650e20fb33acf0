// SPDX-License-Identifier: Apache-2.0
// Printed Metal text to code of this process, with the system's C++ compiler.
#ifndef TERN_GPU_BACKENDS_HOST_HOST_COMPILE_H_
#define TERN_GPU_BACKENDS_HOST_HOST_COMPILE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "gpu/device/device.h"

namespace tern::gpu {

// Entry points of a loaded kernel. Code stays loaded until the process ends.
struct HostProgram {
  // Runs groups first .. last - 1 (in the order x, y, z) item by item; only without barriers.
  void (*run_groups)(void* const* buffers, const uint32_t* uniforms, const uint32_t* group_size,
                     const uint32_t* groups, uint32_t first, uint32_t last) = nullptr;
  // Runs one work-item; ids are its place in the grid, its place in the group, and its group's.
  void (*run_item)(void* const* buffers, const uint32_t* uniforms, const uint32_t* ids) = nullptr;
  void (**barrier)() = nullptr;  // what BARRIER calls
};

// Compiles and loads; equal texts are compiled once per process. $CXX names the compiler, else g++
// is taken. Sanitizers of this process are switched on in the kernel too. The error of a failed
// compilation carries the first lines of the compiler's output. Safe to call from several threads.
absl::StatusOr<HostProgram> CompileForHost(const ProgramSource& source);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_HOST_HOST_COMPILE_H_
