// SPDX-License-Identifier: Apache-2.0
// Names, headers and checksums of cached files.
#include "base/cache_entry.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "base/clock.h"
#include "base/files.h"

namespace tern {
namespace {

constexpr char kMagic[8] = {'T', 'e', 'r', 'n', 'C', 'a', 'c', 'h'};
constexpr uint32_t kVersion = 1;
constexpr std::string_view kEntryEnd = ".tern";
constexpr std::string_view kTemporaryStart = ".tern-";
constexpr std::string_view kTemporaryEnd = ".tmp";
constexpr size_t kHexDigits = 32;
constexpr size_t kTokenCharacters = 64;

// Lengths are limited before they are added up.
constexpr uint64_t kMaxBytes = uint64_t{1} << 60;

uint64_t StartBytes(uint64_t token_bytes, uint64_t key_bytes) {
  return (sizeof(CacheHeader) + token_bytes + key_bytes + 15) / 16 * 16;
}

std::string Hex(const Hash128& hash) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint64_t word : hash.words) {
    for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[word >> shift & 15];
  }
  return text;
}

bool IsHex(std::string_view text) {
  return text.size() == kHexDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// With the lengths, so that no end of a token passes for the start of a key.
Hash128 HashOf(const CacheName& name) {
  const uint64_t lengths[2] = {name.token.size(), name.key.size()};
  std::string text(reinterpret_cast<const char*>(lengths), sizeof lengths);
  text += name.token;
  text += name.key;
  return HashBulk128(text.data(), text.size());
}

}  // namespace

std::string CacheFileName(const CacheName& name) {
  constexpr std::string_view kSafe =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  for (const char c : name.token) {
    if (text.size() >= kTokenCharacters) break;
    const auto byte = static_cast<unsigned char>(c);
    const bool hides = c == '.' && text.empty();  // the file from a listing
    if (!hides && kSafe.find(c) != std::string_view::npos) {
      text += c;
    } else {
      text += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return StrCat(text, "_", Hex(HashOf(name)), kEntryEnd);
}

bool IsCacheFileName(std::string_view file) {
  constexpr size_t kTail = 1 + kHexDigits + kEntryEnd.size();
  return file.size() >= kTail && file.ends_with(kEntryEnd) && file[file.size() - kTail] == '_' &&
         IsHex(file.substr(file.size() - kTail + 1, kHexDigits));
}

bool IsCacheTemporaryName(std::string_view file) {
  return file.size() == kTemporaryStart.size() + kHexDigits + kTemporaryEnd.size() &&
         file.starts_with(kTemporaryStart) && file.ends_with(kTemporaryEnd) &&
         IsHex(file.substr(kTemporaryStart.size(), kHexDigits));
}

std::string CacheTemporaryName() {
  static std::atomic<uint64_t> count = 0;
  const uint64_t parts[3] = {ProcessNumber(), static_cast<uint64_t>(NowNanos()), count++};
  return StrCat(kTemporaryStart, Hex(HashBulk128(parts, sizeof parts)), kTemporaryEnd);
}

size_t CacheHeader::StartBytes() const { return tern::StartBytes(token_bytes, key_bytes); }

std::vector<uint8_t> MakeCacheStart(const CacheName& name, std::span<const uint8_t> bytes) {
  CacheHeader header;
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.version = kVersion;
  header.header_bytes = sizeof(CacheHeader);
  header.token_bytes = name.token.size();
  header.key_bytes = name.key.size();
  header.data_bytes = bytes.size();
  header.data_checksum = HashBulk128(bytes.data(), bytes.size());
  std::vector<uint8_t> start(StartBytes(name.token.size(), name.key.size()));
  std::memcpy(start.data(), &header, sizeof header);
  const auto place = start.begin() + sizeof(CacheHeader);
  std::copy(name.key.begin(), name.key.end(),
            std::copy(name.token.begin(), name.token.end(), place));
  header.start_checksum = HashBulk128(start.data(), start.size());
  std::memcpy(start.data(), &header, sizeof header);
  return start;
}

Status CheckCacheHeader(const CacheHeader& header, int64_t file_bytes) {
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) return Damaged("no cache entry");
  if (header.version != kVersion || header.header_bytes != sizeof(CacheHeader)) {
    return Damaged("another format (", header.version, ", this is ", kVersion, ")");
  }
  const uint64_t max = std::max({header.token_bytes, header.key_bytes, header.data_bytes});
  const uint64_t bytes =
      max > kMaxBytes ? max : StartBytes(header.token_bytes, header.key_bytes) + header.data_bytes;
  if (bytes != static_cast<uint64_t>(file_bytes)) {
    return Damaged("the file has ", file_bytes, " bytes, its header says ", bytes);
  }
  return OkStatus();
}

StatusOr<CacheName> CheckCacheStart(CacheHeader header, std::span<uint8_t> start) {
  const Hash128 wanted = std::exchange(header.start_checksum, Hash128());
  std::memcpy(start.data(), &header, sizeof header);
  if (HashBulk128(start.data(), start.size()) != wanted) {
    return Damaged("the checksum of the name is wrong");
  }
  const char* const token = reinterpret_cast<const char*>(start.data()) + sizeof(CacheHeader);
  return CacheName{std::string(token, header.token_bytes),
                   std::string(token + header.token_bytes, header.key_bytes)};
}

Status CheckCacheData(const CacheHeader& header, std::span<const uint8_t> data) {
  if (HashBulk128(data.data(), data.size()) == header.data_checksum) return OkStatus();
  return Damaged("the checksum of the bytes is wrong");
}

}  // namespace tern
