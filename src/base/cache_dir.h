// SPDX-License-Identifier: Apache-2.0
// A directory of cached bytes, shared by any number of processes. An entry is found by the name
// that it was stored under and given out only when every byte of its file is as it was written;
// whatever else happens to the directory, nothing is found.
//
// There are no locks. A writer fills a file of its own and renames it: a name always stands for a
// whole entry, the last one renamed, and an open file stays what it is when its name goes to
// another. A reader copies the file before it looks at it, so nobody can change what was checked.
#ifndef TERN_BASE_CACHE_DIR_H_
#define TERN_BASE_CACHE_DIR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cache_entry.h"
#include "base/files.h"
#include "base/status.h"

namespace tern {

// An entry in memory: its whole file, and the bytes that were stored.
class CachedBytes {
 public:
  CachedBytes(std::unique_ptr<uint8_t[]> file, size_t first, size_t size)
      : file_(std::move(file)), first_(first), size_(size) {}
  // Aligned to 16 bytes.
  std::span<const uint8_t> bytes() const { return {file_.get() + first_, size_}; }

 private:
  std::unique_ptr<uint8_t[]> file_;
  size_t first_;
  size_t size_;
};

// A file of this cache.
struct CacheFile {
  std::string file;
  CacheName name;               // empty where it cannot be read
  int64_t bytes = 0;            // of the file
  int64_t last_used_nanos = 0;  // since 1970
  bool leftover = false;        // of a writer that did not end; no entry
  Status state;                 // why it is no good entry
};

class CacheDir {
 public:
  struct Options {
    // Entries used least recently go when all are larger than this together.
    int64_t max_bytes = int64_t{256} << 20;
    // Files of writers that did not end are removed when nobody wrote to them for so long.
    int64_t leftover_nanos = int64_t{3600} * 1000000000;
    bool create = true;      // makes the directory, but not its parents
    Files* files = nullptr;  // null: those of the system
  };

  // InvalidArgument: no path. NotFound: there is no such directory. Unavailable: it cannot be
  // opened or made. Unimplemented: the system has no files of this kind.
  static StatusOr<CacheDir> Open(const std::string& path, const Options& options);
  static StatusOr<CacheDir> Open(const std::string& path) { return Open(path, Options()); }
  CacheDir(CacheDir&& other) noexcept;
  CacheDir& operator=(CacheDir&& other) noexcept;
  ~CacheDir();

  // All of these may be called from several threads; none waits for another process.

  // NotFound: there is no such entry. DataLoss: its file is damaged or holds another. Unavailable,
  // ResourceExhausted: it cannot be read. An entry that was found counts as used now.
  StatusOr<CachedBytes> Find(const CacheName& name) const;

  // Stores the entry in place of an older one. An error leaves the older one or none, never a part.
  // ResourceExhausted: larger than all entries may be. Unavailable: the files refused.
  Status Put(const CacheName& name, std::span<const uint8_t> bytes) const;

  // The files of this cache, the last used first. The state says what the first bytes of each tell,
  // or with `whole` all of them. Files of other origin are neither read nor listed.
  StatusOr<std::vector<CacheFile>> List(bool whole = false) const;

  // Removes all files of this cache and tells which; the state of each says whether it is gone.
  StatusOr<std::vector<CacheFile>> Clear() const;

  const std::string& path() const { return path_; }

 private:
  CacheDir(std::string path, const Options& options, int folder)
      : path_(std::move(path)), options_(options), folder_(folder) {}
  Status Error(int code, std::string_view what, const std::string& file) const;
  StatusOr<int> CreateTemporary(std::string* file) const;
  Status WriteAll(int fd, const std::string& file, std::span<const uint8_t> bytes) const;
  Status WriteTemporary(int fd, const std::string& file, std::span<const uint8_t> start,
                        std::span<const uint8_t> bytes) const;
  Status ReadAll(int fd, const std::string& file, std::span<uint8_t> bytes) const;
  StatusOr<CachedBytes> ReadEntry(int fd, const std::string& file, bool whole,
                                  CacheName* name) const;
  StatusOr<CachedBytes> OpenEntry(const std::string& file, bool whole, bool use,
                                  CacheName* name) const;
  StatusOr<std::vector<CacheFile>> OwnFiles() const;
  void Sweep(const std::string& keep) const;

  std::string path_;
  Options options_;
  int folder_;  // -1 after a move
};

}  // namespace tern

#endif  // TERN_BASE_CACHE_DIR_H_
