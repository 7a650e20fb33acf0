// SPDX-License-Identifier: Apache-2.0
// Offsets of the directory count from the front of the whole file or, as some tools write them,
// from where the archive begins in it.
#include "cli/zip_files.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "cli/stb.h"

namespace tern::cli {
namespace {

constexpr uint32_t kLocalMark = 0x04034b50, kEntryMark = 0x02014b50, kEndMark = 0x06054b50;
constexpr size_t kLocalSize = 30, kEntrySize = 46, kEndSize = 22;
constexpr size_t kLongestComment = 65535, kMostFiles = 1000;
constexpr uint64_t kMostUnpacked = 16 << 20;

// Little-endian; 0 where the file ends before.
uint64_t ZipNumber(std::span<const uint8_t> file, uint64_t offset, int bytes) {
  uint64_t value = 0;
  for (int i = bytes - 1; i >= 0; --i) {
    const uint64_t at = offset + static_cast<uint64_t>(i);
    value = value << 8 | (at < file.size() ? file[at] : 0);
  }
  return value;
}

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

std::vector<ZipFile> ListZip(std::span<const uint8_t> file) {
  std::vector<ZipFile> files;
  const std::optional<uint64_t> end = FindEnd(file);
  if (!end) return files;
  const uint64_t size = ZipNumber(file, *end + 12, 4), told = ZipNumber(file, *end + 16, 4);
  if (size > *end) return files;
  uint64_t at = *end - size;
  if (at < told) return files;
  const uint64_t shift = at - told;  // where the archive begins, if offsets count from there
  while (files.size() < kMostFiles && at + kEntrySize <= *end &&
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

absl::StatusOr<std::string> ReadZip(std::span<const uint8_t> archive, const ZipFile& file) {
  const auto error = [&file](const char* why) {
    return absl::InvalidArgumentError(absl::StrCat("'", file.name, "' in the model: ", why));
  };
  if (ZipNumber(archive, file.offset, 4) != kLocalMark)
    return error("it is not where it should be");
  const uint64_t begin = file.offset + kLocalSize + ZipNumber(archive, file.offset + 26, 2) +
                         ZipNumber(archive, file.offset + 28, 2);
  if (begin > archive.size() || archive.size() - begin < file.packed_bytes) {
    return error("it is cut off");
  }
  if (std::max(file.bytes, file.packed_bytes) > kMostUnpacked) return error("it is too large");
  const auto* data = reinterpret_cast<const char*>(archive.data()) + begin;
  if (file.method == 0) return std::string(data, file.packed_bytes);
  if (file.method != 8) return error("it is packed by a method other than deflate");
  std::string text(file.bytes, '\0');
  const int unpacked = stbi_zlib_decode_noheader_buffer(text.data(), static_cast<int>(text.size()),
                                                        data, static_cast<int>(file.packed_bytes));
  if (unpacked != static_cast<int>(text.size())) return error("it is damaged");
  return text;
}

}  // namespace tern::cli
