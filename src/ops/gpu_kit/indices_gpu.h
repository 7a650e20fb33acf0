// SPDX-License-Identifier: Apache-2.0
// Operands that are indices.
#ifndef TERN_OPS_GPU_KIT_INDICES_GPU_H_
#define TERN_OPS_GPU_KIT_INDICES_GPU_H_

#include "absl/status/status.h"
#include "gpu/lower/lowering.h"

namespace tern::gpu {

// The operand holds INT32 or INT64.
absl::Status CheckIndices(const Node& node, const Lowering& lower, int input);

// Whether the tensor is computed or given as INT16 without a scale, which kernels see as reals.
bool HoldsShortIndices(const GraphTensor& tensor);

// Binds the operand as "indices", with REALS as a define where it HoldsShortIndices.
void ReadAnyIndices(int input, const GraphTensor& tensor, DispatchBuilder& dispatch);

// Kernels read the low halves of INT64 indices, as if the high halves were their signs. Indices
// that come from outside, constants and positions are known to be such; for operations that give
// indices beyond all bounds a meaning, others are refused.
absl::Status CheckFit32Bits(const Node& node, const Lowering& lower, int input);

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_INDICES_GPU_H_
