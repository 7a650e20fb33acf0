// SPDX-License-Identifier: Apache-2.0
// Programs that link this folder have the backend "host".
#include "gpu/backends/backend_list.h"
#include "gpu/backends/host/host_device.h"

namespace tern::gpu {
namespace {

absl::StatusOr<std::shared_ptr<Device>> Open() { return OpenHostDevice(); }

[[maybe_unused]] const bool added = (AddBackend("host", Open), true);

}  // namespace
}  // namespace tern::gpu
