// SPDX-License-Identifier: Apache-2.0
// One build per text. A failed build is tried again by the next caller.
#include "gpu/device/program_cache.h"

namespace tern::gpu {

absl::StatusOr<std::shared_ptr<Pipeline>> ProgramCache::Get(const ProgramSource& source) {
  std::shared_ptr<Entry> entry;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::shared_ptr<Entry>& slot = programs_[source.text];
    if (slot == nullptr) slot = std::make_shared<Entry>();
    entry = slot;
  }
  const std::lock_guard<std::mutex> lock(entry->building);
  if (entry->pipeline != nullptr) return entry->pipeline;
  absl::StatusOr<std::shared_ptr<Pipeline>> built = device_->Compile(source);
  if (!built.ok()) return built.status();
  entry->pipeline = *std::move(built);
  const std::lock_guard<std::mutex> count_lock(mutex_);
  ++builds_;
  return entry->pipeline;
}

int ProgramCache::builds() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return builds_;
}

}  // namespace tern::gpu
