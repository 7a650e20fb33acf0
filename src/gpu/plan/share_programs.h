// SPDX-License-Identifier: Apache-2.0
// Fewer programs: dispatches that differ in their epilogue ops alone get one text.
#ifndef TERN_GPU_PLAN_SHARE_PROGRAMS_H_
#define TERN_GPU_PLAN_SHARE_PROGRAMS_H_

#include <vector>

#include "gpu/desc/dispatch.h"
#include "gpu/desc/plan_tensor.h"

namespace tern::gpu {

// Dispatches of one kernel get a common epilogue: the one with the most operands, with optional
// ops, with several expressions for an op, and with further ops without operands. The choice of an
// op selects one of its expressions in a dispatch, or none. The operand of an unused op is a tensor
// that the dispatch reads anyway, so that no dispatch binds more buffers than the longest epilogue.
// A graph has few such expressions: a text grows little, and a driver compiles what is around them
// once. Numbers stay the same.
void SharePrograms(const std::vector<PlanTensor>& tensors, int slice_width,
                   std::vector<Dispatch>& dispatches);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_SHARE_PROGRAMS_H_
