// SPDX-License-Identifier: Apache-2.0
// Plans of a delegate between processes: what one start made ready, the next one finds in the
// directory that the application gave (docs/cache.md). A failure with files costs a rebuild and is
// reported once.
#ifndef TERN_DELEGATE_PLAN_CACHE_H_
#define TERN_DELEGATE_PLAN_CACHE_H_

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "base/cache_dir.h"
#include "base/files.h"
#include "delegate/options.h"
#include "gpu/device/executor.h"
#include "gpu/device/prepared_plan.h"

namespace tern::delegate {

// Safe to use from several threads.
class PlanCache {
 public:
  // Null unless the options ask for it with flag, directory and token. `files` are the system's, or
  // what a test puts in their place.
  static std::shared_ptr<PlanCache> Make(const DelegateOptions& options, Files* files = nullptr);

  // Finds the prepared plan that was saved for this plan on this device, if any.
  std::optional<gpu::PreparedPlan> Find(const gpu::Plan& plan, const gpu::DeviceInfo& device);
  // Choices for nodes that were saved for this plan, which is the one without any.
  std::optional<gpu::TunedNodes> FindChoices(const gpu::Plan& plan, const gpu::DeviceInfo& device);
  void SaveChoices(const gpu::Plan& plan, const gpu::DeviceInfo& device,
                   const gpu::TunedNodes& nodes);
  // Warns where the driver did not take what was saved for this executor.
  void Check(const gpu::Executor& executor);
  // Saves what the executor has after a run, unless it came from here.
  void Save(const gpu::Executor& executor);

 private:
  PlanCache(const DelegateOptions& options, Files* files);
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

}  // namespace tern::delegate

#endif  // TERN_DELEGATE_PLAN_CACHE_H_
