// SPDX-License-Identifier: Apache-2.0
// One device for each name.
#include "gpu/backends/opened_devices.h"

#include <utility>

#include "base/status.h"

namespace tern::gpu {
namespace {

OpenedDevice WithNewQueue(OpenedDevice opened) {
  opened.queue = opened.device->NewQueue();
  return opened;
}

}  // namespace

OpenedDevice Opened(std::shared_ptr<Device> device) {
  auto programs = std::make_shared<ProgramCache>(device.get());
  return WithNewQueue({std::move(device), std::move(programs)});
}

absl::StatusOr<OpenedDevice> OpenedDevices::Get(const std::string& backend, const Open& open) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto known = devices_.find(backend);
  if (known != devices_.end() && !known->second.device->lost()) return WithNewQueue(known->second);
  TERN_ASSIGN_OR_RETURN(std::shared_ptr<Device> device, open(backend));
  OpenedDevice opened = Opened(std::move(device));
  devices_[backend] = {opened.device, opened.programs};
  return opened;
}

}  // namespace tern::gpu
