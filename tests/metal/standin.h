// SPDX-License-Identifier: Apache-2.0
// A stand-in for Metal, for tests on systems without it: the messages that the backend sends, over
// the host backend, which compiles and runs Metal's text. Command buffers run on a thread of their
// own, as on a GPU. standin_runtime.h tells how strict it is.
#ifndef TERN_TESTS_METAL_STANDIN_H_
#define TERN_TESTS_METAL_STANDIN_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <string>

#include "gpu/backends/metal/objc_runtime.h"

namespace tern::metal_standin {

// How the system is, and what happens to its device.
struct Settings {
  std::string name = "Tern's stand-in for Metal";
  std::set<int64_t> families = {1002, 1003, 1004, 1005, 1006, 1007};
  bool unified_memory = true;
  bool has_device = true;
  bool has_math_modes = true;                     // as since macOS 15
  bool has_events = true;                         // newEvent gives nil otherwise
  std::atomic<int64_t> buffers_left = INT64_MAX;  // then newBufferWithLength: gives nil
  std::atomic<int> next_error = 0;  // the code that the next command buffer fails with
  std::atomic<bool> holds = false;  // committed command buffers do not begin
};
Settings& TheSettings();

// How often something was asked for, since the process began.
struct Counts {
  std::atomic<long> commits, waits, dispatches, copies, contents;
  std::atomic<long> libraries, libraries_with_fast_math;
};
Counts& TheCounts();

// The functions that a Metal device is opened with.
gpu::ObjcFunctions Functions();

// The system's device is created again when it is asked for next: as the settings are then.
void ReplaceDevice();

// For tests that play the application. The caller owns what it gets.
gpu::Id TakeDevice();  // the system's
gpu::Id NewDevice();   // another one
gpu::Id NewBuffer(gpu::Id device, uint64_t bytes, bool shared = true);
void* Contents(gpu::Id buffer);

// Blocks until the thread of the GPU holds no command buffer: it lets go of one after the wait for
// it has ended.
void WaitUntilIdle();

}  // namespace tern::metal_standin

#endif  // TERN_TESTS_METAL_STANDIN_H_
