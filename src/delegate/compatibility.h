// SPDX-License-Identifier: Apache-2.0
// Whether the drivers of this device compute what they should, remembered by driver.
#ifndef TERN_DELEGATE_COMPATIBILITY_H_
#define TERN_DELEGATE_COMPATIBILITY_H_

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/backends/opened_devices.h"

namespace tern::delegate {

struct Compatibility {
  bool supported = false;
  std::string reason;  // the device, or what failed on each backend
};

// Safe to use from several threads.
class CompatibilityCheck {
 public:
  // Opens a device that nobody else has.
  using Opener = std::function<absl::StatusOr<gpu::OpenedDevice>(const std::string& backend)>;

  // Takes the first backend that can be opened and passes the self-test. Its devices are closed
  // before the return.
  Compatibility Check(const std::vector<std::string>& backends, const Opener& open);

 private:
  absl::Status TestOnce(const gpu::OpenedDevice& opened);

  std::mutex mutex_;
  std::map<std::string, absl::Status> results_;  // by API, device and version of the driver
};

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_COMPATIBILITY_H_
