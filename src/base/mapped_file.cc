// SPDX-License-Identifier: Apache-2.0
// Maps files with mmap: an anonymous range with one page to spare, the file laid over its
// beginning.

#include "base/mapped_file.h"

#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#define TERN_HAS_MMAP 1
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#endif

namespace tern {

MappedFile::MappedFile(MappedFile&& other) noexcept { *this = std::move(other); }

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this == &other) return *this;
  Release();
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  mapping_ = std::exchange(other.mapping_, nullptr);
  mapping_size_ = std::exchange(other.mapping_size_, 0);
  mapping_offset_ = std::exchange(other.mapping_offset_, 0);
  reserved_size_ = std::exchange(other.reserved_size_, 0);
  access_ = other.access_;
  return *this;
}

MappedFile::~MappedFile() { Release(); }

#ifdef TERN_HAS_MMAP

bool MappedFile::IsSupported() { return true; }

void MappedFile::Release() {
  if (mapping_ != nullptr) munmap(mapping_, reserved_size_);
  mapping_ = nullptr;
}

void MappedFile::ReleasePages() const {
  if (access_ == Access::kReadOnly && mapping_ != nullptr) {
    madvise(mapping_, mapping_size_, MADV_DONTNEED);
  }
}

StatusOr<MappedFile> MappedFile::Open(const std::string& path, Access access) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Unavailable("cannot open ", path, ": ", std::strerror(errno));
  StatusOr<MappedFile> file = FromDescriptor(fd, 0, kToEnd, access);
  close(fd);
  if (!file.ok()) return WithPrefix(file.status(), path);
  return file;
}

StatusOr<MappedFile> MappedFile::FromDescriptor(int fd, size_t offset, size_t length,
                                                Access access) {
  struct stat info;
  if (fstat(fd, &info) != 0)
    return Unavailable("cannot read the file size: ", std::strerror(errno));
  if (!S_ISREG(info.st_mode)) return Invalid("not a regular file");
  const size_t file_size = static_cast<size_t>(info.st_size);
  if (static_cast<off_t>(file_size) != info.st_size) {
    return TooLarge("the file has more bytes than a program of ", 8 * sizeof(size_t),
                    " bits can address (", info.st_size, ")");
  }
  if (offset > file_size) return Invalid("offset outside the file (", offset, ", ", file_size, ")");
  if (length == kToEnd) length = file_size - offset;
  if (length > file_size - offset) {
    return Invalid("range outside the file (", offset, " + ", length, ", ", file_size, ")");
  }
  if (length == 0) return Invalid("file or range is empty");

  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t start = offset / page * page;
  const size_t mapped = offset - start + length;
  const size_t reserved = (mapped + page - 1) / page * page + page;
  void* range = mmap(nullptr, reserved, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (range == MAP_FAILED) return TooLarge("no address space for ", reserved, " bytes");
  const int protection = access == Access::kPrivate ? PROT_READ | PROT_WRITE : PROT_READ;
  const int kind = access == Access::kPrivate ? MAP_PRIVATE : MAP_SHARED;
  if (mmap(range, mapped, protection, kind | MAP_FIXED, fd, static_cast<off_t>(start)) ==
      MAP_FAILED) {
    const int reason = errno;
    munmap(range, reserved);
    return Unavailable("cannot map the file: ", std::strerror(reason));
  }
  MappedFile file;
  file.mapping_ = range;
  file.reserved_size_ = reserved;
  file.mapping_size_ = mapped;
  file.mapping_offset_ = start;
  file.data_ = static_cast<const uint8_t*>(range) + (offset - start);
  file.size_ = length;
  file.access_ = access;
  return file;
}

#else

bool MappedFile::IsSupported() { return false; }

void MappedFile::Release() {}

void MappedFile::ReleasePages() const {}

StatusOr<MappedFile> MappedFile::Open(const std::string& path, Access) {
  return Unsupported(path, ": this system cannot map files");
}

StatusOr<MappedFile> MappedFile::FromDescriptor(int, size_t, size_t, Access) {
  return Unsupported("this system cannot map files");
}

#endif

}  // namespace tern
