// SPDX-License-Identifier: Apache-2.0
// Arithmetic and comparisons of INT64 on the GPU. The halves of an operand are put side by side
// first, so that a dispatch binds one tensor for each operand, however few a device allows.
#ifndef TERN_OPS_ELEMENTWISE_INT64_GPU_H_
#define TERN_OPS_ELEMENTWISE_INT64_GPU_H_

#include "absl/status/status.h"
#include "gpu/lower/lowering.h"

namespace tern::gpu {

// Whether the operation has a form for INT64 numbers of all sizes.
bool HasInt64Pair(int builtin);

// Whether the first operand is INT64.
bool TakesInt64s(const Node& node, const Lowering& lower);

// The half of an INT64 output that the lowering uses, or a whole BOOL output.
absl::Status LowerInt64Pair(const Node& node, Lowering& lower, TfLiteFusedActivation activation);

}  // namespace tern::gpu

#endif  // TERN_OPS_ELEMENTWISE_INT64_GPU_H_
