// SPDX-License-Identifier: Apache-2.0
// The operations that have a GPU form: the one place where ops meet the GPU compiler.
#ifndef TERN_OPS_GPU_REGISTRY_H_
#define TERN_OPS_GPU_REGISTRY_H_

#include "gpu/lower/lowering_table.h"

namespace tern::gpu {

const LoweringTable& GpuLoweringTable();

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_REGISTRY_H_
