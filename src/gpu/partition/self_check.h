// SPDX-License-Identifier: Apache-2.0
// Four small kernels that tell whether a device computes what it should.
#ifndef TERN_GPU_PARTITION_SELF_CHECK_H_
#define TERN_GPU_PARTITION_SELF_CHECK_H_

#include "absl/status/status.h"
#include "gpu/backends/opened_devices.h"

namespace tern::gpu {

// Runs a convolution, an addition, a softmax and a mean on the device and compares every number
// with plain loops. An error says what failed, or the first number that is wrong.
absl::Status SelfCheck(const OpenedDevice& opened);

}  // namespace tern::gpu

#endif  // TERN_GPU_PARTITION_SELF_CHECK_H_
