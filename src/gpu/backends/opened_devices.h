// SPDX-License-Identifier: Apache-2.0
// Devices that are open, by the names of their backends.
#ifndef TERN_GPU_BACKENDS_OPENED_DEVICES_H_
#define TERN_GPU_BACKENDS_OPENED_DEVICES_H_

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/statusor.h"
#include "gpu/device/device.h"
#include "gpu/device/program_cache.h"

namespace tern::gpu {

struct OpenedDevice {
  std::shared_ptr<Device> device;
  std::shared_ptr<ProgramCache> programs;
  std::shared_ptr<Queue> queue = nullptr;  // for this holder alone; null: the device serves
};

// With an empty cache of programs and a new queue.
OpenedDevice Opened(std::shared_ptr<Device> device);

// Safe to use from several threads.
class OpenedDevices {
 public:
  using Open = std::function<absl::StatusOr<std::shared_ptr<Device>>(const std::string& backend)>;

  // The open device of this name, with a new queue. The device is opened when there is none, or
  // when that one is lost; who still holds the lost one keeps it.
  absl::StatusOr<OpenedDevice> Get(const std::string& backend, const Open& open);

 private:
  std::mutex mutex_;
  std::map<std::string, OpenedDevice> devices_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_OPENED_DEVICES_H_
