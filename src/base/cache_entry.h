// SPDX-License-Identifier: Apache-2.0
// The file of one entry of a cache directory: its start, which is a header of fixed size, the
// token, the key and zeros up to a multiple of 16, and the bytes stored. Each of the two parts has
// a checksum in the header. All of it is in the machine's order: an entry is for the machine that
// wrote it.
#ifndef TERN_BASE_CACHE_ENTRY_H_
#define TERN_BASE_CACHE_ENTRY_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/status.h"

namespace tern {

// The name of an entry: two strings of any bytes and any length.
struct CacheName {
  std::string token;  // what users call it: one model, say. File names begin with it
  std::string key;    // which of its entries
  bool operator==(const CacheName&) const = default;
};

// The name of an entry's file: the token, with %XX for bytes that are not safe in file names, cut
// after 64 characters; a hash of all of the name; ".tern".
std::string CacheFileName(const CacheName& name);
bool IsCacheFileName(std::string_view file);

// Of a file that becomes an entry when it is whole: differs between processes, threads and calls.
std::string CacheTemporaryName();
bool IsCacheTemporaryName(std::string_view file);

struct CacheHeader {
  char magic[8] = {};
  uint32_t version = 0;
  uint32_t header_bytes = 0;
  uint64_t token_bytes = 0;
  uint64_t key_bytes = 0;
  uint64_t data_bytes = 0;
  uint64_t zero = 0;
  Hash128 data_checksum;
  Hash128 start_checksum;  // computed with zeros here

  // Returns the number of bytes before the stored bytes. The header must be checked before.
  size_t StartBytes() const;
};
static_assert(sizeof(CacheHeader) == 80);

// The start of an entry's file.
std::vector<uint8_t> MakeCacheStart(const CacheName& name, std::span<const uint8_t> bytes);

// Whether it can be the header of a file of this size; DataLoss says why not, here and below.
Status CheckCacheHeader(const CacheHeader& header, int64_t file_bytes);

// The name in a start whose header was checked. Writes zeros over the start's checksum.
StatusOr<CacheName> CheckCacheStart(CacheHeader header, std::span<uint8_t> start);

Status CheckCacheData(const CacheHeader& header, std::span<const uint8_t> data);

// For a file that is not as it was written.
template <typename... What>
Status Damaged(const What&... what) {
  return absl::DataLossError(StrCat(what...));
}

}  // namespace tern

#endif  // TERN_BASE_CACHE_ENTRY_H_
