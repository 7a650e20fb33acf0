// SPDX-License-Identifier: Apache-2.0
// Fewer programs: dispatches that differ in the last step of their chain alone get one text.
#ifndef TERN_GPU_PLAN_SHARE_PROGRAMS_H_
#define TERN_GPU_PLAN_SHARE_PROGRAMS_H_

#include <vector>

#include "gpu/desc/dispatch.h"
#include "gpu/desc/plan_tensor.h"

namespace tern::gpu {

// Last steps without an operand, activations above all, become one step with all their expressions
// in each of these dispatches, and the uniform kChoice says which one counts; no step at all is one
// of them. A graph has few such expressions, so a text grows little, and a driver compiles what is
// around them once. Numbers stay the same.
void SharePrograms(const std::vector<PlanTensor>& tensors, int slice_width,
                   std::vector<Dispatch>& dispatches);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_SHARE_PROGRAMS_H_
