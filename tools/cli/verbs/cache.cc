// SPDX-License-Identifier: Apache-2.0
// `tern cache`: what lies in a cache directory, whether it is sound, and removing it.
#include "tensorflow/lite/delegates/gpu/cache.h"

#include <cinttypes>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "cli/verbs.h"

namespace tern::cli {
namespace {

struct DeleteFiles {
  void operator()(TfLiteGpuCacheFiles* files) const { TfLiteGpuDelegateV2CacheFilesDelete(files); }
};
using Files = std::unique_ptr<TfLiteGpuCacheFiles, DeleteFiles>;

std::string TimeText(int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  char text[32] = "?";
  if (gmtime_r(&time, &parts) != nullptr) std::strftime(text, sizeof text, "%F %T", &parts);
  return text;
}

// Names can be as long as one likes, lines not.
std::string Short(const char* name) {
  constexpr size_t kCharacters = 60;
  const std::string text = name;
  return text.size() <= kCharacters ? text : text.substr(0, kCharacters - 3) + "...";
}

int List(const TfLiteGpuCacheFiles& files) {
  int64_t bytes = 0;
  if (files.count > 0) std::printf("%12s  %-19s  %s\n", "bytes", "last used (UTC)", "token: key");
  for (size_t i = 0; i < files.count; ++i) {
    const TfLiteGpuCacheFile& file = files.files[i];
    std::printf("%12" PRId64 "  %s  ", file.bytes, TimeText(file.last_used).c_str());
    if (file.state == kTfLiteGpuCacheGood) {
      std::printf("%s: %s\n", Short(file.token).c_str(), Short(file.key).c_str());
    } else {
      std::printf("%s (%s)\n", file.file, file.problem);
    }
    bytes += file.bytes;
  }
  std::printf("%zu files, %" PRId64 " bytes\n", files.count, bytes);
  return 0;
}

int Check(const TfLiteGpuCacheFiles& files) {
  size_t counts[3] = {};
  for (size_t i = 0; i < files.count; ++i) {
    const TfLiteGpuCacheFile& file = files.files[i];
    constexpr const char* kWords[] = {"good", "bad", "leftover"};
    const bool good = file.state == kTfLiteGpuCacheGood;
    std::printf("%-8s  %s%s%s\n", kWords[file.state], file.file, good ? "" : ": ", file.problem);
    ++counts[file.state];
  }
  std::printf("%zu good, %zu bad, %zu leftovers\n", counts[kTfLiteGpuCacheGood],
              counts[kTfLiteGpuCacheBad], counts[kTfLiteGpuCacheLeftover]);
  return counts[kTfLiteGpuCacheBad] == 0 ? 0 : 1;
}

int Clear(const TfLiteGpuCacheFiles& files) {
  int64_t bytes = 0;
  size_t removed = 0;
  for (size_t i = 0; i < files.count; ++i) {
    const TfLiteGpuCacheFile& file = files.files[i];
    if (file.state == kTfLiteGpuCacheGood) {
      std::printf("removed  %s\n", file.file);
      bytes += file.bytes;
      ++removed;
    } else {
      std::printf("kept     %s: %s\n", file.file, file.problem);
    }
  }
  std::printf("%zu files, %" PRId64 " bytes removed\n", removed, bytes);
  return removed == files.count ? 0 : 1;
}

absl::StatusOr<int> Tell(const CacheOptions& options,
                         TfLiteGpuCacheFiles* (*look)(const char* directory),
                         int (*print)(const TfLiteGpuCacheFiles& files)) {
  const Files files(look(options.cache_dir.c_str()));
  if (files->error != nullptr) return absl::NotFoundError(files->error);
  return print(*files);
}

}  // namespace

absl::StatusOr<int> CacheList(const CacheOptions& options) {
  return Tell(options, TfLiteGpuDelegateV2CacheList, List);
}

absl::StatusOr<int> CacheCheck(const CacheOptions& options) {
  return Tell(options, TfLiteGpuDelegateV2CacheCheck, Check);
}

absl::StatusOr<int> CacheClear(const CacheOptions& options) {
  return Tell(options, TfLiteGpuDelegateV2CacheClear, Clear);
}

}  // namespace tern::cli
