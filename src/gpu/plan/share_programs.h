// SPDX-License-Identifier: Apache-2.0
// Fewer programs: dispatches that differ in the steps of their chains alone get one text.
#ifndef TERN_GPU_PLAN_SHARE_PROGRAMS_H_
#define TERN_GPU_PLAN_SHARE_PROGRAMS_H_

#include <vector>

#include "gpu/desc/dispatch.h"
#include "gpu/desc/plan_tensor.h"

namespace tern::gpu {

// Dispatches of one kernel get a common chain: the one that has most operands, with steps that some
// of them leave out, with several expressions for a step, and with further steps that read nothing.
// Each step's choice says which of its expressions counts in a dispatch, or none. The operand of a
// step that is left out is a tensor that the dispatch reads anyway, so that no buffer is bound that
// the longest chain does not need. A graph has few such expressions: a text grows little, and a
// driver compiles what is around them once. Numbers stay the same.
void SharePrograms(const std::vector<PlanTensor>& tensors, int slice_width,
                   std::vector<Dispatch>& dispatches);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_SHARE_PROGRAMS_H_
