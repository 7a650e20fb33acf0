// SPDX-License-Identifier: Apache-2.0
// Programs that link this file have the backend "metal" over the stand-in.
#include "gpu/backends/backend_list.h"
#include "gpu/backends/metal/metal_device.h"
#include "metal/standin.h"

namespace tern::metal_standin {
namespace {

template <gpu::MetalWait wait>
absl::StatusOr<std::shared_ptr<gpu::Device>> Open() {
  return gpu::OpenMetalDevice(Functions(), wait);
}

[[maybe_unused]] const bool added = [] {
  gpu::AddBackend("metal", Open<gpu::MetalWait::kPassive>);
  gpu::AddBackend("metal:active", Open<gpu::MetalWait::kActive>);
  gpu::AddBackend("metal:aggressive", Open<gpu::MetalWait::kAggressive>);
  return true;
}();

}  // namespace
}  // namespace tern::metal_standin
