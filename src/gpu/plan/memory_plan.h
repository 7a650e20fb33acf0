// SPDX-License-Identifier: Apache-2.0
// Places for the tensors of a plan: temporaries whose lives do not overlap share memory.
#ifndef TERN_GPU_PLAN_MEMORY_PLAN_H_
#define TERN_GPU_PLAN_MEMORY_PLAN_H_

#include "gpu/desc/plan.h"

namespace tern::gpu {

// Sets buffer and offset of every kTemp and kConstant tensor, and the sizes of the buffers. Offsets
// are multiples of `alignment`. No buffer is longer than `max`, unless a tensor alone is.
void PlanMemory(Plan& plan, int alignment, int64_t max);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_MEMORY_PLAN_H_
