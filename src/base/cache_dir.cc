// SPDX-License-Identifier: Apache-2.0
// Entries are written beside their place, read whole, and dropped by the time of their last use.
#include "base/cache_dir.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <system_error>
#include <utility>

#include "base/cache_entry.h"
#include "base/clock.h"

namespace tern {
namespace {

// Room for bytes from a file, which may be more than there is.
StatusOr<std::unique_ptr<uint8_t[]>> Room(size_t bytes) {
  std::unique_ptr<uint8_t[]> room(new (std::nothrow) uint8_t[bytes]);
  if (room == nullptr) return TooLarge("no memory for ", bytes, " bytes");
  return room;
}

// Closes a descriptor that only reads, or whose writes do not matter any more.
class Closer {
 public:
  Closer(Files* files, int fd) : files_(files), fd_(fd) {}
  ~Closer() { files_->Close(fd_); }
  Closer(const Closer&) = delete;
  Closer& operator=(const Closer&) = delete;

 private:
  Files* const files_;
  const int fd_;
};

void SortByUse(std::vector<CacheFile>* files) {
  std::stable_sort(files->begin(), files->end(), [](const CacheFile& a, const CacheFile& b) {
    return a.last_used_nanos > b.last_used_nanos;
  });
}

}  // namespace

StatusOr<CacheDir> CacheDir::Open(const std::string& path, const Options& options) {
  Options own = options;
  if (own.files == nullptr) own.files = SystemFiles();
  if (own.files == nullptr) return Unsupported("this system has no files for a cache");
  if (path.empty()) return Invalid("a cache needs a directory");
  if (path.find('\0') != std::string::npos) return Invalid("a directory's name has a zero byte");
  int folder = -1;
  int code = own.files->OpenFolder(path, &folder);
  if (code == ENOENT && own.create) {
    code = own.files->MakeFolder(path);
    // Another process may have been quicker.
    if (code == 0 || code == EEXIST) code = own.files->OpenFolder(path, &folder);
  }
  CacheDir cache(path, own, code == 0 ? folder : -1);
  if (code == 0) return cache;
  const Status error = cache.Error(code, "cannot open the directory", "");
  return code == ENOENT ? absl::NotFoundError(std::string(Message(error))) : error;
}

CacheDir::CacheDir(CacheDir&& other) noexcept
    : path_(std::move(other.path_)),
      options_(other.options_),
      folder_(std::exchange(other.folder_, -1)) {}

CacheDir& CacheDir::operator=(CacheDir&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(options_, other.options_);
  std::swap(folder_, other.folder_);
  return *this;
}

CacheDir::~CacheDir() {
  if (folder_ >= 0) options_.files->Close(folder_);
}

Status CacheDir::Error(int code, std::string_view what, const std::string& file) const {
  return Unavailable("cache ", path_, file.empty() ? "" : "/", file, ": ", what, " (",
                     std::generic_category().message(code), ")");
}

Status CacheDir::ReadAll(int fd, const std::string& file, std::span<uint8_t> bytes) const {
  while (!bytes.empty()) {
    size_t done = 0;
    const int code = options_.files->Read(fd, bytes.data(), bytes.size(), &done);
    if (code != 0) return Error(code, "cannot read", file);
    if (done == 0) return Damaged("the file became shorter");
    bytes = bytes.subspan(std::min(done, bytes.size()));
  }
  return OkStatus();
}

StatusOr<CachedBytes> CacheDir::ReadEntry(int fd, const std::string& file, bool whole,
                                          CacheName* name) const {
  FileFacts facts;
  const int code = options_.files->Facts(fd, &facts);
  if (code != 0) return Error(code, "cannot look at the file", file);
  if (!facts.regular) return Damaged("no ordinary file");
  if (facts.bytes > options_.max_bytes) {
    return TooLarge(facts.bytes, " bytes, the cache may have ", options_.max_bytes);
  }
  CacheHeader header;
  if (facts.bytes < static_cast<int64_t>(sizeof header)) return Damaged("a part of a file");
  TERN_RETURN_IF_ERROR(ReadAll(fd, file, {reinterpret_cast<uint8_t*>(&header), sizeof header}));
  TERN_RETURN_IF_ERROR(CheckCacheHeader(header, facts.bytes));
  const size_t start = header.StartBytes();
  const size_t bytes = whole ? static_cast<size_t>(facts.bytes) : start;
  TERN_ASSIGN_OR_RETURN(std::unique_ptr<uint8_t[]> room, Room(bytes));
  const std::span<uint8_t> all(room.get(), bytes);
  TERN_RETURN_IF_ERROR(ReadAll(fd, file, all.subspan(sizeof header)));
  TERN_ASSIGN_OR_RETURN(*name, CheckCacheStart(header, all.first(start)));
  if (!whole) return CachedBytes(std::move(room), start, 0);
  const std::span<const uint8_t> data = all.subspan(start);
  TERN_RETURN_IF_ERROR(CheckCacheData(header, data));
  return CachedBytes(std::move(room), start, data.size());
}

// The name comes out even where the entry is no good for another reason.
StatusOr<CachedBytes> CacheDir::OpenEntry(const std::string& file, bool whole, bool use,
                                          CacheName* name) const {
  int fd = -1;
  const int code = options_.files->OpenForReading(folder_, file, &fd);
  if (code == ENOENT) return absl::NotFoundError("no such entry");
  if (code != 0) return Error(code, "cannot open", file);
  const Closer closer(options_.files, fd);
  StatusOr<CachedBytes> entry = ReadEntry(fd, file, whole, name);
  if (entry.ok() && CacheFileName(*name) != file) return Damaged("the entry of another name");
  // A directory that cannot be written to keeps the times that it has.
  if (entry.ok() && use) options_.files->Touch(fd);
  return entry;
}

StatusOr<CachedBytes> CacheDir::Find(const CacheName& name) const {
  const std::string file = CacheFileName(name);
  CacheName found;
  StatusOr<CachedBytes> entry = OpenEntry(file, /*whole=*/true, /*use=*/true, &found);
  if (entry.ok() && found != name) entry = Damaged("the entry of another name");
  if (entry.ok() || !absl::IsDataLoss(entry.status())) return entry;
  return WithPrefix(entry.status(), StrCat("cache ", path_, "/", file));
}

Status CacheDir::WriteAll(int fd, const std::string& file, std::span<const uint8_t> bytes) const {
  while (!bytes.empty()) {
    size_t done = 0;
    const int code = options_.files->Write(fd, bytes.data(), bytes.size(), &done);
    if (code != 0) return Error(code, "cannot write", file);
    if (done == 0) return Error(EIO, "cannot write", file);
    bytes = bytes.subspan(std::min(done, bytes.size()));
  }
  return OkStatus();
}

StatusOr<int> CacheDir::CreateTemporary(std::string* file) const {
  constexpr int kAttempts = 8;
  int fd = -1, code = EEXIST;
  for (int i = 0; i < kAttempts && code == EEXIST; ++i) {
    *file = CacheTemporaryName();
    code = options_.files->CreateFile(folder_, *file, &fd);
  }
  if (code != 0) return Error(code, "cannot make a file", "");
  return fd;
}

// The bytes are on the disk before the name is: after a loss of power there is no empty file under
// it. A loss of the name itself does no harm.
Status CacheDir::WriteTemporary(int fd, const std::string& file, std::span<const uint8_t> start,
                                std::span<const uint8_t> bytes) const {
  Status status = WriteAll(fd, file, start);
  if (status.ok()) status = WriteAll(fd, file, bytes);
  if (status.ok()) {
    if (const int code = options_.files->Sync(fd)) status = Error(code, "cannot write", file);
  }
  if (const int code = options_.files->Close(fd); code != 0 && status.ok()) {
    status = Error(code, "cannot write", file);
  }
  return status;
}

Status CacheDir::Put(const CacheName& name, std::span<const uint8_t> bytes) const {
  const std::vector<uint8_t> start = MakeCacheStart(name, bytes);
  const auto whole = static_cast<int64_t>(start.size() + bytes.size());
  if (whole > options_.max_bytes) {
    return TooLarge("cache ", path_, ": an entry of ", whole, " bytes, all may have ",
                    options_.max_bytes);
  }
  std::string temporary;
  TERN_ASSIGN_OR_RETURN(const int fd, CreateTemporary(&temporary));
  const std::string file = CacheFileName(name);
  Status status = WriteTemporary(fd, temporary, start, bytes);
  if (status.ok()) {
    if (const int code = options_.files->Rename(folder_, temporary, file)) {
      status = Error(code, "cannot rename a file", file);
    }
  }
  if (!status.ok()) options_.files->Remove(folder_, temporary);
  Sweep(file);
  return status;
}

StatusOr<std::vector<CacheFile>> CacheDir::OwnFiles() const {
  std::vector<std::string> names;
  if (const int code = options_.files->Names(folder_, &names)) {
    return Error(code, "cannot list the directory", "");
  }
  std::vector<CacheFile> files;
  for (std::string& name : names) {
    CacheFile file;
    file.leftover = IsCacheTemporaryName(name);
    if (!file.leftover && !IsCacheFileName(name)) continue;
    FileFacts facts;
    const int code = options_.files->FactsOf(folder_, name, &facts);
    // Gone since it was listed, or made by someone else.
    if (code == ENOENT || (code == 0 && !facts.regular)) continue;
    if (code != 0) file.state = Error(code, "cannot look at the file", name);
    file.file = std::move(name);
    file.bytes = facts.bytes;
    file.last_used_nanos = facts.changed_nanos;
    files.push_back(std::move(file));
  }
  SortByUse(&files);
  return files;
}

// Removes leftovers that are too old, and, of entries as of leftovers, those that do not fit beside
// all that were used later: what is killed again and again must not fill the disk. Another process
// may do the same at the same time, and either may take what the other has just renewed: that entry
// is made again.
void CacheDir::Sweep(const std::string& keep) const {
  const StatusOr<std::vector<CacheFile>> files = OwnFiles();
  if (!files.ok()) return;
  const int64_t now = WallNanos();
  int64_t bytes[2] = {};  // of the entries and the leftovers that stay
  for (const CacheFile& file : *files) {
    if (file.file == keep) bytes[0] = file.bytes;
  }
  for (const CacheFile& file : *files) {  // the last used first
    if (file.file == keep || !file.state.ok()) continue;
    int64_t& sum = bytes[file.leftover ? 1 : 0];
    // The clock may have been set back since: then the time lies ahead.
    const bool old =
        file.leftover && std::abs(now - file.last_used_nanos) >= options_.leftover_nanos;
    if (old || file.bytes > options_.max_bytes - sum) {
      options_.files->Remove(folder_, file.file);
    } else {
      sum += file.bytes;
    }
  }
}

StatusOr<std::vector<CacheFile>> CacheDir::List(bool whole) const {
  TERN_ASSIGN_OR_RETURN(std::vector<CacheFile> files, OwnFiles());
  for (CacheFile& file : files) {
    if (!file.state.ok()) continue;
    if (file.leftover) {
      file.state = Damaged("left by a writer that did not end, or still being written");
    } else {
      file.state = OpenEntry(file.file, whole, /*use=*/false, &file.name).status();
    }
  }
  std::erase_if(files, [](const CacheFile& file) { return absl::IsNotFound(file.state); });
  return files;
}

StatusOr<std::vector<CacheFile>> CacheDir::Clear() const {
  TERN_ASSIGN_OR_RETURN(std::vector<CacheFile> files, List());
  for (CacheFile& file : files) {
    const int code = options_.files->Remove(folder_, file.file);
    file.state = code == 0 || code == ENOENT ? OkStatus() : Error(code, "cannot remove", file.file);
  }
  return files;
}

}  // namespace tern
