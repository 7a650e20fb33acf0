// SPDX-License-Identifier: Apache-2.0
// Programs of one device by their text: dispatches, plans and interpreters that print the same text
// share one.
#ifndef TERN_GPU_DEVICE_PROGRAM_CACHE_H_
#define TERN_GPU_DEVICE_PROGRAM_CACHE_H_

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/device/device.h"
#include "gpu/device/prepared_plan.h"

namespace tern::gpu {

struct BuiltProgram {
  absl::StatusOr<std::shared_ptr<Pipeline>> pipeline = nullptr;
  bool is_new = false;  // nobody had it before
};

class ProgramCache {
 public:
  explicit ProgramCache(Device* device) : device_(device) {}

  // Each of the programs; those that nobody built before are built from their texts.
  std::vector<BuiltProgram> GetAll(std::span<const PreparedProgram> programs);
  // Loads programs that have binaries and no texts.
  std::vector<BuiltProgram> LoadAll(std::span<const PreparedProgram> programs);

  // Frees programs that nobody has but this cache.
  void DropUnused();

  // Programs really built from texts since the start, for reports and tests.
  int builds() const;

 private:
  using Key = std::pair<uint64_t, uint64_t>;  // TextHash
  struct Entry {
    std::mutex building;
    std::shared_ptr<Pipeline> pipeline;
  };
  // Makes programs that are missing, by their numbers.
  using Make = std::function<Device::Pipelines(const std::vector<size_t>& missing)>;
  std::vector<BuiltProgram> FindAll(std::span<const PreparedProgram> programs, const Make& make);
  std::shared_ptr<Entry> EntryOf(const Key& key);

  Device* device_;
  mutable std::mutex mutex_;  // of the map and the count; programs of different texts build at once
  std::map<Key, std::shared_ptr<Entry>> programs_;
  int builds_ = 0;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_PROGRAM_CACHE_H_
