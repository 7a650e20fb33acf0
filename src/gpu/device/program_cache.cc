// SPDX-License-Identifier: Apache-2.0
// One build per text. A failed build is tried again by the next caller.
#include "gpu/device/program_cache.h"

namespace tern::gpu {
namespace {

std::vector<ProgramSource> SourcesOf(std::span<const PreparedProgram> programs,
                                     const std::vector<size_t>& numbers) {
  std::vector<ProgramSource> sources;
  sources.reserve(numbers.size());
  for (const size_t i : numbers) sources.push_back(programs[i].source);
  return sources;
}

}  // namespace

std::shared_ptr<ProgramCache::Entry> ProgramCache::EntryOf(const Key& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<Entry>& slot = programs_[key];
  if (slot == nullptr) slot = std::make_shared<Entry>();
  return slot;
}

std::vector<BuiltProgram> ProgramCache::FindAll(std::span<const PreparedProgram> programs,
                                                const Make& make) {
  struct Held {
    std::shared_ptr<Entry> entry;
    std::unique_lock<std::mutex> lock;
  };
  // In the order of the keys, in which all take them: no two callers wait for each other.
  std::map<Key, Held> held;
  const auto key = [&](size_t i) {
    return Key(programs[i].text.words[0], programs[i].text.words[1]);
  };
  for (size_t i = 0; i < programs.size(); ++i) held.emplace(key(i), Held());
  for (auto& [text, one] : held) {
    one.entry = EntryOf(text);
    one.lock = std::unique_lock<std::mutex>(one.entry->building);
  }
  std::vector<BuiltProgram> found(programs.size());
  std::vector<size_t> missing;
  for (size_t i = 0; i < programs.size(); ++i) {
    found[i].pipeline = held[key(i)].entry->pipeline;
    if (*found[i].pipeline == nullptr) missing.push_back(i);
  }
  if (missing.empty()) return found;
  Device::Pipelines made = make(missing);
  for (size_t n = 0; n < missing.size(); ++n) {
    BuiltProgram& one = found[missing[n]];
    one.pipeline = std::move(made[n]);
    if (!one.pipeline.ok()) continue;
    one.is_new = true;
    held[key(missing[n])].entry->pipeline = *one.pipeline;
  }
  return found;
}

std::vector<BuiltProgram> ProgramCache::GetAll(std::span<const PreparedProgram> programs) {
  return FindAll(programs, [&](const std::vector<size_t>& missing) {
    Device::Pipelines built = device_->CompileAll(SourcesOf(programs, missing));
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& one : built) builds_ += one.ok() ? 1 : 0;
    return built;
  });
}

std::vector<BuiltProgram> ProgramCache::LoadAll(std::span<const PreparedProgram> programs) {
  return FindAll(programs, [&](const std::vector<size_t>& missing) {
    std::vector<ProgramBinary> binaries;
    for (const size_t i : missing) binaries.push_back(programs[i].binary);
    return device_->LoadAll(SourcesOf(programs, missing), binaries);
  });
}

void ProgramCache::DropUnused() {
  const std::lock_guard<std::mutex> lock(mutex_);
  // An entry that is held elsewhere is being built or looked at; new holders come through the lock.
  std::erase_if(programs_, [](const auto& one) {
    return one.second.use_count() == 1 && one.second->pipeline.use_count() <= 1;
  });
}

int ProgramCache::builds() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return builds_;
}

}  // namespace tern::gpu
