// SPDX-License-Identifier: Apache-2.0
// Fewer programs: dispatches that differ in the steps of their chains alone get one text.
#ifndef TERN_GPU_PLAN_SHARE_PROGRAMS_H_
#define TERN_GPU_PLAN_SHARE_PROGRAMS_H_

#include <vector>

#include "gpu/desc/dispatch.h"
#include "gpu/desc/plan_tensor.h"

namespace tern::gpu {

// Dispatches of one kernel in one form get the steps of all of them: at each place the expressions
// of all, of which the step's choice says which counts, and a step that some of them lack is
// optional. One that lacks a step with an operand names a tensor for it that it reads anyway, so
// that none binds more buffers than the largest of them did. A graph has few such steps: a text
// grows little, and a driver compiles what is around them once. Numbers stay the same.
void SharePrograms(const std::vector<PlanTensor>& tensors, int slice_width,
                   std::vector<Dispatch>& dispatches);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_SHARE_PROGRAMS_H_
