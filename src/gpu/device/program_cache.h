// SPDX-License-Identifier: Apache-2.0
// Programs of one device by their text: dispatches, plans and interpreters that print the same text
// share one.
#ifndef TERN_GPU_DEVICE_PROGRAM_CACHE_H_
#define TERN_GPU_DEVICE_PROGRAM_CACHE_H_

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "absl/status/statusor.h"
#include "gpu/device/device.h"

namespace tern::gpu {

class ProgramCache {
 public:
  explicit ProgramCache(Device* device) : device_(device) {}

  absl::StatusOr<std::shared_ptr<Pipeline>> Get(const ProgramSource& source);
  // Programs really built since the start, for reports and tests.
  int builds() const;

 private:
  struct Entry {
    std::mutex building;
    std::shared_ptr<Pipeline> pipeline;
  };

  Device* device_;
  mutable std::mutex mutex_;  // of the map and the count; programs of different texts build at once
  std::unordered_map<std::string, std::shared_ptr<Entry>> programs_;
  int builds_ = 0;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_PROGRAM_CACHE_H_
