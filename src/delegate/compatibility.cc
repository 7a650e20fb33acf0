// SPDX-License-Identifier: Apache-2.0
// One self-test for each driver, and the C function about it.
#include "delegate/compatibility.h"

#include <algorithm>
#include <cstring>

#include "base/status.h"
#include "gpu/backends/backend_list.h"
#include "gpu/partition/self_check.h"
#include "tensorflow/lite/delegates/gpu/compatibility.h"

namespace tern::delegate {

absl::Status CompatibilityCheck::TestOnce(const gpu::OpenedDevice& opened) {
  const gpu::DeviceInfo& info = opened.device->info();
  const std::string driver =
      StrCat(info.api, "\n", info.vendor, "\n", info.name, "\n", info.driver);
  // Held during the test: who asks at the same time waits for its result.
  const std::lock_guard lock(mutex_);
  const auto known = results_.find(driver);
  if (known != results_.end()) return known->second;
  return results_[driver] = gpu::SelfCheck(opened);
}

Compatibility CompatibilityCheck::Check(const std::vector<std::string>& backends,
                                        const Opener& open) {
  Compatibility result;
  for (const std::string& backend : backends) {
    const absl::StatusOr<gpu::OpenedDevice> opened = open(backend);
    const absl::Status status = opened.ok() ? TestOnce(*opened) : opened.status();
    if (status.ok()) {
      const gpu::DeviceInfo& info = opened->device->info();
      return {true, StrCat(backend, ": ", info.name, ", ", info.driver)};
    }
    result.reason += StrCat(result.reason.empty() ? "" : "; ", backend, ": ", Message(status));
  }
  return result;
}

}  // namespace tern::delegate

bool TfLiteGpuDelegateV2IsSupported(char* reason, size_t reason_size) {
  static auto* const check = new tern::delegate::CompatibilityCheck;
  const tern::delegate::Compatibility result =
      check->Check(tern::gpu::DefaultBackends(), tern::gpu::OpenOwnDevice);
  if (reason != nullptr && reason_size > 0) {
    const size_t length = std::min(reason_size - 1, result.reason.size());
    std::memcpy(reason, result.reason.data(), length);
    reason[length] = '\0';
  }
  return result.supported;
}
