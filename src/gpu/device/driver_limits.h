// SPDX-License-Identifier: Apache-2.0
// Limits of drivers that no API tells.
#ifndef TERN_GPU_DEVICE_DRIVER_LIMITS_H_
#define TERN_GPU_DEVICE_DRIVER_LIMITS_H_

#include <cstdint>
#include <limits>
#include <string_view>

namespace tern::gpu {

// For DeviceInfo::max_loop_iterations. Mesa's software rasterizer runs programs of every API in one
// way and ends loops that take too long.
inline int64_t MaxLoopIterations(std::string_view device_name) {
  const bool llvmpipe = device_name.find("llvmpipe") != std::string_view::npos;
  return llvmpipe ? 65535 : std::numeric_limits<int64_t>::max();
}

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_DRIVER_LIMITS_H_
