// SPDX-License-Identifier: Apache-2.0
// One build per text. A failed build is tried again by the next caller.
#include "gpu/device/program_cache.h"

namespace tern::gpu {

absl::StatusOr<std::shared_ptr<Pipeline>> ProgramCache::Find(const Hash128& text, const Make& make,
                                                             bool* is_new) {
  std::shared_ptr<Entry> entry;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::shared_ptr<Entry>& slot = programs_[{text.words[0], text.words[1]}];
    if (slot == nullptr) slot = std::make_shared<Entry>();
    entry = slot;
  }
  const std::lock_guard<std::mutex> lock(entry->building);
  if (entry->pipeline != nullptr) return entry->pipeline;
  absl::StatusOr<std::shared_ptr<Pipeline>> made = make();
  if (!made.ok()) return made.status();
  entry->pipeline = *std::move(made);
  if (is_new != nullptr) *is_new = true;
  return entry->pipeline;
}

absl::StatusOr<std::shared_ptr<Pipeline>> ProgramCache::Get(const ProgramSource& source,
                                                            bool* is_new) {
  const auto build = [&]() -> absl::StatusOr<std::shared_ptr<Pipeline>> {
    absl::StatusOr<std::shared_ptr<Pipeline>> built = device_->Compile(source);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (built.ok()) ++builds_;
    return built;
  };
  return Find(TextHash(source), build, is_new);
}

absl::StatusOr<std::shared_ptr<Pipeline>> ProgramCache::Load(const PreparedProgram& program,
                                                             bool* is_new) {
  return Find(
      program.text, [&] { return device_->Load(program.source, program.binary); }, is_new);
}

int ProgramCache::builds() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return builds_;
}

}  // namespace tern::gpu
