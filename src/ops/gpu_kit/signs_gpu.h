// SPDX-License-Identifier: Apache-2.0
// INT64 numbers that fit 32 bits, made whole.
#ifndef TERN_OPS_GPU_KIT_SIGNS_GPU_H_
#define TERN_OPS_GPU_KIT_SIGNS_GPU_H_

#include "absl/status/status.h"
#include "gpu/lower/lowering.h"

namespace tern::gpu {

// Writes -1 into the high words of an INT64 output where its low words are negative, else 0. The
// lowering must use the high words.
absl::Status EmitSigns(const Node& node, int output, Lowering& lower);

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_SIGNS_GPU_H_
