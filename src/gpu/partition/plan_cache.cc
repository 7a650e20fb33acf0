// SPDX-License-Identifier: Apache-2.0
// Looking up, saving, and the one warning.
#include "gpu/partition/plan_cache.h"

#include <utility>
#include <vector>

#include "base/status.h"
#include "gpu/device/saved_plan.h"
#include "gpu/tune/saved_tuning.h"
#include "tensorflow/lite/minimal_logging.h"

namespace tern::gpu {
namespace {

std::string TuningName(const SavedPlanKey& key) { return StrCat("choices for a ", key.text); }

}  // namespace

PlanCache::PlanCache(std::string directory, std::string token, Files* files)
    : directory_(std::move(directory)), token_(std::move(token)), files_(files) {}

const CacheDir* PlanCache::Directory() {
  absl::Status problem;
  const CacheDir* found = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(opened_, true)) {
      CacheDir::Options options;
      options.files = files_;
      StatusOr<CacheDir> cache = CacheDir::Open(directory_, options);
      problem = cache.status();
      if (cache.ok()) cache_.emplace(*std::move(cache));
    }
    if (cache_) found = &*cache_;
  }
  if (!problem.ok()) Warn(problem);
  return found;
}

void PlanCache::Warn(const absl::Status& problem) {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(warned_, true)) return;
  }
  const std::string text(Message(problem));
  TFLITE_LOG_PROD(tflite::TFLITE_LOG_WARNING, "GPU: serialization: %s", text.c_str());
}

std::optional<CachedBytes> PlanCache::FindEntry(const std::string& name) {
  const CacheDir* const cache = Directory();
  if (cache == nullptr) return std::nullopt;
  StatusOr<CachedBytes> found = cache->Find({token_, name});
  if (found.ok()) return *std::move(found);
  if (!absl::IsNotFound(found.status())) Warn(found.status());
  return std::nullopt;
}

std::optional<PreparedPlan> PlanCache::Find(const Plan& plan, const DeviceInfo& device) {
  const SavedPlanKey key(plan, device);
  const std::optional<CachedBytes> found = FindEntry(key.text);
  if (!found) return std::nullopt;
  absl::StatusOr<PreparedPlan> saved = LoadPlan(found->bytes(), key, plan);
  if (saved.ok()) return *std::move(saved);
  Warn(saved.status());
  return std::nullopt;
}

std::optional<TunedNodes> PlanCache::FindTuning(const Plan& plan, const DeviceInfo& device) {
  const SavedPlanKey key(plan, device);
  const std::optional<CachedBytes> found = FindEntry(TuningName(key));
  if (!found) return std::nullopt;
  absl::StatusOr<TunedNodes> saved = LoadTuning(found->bytes(), key);
  if (saved.ok()) return *std::move(saved);
  Warn(saved.status());
  return std::nullopt;
}

void PlanCache::SaveTuning(const Plan& plan, const DeviceInfo& device, const TunedNodes& nodes) {
  const CacheDir* const cache = Directory();
  if (cache == nullptr) return;
  const SavedPlanKey key(plan, device);
  const absl::Status saved = cache->Put({token_, TuningName(key)}, gpu::SaveTuning(key, nodes));
  if (!saved.ok()) Warn(saved);
}

void PlanCache::Check(const Executor& executor) {
  const absl::Status& error = executor.programs().saved_error;
  if (!error.ok()) Warn(WithPrefix(error, "rebuilt"));
}

void PlanCache::Save(const Executor& executor) {
  const CacheDir* const cache = executor.programs().from_saved ? nullptr : Directory();
  if (cache == nullptr) return;
  const absl::StatusOr<PreparedPlan> prepared = executor.programs().WithBinaries();
  if (!prepared.ok()) return Warn(WithPrefix(prepared.status(), "nothing is saved"));
  const SavedPlanKey key(executor.plan(), executor.device_info());
  const absl::Status saved = cache->Put({token_, key.text}, SavePlan(key, *prepared));
  if (!saved.ok()) Warn(saved);
}

}  // namespace tern::gpu
