// SPDX-License-Identifier: Apache-2.0
// A plan as bytes, to be compared and saved.
#ifndef TERN_GPU_PLAN_PLAN_BYTES_H_
#define TERN_GPU_PLAN_PLAN_BYTES_H_

#include <cstdint>
#include <vector>

#include "gpu/desc/plan.h"

namespace tern::gpu {

// All that the plan says. Kernels are in it by name and a hash of their text, so that plans with
// equal bytes are equal whatever build made them.
std::vector<uint8_t> PlanBytes(const Plan& plan);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_PLAN_BYTES_H_
