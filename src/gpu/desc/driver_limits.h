// SPDX-License-Identifier: Apache-2.0
// Limits of drivers that no API tells.
#ifndef TERN_GPU_DESC_DRIVER_LIMITS_H_
#define TERN_GPU_DESC_DRIVER_LIMITS_H_

#include <cstdint>
#include <limits>
#include <string_view>

namespace tern::gpu {

// Mesa's software rasterizer, which runs programs of every API in one way.
inline bool IsLlvmpipe(std::string_view device_name) {
  return device_name.find("llvmpipe") != std::string_view::npos;
}

// For DeviceInfo::max_loop_iterations. Llvmpipe ends loops that take too long.
inline int64_t MaxLoopIterations(std::string_view device_name) {
  return IsLlvmpipe(device_name) ? 65535 : std::numeric_limits<int64_t>::max();
}

}  // namespace tern::gpu

#endif  // TERN_GPU_DESC_DRIVER_LIMITS_H_
