// SPDX-License-Identifier: Apache-2.0
// A guard over halves: after each dispatch it looks for numbers that halves do not hold.
#ifndef TERN_GPU_PLAN_GUARD_H_
#define TERN_GPU_PLAN_GUARD_H_

#include <cstdint>
#include <vector>

#include "gpu/desc/plan.h"

namespace tern::gpu {

// Adds a watch, which is a dispatch of its own, behind each dispatch that writes halves in place of
// floats. Comes before memory is planned: what is watched lives until then.
void AddGuard(Plan& plan);

// The dispatches where NaN, an infinity or the largest half came up, without those that may only
// have been handed it. `flags` has one element per watch, not 0 where it found something.
std::vector<int> FirstBad(const Plan& plan, const std::vector<int32_t>& flags);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_GUARD_H_
