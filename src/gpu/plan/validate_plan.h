// SPDX-License-Identifier: Apache-2.0
// A plan against the limits of a device, before any device call.
#ifndef TERN_GPU_PLAN_VALIDATE_PLAN_H_
#define TERN_GPU_PLAN_VALIDATE_PLAN_H_

#include <vector>

#include "absl/status/status.h"
#include "gpu/desc/plan.h"

namespace tern::gpu {

// Something in a plan that is beyond a device: a dispatch or a tensor.
struct Excess {
  absl::Status status;  // «CONV_2D #17: what (value, limit)», or the tensor's size
  int dispatch = -1;    // one of the plan's, or
  TensorId tensor = -1;
};

// Buffers per dispatch, loop iterations, group sizes, local memory, sizes of tensors, tensor ids,
// names used twice. Buffers that several tensors share follow from their sizes.
std::vector<Excess> FindExcesses(const Plan& plan, const DeviceInfo& device);
// The first of them.
absl::Status ValidatePlan(const Plan& plan, const DeviceInfo& device);
absl::Status ValidateDispatch(const std::vector<PlanTensor>& tensors, const Dispatch& dispatch,
                              const DeviceInfo& device, int slice_width);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_VALIDATE_PLAN_H_
