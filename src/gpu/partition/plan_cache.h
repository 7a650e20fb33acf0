// SPDX-License-Identifier: Apache-2.0
// Plans of a delegate between processes: what one start made ready, the next one finds in the
// directory that the application gave (docs/cache.md). A failure with files costs a rebuild and is
// reported once.
#ifndef TERN_GPU_PARTITION_PLAN_CACHE_H_
#define TERN_GPU_PARTITION_PLAN_CACHE_H_

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "base/cache_dir.h"
#include "base/files.h"
#include "gpu/device/executor.h"
#include "gpu/device/prepared_plan.h"

namespace tern::gpu {

// Safe to use from several threads.
class PlanCache {
 public:
  // Entries of a model, which the token names, in a directory. `files`, if given, stand for the
  // system's.
  PlanCache(std::string directory, std::string token, Files* files = nullptr);

  // Finds the prepared plan that was saved for this plan on this device, if any.
  std::optional<PreparedPlan> Find(const Plan& plan, const DeviceInfo& device);
  // The saved tuning parameters of the nodes of this plan, which has none itself.
  std::optional<TunedNodes> FindTuning(const Plan& plan, const DeviceInfo& device);
  void SaveTuning(const Plan& plan, const DeviceInfo& device, const TunedNodes& nodes);
  // Warns where the driver did not take what was saved for this executor.
  void Check(const Executor& executor);
  // Saves what the executor has after a run, unless it came from here.
  void Save(const Executor& executor);

 private:
  // Null where the directory cannot be used.
  const CacheDir* Directory();
  // The bytes of an entry, if there is one.
  std::optional<CachedBytes> FindEntry(const std::string& name);
  void Warn(const absl::Status& problem);

  const std::string directory_, token_;
  Files* const files_;
  std::mutex mutex_;  // of what follows; the directory itself needs none
  bool opened_ = false, warned_ = false;
  std::optional<CacheDir> cache_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_PARTITION_PLAN_CACHE_H_
