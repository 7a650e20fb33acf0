// SPDX-License-Identifier: Apache-2.0
// Which tensors a kernel reads by texels.
#ifndef TERN_GPU_PLAN_TEXEL_BUFFERS_H_
#define TERN_GPU_PLAN_TEXEL_BUFFERS_H_

#include "gpu/desc/device_info.h"
#include "gpu/desc/plan.h"

namespace tern::gpu {

// Marks bindings that dispatches only read, of whole slices, each a texel. Not
// marked are nibbles, inputs and outputs, whose memory may be the user's, tensors with more texels
// than the device has in a texel buffer, or in larger buffers than that where the device takes
// whole ones, and the last bindings of a dispatch that has more than it may. Places of tensors are
// known.
void ReadByTexels(Plan& plan, const DeviceInfo& device);

}  // namespace tern::gpu

#endif  // TERN_GPU_PLAN_TEXEL_BUFFERS_H_
