// SPDX-License-Identifier: Apache-2.0
// Metal's text alone tells what its kernel takes, as it does for a driver.
#ifndef TERN_TESTS_METAL_STANDIN_TEXT_H_
#define TERN_TESTS_METAL_STANDIN_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "gpu/device/device.h"

namespace tern::metal_standin {

// Buffers, uniforms, local arrays and barriers of tern_main.
absl::StatusOr<gpu::ProgramSource> ReadKernel(const std::string& text);

}  // namespace tern::metal_standin

#endif  // TERN_TESTS_METAL_STANDIN_TEXT_H_
