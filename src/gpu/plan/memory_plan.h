// SPDX-License-Identifier: Apache-2.0
// Offsets for the tensors of a plan: temporaries whose lives do not overlap share memory.
#ifndef TERN_GPU_PLAN_MEMORY_PLAN_H_
#define TERN_GPU_PLAN_MEMORY_PLAN_H_

#include "gpu/desc/plan.h"

namespace tern::gpu {

// Sets offset of every kTemp and kConstant tensor, and the two totals. Offsets are multiples of
// `alignment`. Greedy by size: large tensors first, each at the lowest free place (Pisarchyk and
// Lee 2020, arXiv 2001.03288).
void PlanMemory(Plan& plan, int alignment);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_MEMORY_PLAN_H_
