// SPDX-License-Identifier: Apache-2.0
// Which tensors a kernel reads by texels.
#ifndef TERN_GPU_PLAN_TEXEL_BUFFERS_H_
#define TERN_GPU_PLAN_TEXEL_BUFFERS_H_

#include <vector>

#include "gpu/desc/device_info.h"
#include "gpu/desc/dispatch.h"
#include "gpu/desc/plan_tensor.h"

namespace tern::gpu {

// Marks bindings that dispatches only read, of whole slices, each a texel. Not
// marked are nibbles, inputs and outputs, whose memory may be the user's, tensors with more texels
// than the device has in a texel buffer, and the last bindings of a dispatch that has more than it
// may.
void ReadByTexels(const std::vector<PlanTensor>& tensors, const DeviceInfo& device,
                  std::vector<Dispatch>& dispatches);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_TEXEL_BUFFERS_H_
