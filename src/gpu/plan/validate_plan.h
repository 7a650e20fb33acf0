// SPDX-License-Identifier: Apache-2.0
// A plan against the limits of a device, before any device call.
#ifndef TERN_GPU_PLAN_VALIDATE_PLAN_H_
#define TERN_GPU_PLAN_VALIDATE_PLAN_H_

#include "absl/status/status.h"
#include "gpu/desc/plan.h"

namespace tern::gpu {

// Buffers per dispatch, rounds of loops, group sizes, local memory, buffer sizes, tensor ids, names
// used twice. Errors read «CONV_2D #17: what (value, limit)».
absl::Status ValidatePlan(const Plan& plan, const DeviceInfo& device);
absl::Status ValidateDispatch(const std::vector<PlanTensor>& tensors, const Dispatch& dispatch,
                              const DeviceInfo& device, int slice_width);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_VALIDATE_PLAN_H_
