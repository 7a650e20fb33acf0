// SPDX-License-Identifier: Apache-2.0
// The C functions that look into a cache directory.
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/cache_dir.h"
#include "base/status.h"
#include "tensorflow/lite/delegates/gpu/cache.h"

namespace tern::delegate {
namespace {

// The list, and what its pointers lead to.
struct OwnedList : TfLiteGpuCacheFiles {
  std::vector<TfLiteGpuCacheFile> rows;
  std::deque<std::string> texts;

  const char* Keep(std::string text) { return texts.emplace_back(std::move(text)).c_str(); }
};

std::string Printable(const std::string& bytes) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F && c != '%') {
      text += c;
    } else {
      text += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return text;
}

// A file's name, which begins with what a token was made of; others may have made one like it.
std::string NameText(std::string name) {
  for (char& c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  return name;
}

StatusOr<CacheDir> OpenExisting(const char* directory) {
  CacheDir::Options options;
  options.max_bytes =
      std::numeric_limits<int64_t>::max();  // however large entries may be elsewhere
  options.create = false;
  return CacheDir::Open(directory == nullptr ? "" : directory, options);
}

// `removed`: the states are those of removing.
TfLiteGpuCacheFiles* MakeList(const StatusOr<std::vector<CacheFile>>& files, bool removed) {
  auto list = std::make_unique<OwnedList>();
  list->count = 0;
  list->files = nullptr;
  list->error = nullptr;
  if (!files.ok()) {
    list->error = list->Keep(std::string(Message(files.status())));
    return list.release();
  }
  for (const CacheFile& file : *files) {
    TfLiteGpuCacheFile row;
    row.file = list->Keep(NameText(file.file));
    row.token = list->Keep(Printable(file.name.token));
    row.key = list->Keep(Printable(file.name.key));
    row.bytes = file.bytes;
    row.last_used = file.last_used_nanos / 1000000000;
    row.state = file.leftover && !removed ? kTfLiteGpuCacheLeftover
                : file.state.ok()         ? kTfLiteGpuCacheGood
                                          : kTfLiteGpuCacheBad;
    row.problem = list->Keep(std::string(Message(file.state)));
    list->rows.push_back(row);
  }
  list->count = list->rows.size();
  list->files = list->rows.data();
  return list.release();
}

TfLiteGpuCacheFiles* Look(const char* directory, bool whole) {
  const StatusOr<CacheDir> cache = OpenExisting(directory);
  if (!cache.ok()) return MakeList(cache.status(), /*removed=*/false);
  return MakeList(cache->List(whole), /*removed=*/false);
}

}  // namespace
}  // namespace tern::delegate

extern "C" {

TfLiteGpuCacheFiles* TfLiteGpuDelegateV2CacheList(const char* directory) {
  return tern::delegate::Look(directory, /*whole=*/false);
}

TfLiteGpuCacheFiles* TfLiteGpuDelegateV2CacheCheck(const char* directory) {
  return tern::delegate::Look(directory, /*whole=*/true);
}

TfLiteGpuCacheFiles* TfLiteGpuDelegateV2CacheClear(const char* directory) {
  using tern::delegate::MakeList;
  const tern::StatusOr<tern::CacheDir> cache = tern::delegate::OpenExisting(directory);
  if (!cache.ok()) return MakeList(cache.status(), /*removed=*/true);
  return MakeList(cache->Clear(), /*removed=*/true);
}

void TfLiteGpuDelegateV2CacheFilesDelete(TfLiteGpuCacheFiles* files) {
  delete static_cast<tern::delegate::OwnedList*>(files);
}

}  // extern "C"
