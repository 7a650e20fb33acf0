// SPDX-License-Identifier: Apache-2.0
// A plan as text for people and golden files.
#ifndef TERN_GPU_PLAN_PRINT_PLAN_H_
#define TERN_GPU_PLAN_PRINT_PLAN_H_

#include <string>

#include "gpu/desc/plan.h"

namespace tern::gpu {

std::string PrintPlan(const Plan& plan);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_PRINT_PLAN_H_
