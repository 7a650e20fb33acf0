// SPDX-License-Identifier: Apache-2.0
// Programs of one device by their text: dispatches, plans and interpreters that print the same text
// share one.
#ifndef TERN_GPU_DEVICE_PROGRAM_CACHE_H_
#define TERN_GPU_DEVICE_PROGRAM_CACHE_H_

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/statusor.h"
#include "base/hash.h"
#include "gpu/device/device.h"
#include "gpu/device/prepared_plan.h"

namespace tern::gpu {

class ProgramCache {
 public:
  explicit ProgramCache(Device* device) : device_(device) {}

  // The program, built from its text if nobody built it before; `is_new`, if given, is then set.
  absl::StatusOr<std::shared_ptr<Pipeline>> Get(const ProgramSource& source,
                                                bool* is_new = nullptr);
  // The same for a program that has a binary, and no text.
  absl::StatusOr<std::shared_ptr<Pipeline>> Load(const PreparedProgram& program,
                                                 bool* is_new = nullptr);
  // Programs really built from texts since the start, for reports and tests.
  int builds() const;

 private:
  struct Entry {
    std::mutex building;
    std::shared_ptr<Pipeline> pipeline;
  };
  using Make = std::function<absl::StatusOr<std::shared_ptr<Pipeline>>()>;
  absl::StatusOr<std::shared_ptr<Pipeline>> Find(const Hash128& text, const Make& make,
                                                 bool* is_new);

  Device* device_;
  mutable std::mutex mutex_;  // of the map and the count; programs of different texts build at once
  std::map<std::pair<uint64_t, uint64_t>, std::shared_ptr<Entry>> programs_;  // by TextHash
  int builds_ = 0;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_PROGRAM_CACHE_H_
