// SPDX-License-Identifier: Apache-2.0
// Threads for drivers' compilers, which take most of a start.
#ifndef TERN_GPU_DEVICE_BUILD_THREADS_H_
#define TERN_GPU_DEVICE_BUILD_THREADS_H_

#include <cstddef>
#include <functional>

namespace tern::gpu {

// Calls build(0) to build(count - 1) in this thread and others, a few at a time.
void OnBuildThreads(size_t count, const std::function<void(size_t)>& build);

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_BUILD_THREADS_H_
