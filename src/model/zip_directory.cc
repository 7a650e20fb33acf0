// SPDX-License-Identifier: Apache-2.0
// Offsets of the directory count from the front of the whole file or, as some tools write them,
// from where the archive begins in it.
#include "model/zip_directory.h"

#include <optional>

namespace tern {
namespace {

constexpr uint32_t kEntryMark = 0x02014b50, kEndMark = 0x06054b50;
constexpr size_t kEntrySize = 46, kEndSize = 22;
constexpr size_t kLongestComment = 65535, kMaxFiles = 1000;

// Where the record at the end of an archive begins.
std::optional<uint64_t> FindEnd(std::span<const uint8_t> file) {
  if (file.size() < kEndSize) return std::nullopt;
  const uint64_t last = file.size() - kEndSize;
  const uint64_t first = last > kLongestComment ? last - kLongestComment : 0;
  for (uint64_t at = last + 1; at-- > first;) {
    if (ZipNumber(file, at, 4) == kEndMark) return at;
  }
  return std::nullopt;
}

}  // namespace

uint64_t ZipNumber(std::span<const uint8_t> file, uint64_t offset, int bytes) {
  uint64_t value = 0;
  for (int i = bytes - 1; i >= 0; --i) {
    const uint64_t at = offset + static_cast<uint64_t>(i);
    value = value << 8 | (at < file.size() ? file[at] : 0);
  }
  return value;
}

std::vector<ZipFile> ListZip(std::span<const uint8_t> file) {
  std::vector<ZipFile> files;
  const std::optional<uint64_t> end = FindEnd(file);
  if (!end) return files;
  const uint64_t size = ZipNumber(file, *end + 12, 4), reported = ZipNumber(file, *end + 16, 4);
  if (size > *end) return files;
  uint64_t at = *end - size;
  if (at < reported) return files;
  const uint64_t shift = at - reported;  // where the archive begins, if offsets count from there
  while (files.size() < kMaxFiles && at + kEntrySize <= *end &&
         ZipNumber(file, at, 4) == kEntryMark) {
    const uint64_t name = ZipNumber(file, at + 28, 2);
    if (at + kEntrySize + name > *end) break;
    const auto* text = reinterpret_cast<const char*>(file.data()) + at + kEntrySize;
    files.push_back({std::string(text, name), static_cast<int>(ZipNumber(file, at + 10, 2)),
                     ZipNumber(file, at + 20, 4), ZipNumber(file, at + 24, 4),
                     ZipNumber(file, at + 42, 4) + shift});
    at += kEntrySize + name + ZipNumber(file, at + 30, 2) + ZipNumber(file, at + 32, 2);
  }
  return files;
}

}  // namespace tern
