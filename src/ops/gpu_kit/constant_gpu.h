// SPDX-License-Identifier: Apache-2.0
// Outputs that are known before the run.
#ifndef TERN_OPS_GPU_KIT_CONSTANT_GPU_H_
#define TERN_OPS_GPU_KIT_CONSTANT_GPU_H_

#include "absl/status/status.h"
#include "gpu/lower/lowering.h"

namespace tern::gpu {

// Writes an output from the constant that it is.
absl::Status EmitConstant(const Node& node, int output, Lowering& lower);

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_CONSTANT_GPU_H_
