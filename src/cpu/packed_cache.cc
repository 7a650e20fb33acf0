// SPDX-License-Identifier: Apache-2.0
// One table of weak pointers for the process.
#include "cpu/packed_cache.h"

#include <atomic>
#include <map>
#include <mutex>
#include <tuple>
#include <typeindex>
#include <utility>

#include "base/hash.h"

namespace tern {
namespace {

using Key = std::tuple<std::type_index, std::vector<int64_t>, std::vector<const void*>, uint64_t>;

struct Table {
  std::mutex mutex;
  std::map<Key, std::weak_ptr<const void>> entries;
};

Table& TheTable() {
  static Table& table = *new Table();
  return table;
}

std::atomic<int64_t> packed_count{0};

}  // namespace

int64_t PackedCount() { return packed_count; }

std::shared_ptr<const void> FindOrPack(std::span<const WeightBytes> bytes,
                                       const std::type_info& type,
                                       std::span<const int64_t> parameters,
                                       const std::function<std::shared_ptr<const void>()>& make) {
  std::vector<const void*> addresses;
  uint64_t hash = 0;
  for (const WeightBytes& piece : bytes) {
    addresses.push_back(piece.data);
    hash = CombineHash(hash, HashBulk(piece.data, piece.size));
  }
  Key key(type, std::vector<int64_t>(parameters.begin(), parameters.end()), std::move(addresses),
          hash);
  Table& table = TheTable();
  // Held while packing, so that interpreters that start side by side pack once.
  std::lock_guard<std::mutex> lock(table.mutex);
  if (const auto found = table.entries.find(key); found != table.entries.end()) {
    if (auto entry = found->second.lock()) return entry;
  }
  std::erase_if(table.entries, [](const auto& entry) { return entry.second.expired(); });
  std::shared_ptr<const void> made = make();
  if (made == nullptr) return nullptr;
  ++packed_count;
  table.entries.emplace(std::move(key), made);
  return made;
}

}  // namespace tern
