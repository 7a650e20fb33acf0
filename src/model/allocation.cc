// SPDX-License-Identifier: Apache-2.0
// Where model bytes come from: mapped files, copied files, memory of the caller.

#include "tensorflow/lite/allocation.h"

#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "base/mapped_file.h"
#include "model/file_kind.h"
#include "tensorflow/lite/stderr_reporter.h"

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <unistd.h>
#endif

namespace tflite {
namespace {

int OpenForReading(const char* filename) {
#if defined(__unix__) || defined(__APPLE__)
  return filename != nullptr ? open(filename, O_RDONLY | O_CLOEXEC) : -1;
#else
  (void)filename;
  return -1;
#endif
}

int Duplicate(int fd) {
#if defined(__unix__) || defined(__APPLE__)
  return fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
#else
  (void)fd;
  return -1;
#endif
}

std::string WhyNoFile(int fd, const tern::Status& status) {
  const std::string folder = tern::DescribeFolder(fd);
  return folder.empty() ? std::string(tern::Message(status)) : "it is " + folder;
}

}  // namespace

Allocation::Allocation(ErrorReporter* error_reporter, Type type)
    : error_reporter_(error_reporter != nullptr ? error_reporter : DefaultErrorReporter()),
      type_(type) {}

MMAPAllocation::MMAPAllocation(const char* filename, ErrorReporter* error_reporter,
                               bool map_private)
    : MMAPAllocation(filename, 0, tern::MappedFile::kToEnd, error_reporter, map_private) {}

MMAPAllocation::MMAPAllocation(int fd, ErrorReporter* error_reporter, bool map_private)
    : MMAPAllocation(fd, 0, tern::MappedFile::kToEnd, error_reporter, map_private) {}

MMAPAllocation::MMAPAllocation(const char* filename, size_t offset, size_t length,
                               ErrorReporter* error_reporter, bool map_private)
    : Allocation(error_reporter, Type::kMMap) {
  const int fd = OpenForReading(filename);
  if (fd < 0) {
    error_reporter_->Report("Could not open '%s'.", filename != nullptr ? filename : "(null)");
    return;
  }
  path_ = filename;
  Map(fd, offset, length, map_private);
}

MMAPAllocation::MMAPAllocation(int fd, size_t offset, size_t length, ErrorReporter* error_reporter,
                               bool map_private)
    : Allocation(error_reporter, Type::kMMap) {
  const int own = Duplicate(fd);
  if (own < 0) {
    error_reporter_->Report("Could not duplicate file descriptor %d.", fd);
    return;
  }
  Map(own, offset, length, map_private);
}

void MMAPAllocation::Map(int owned_fd, size_t offset, size_t length, bool map_private) {
  fd_ = owned_fd;
  using Access = tern::MappedFile::Access;
  tern::StatusOr<tern::MappedFile> file = tern::MappedFile::FromDescriptor(
      owned_fd, offset, length, map_private ? Access::kPrivate : Access::kReadOnly);
  if (!file.ok()) {
    error_reporter_->Report("Could not map the file: %s.", WhyNoFile(fd_, file.status()).c_str());
    return;
  }
  file_ = std::make_unique<tern::MappedFile>(std::move(*file));
}

MMAPAllocation::~MMAPAllocation() {
#if defined(__unix__) || defined(__APPLE__)
  if (fd_ >= 0) close(fd_);
#endif
}

const void* MMAPAllocation::base() const { return file_ ? file_->data() : nullptr; }
size_t MMAPAllocation::bytes() const { return file_ ? file_->size() : 0; }
bool MMAPAllocation::valid() const { return file_ != nullptr; }
const void* MMAPAllocation::mmapped_buffer() const { return file_ ? file_->mapping() : nullptr; }
size_t MMAPAllocation::mmapped_buffer_size() const { return file_ ? file_->mapping_size() : 0; }
size_t MMAPAllocation::mmapped_buffer_offset_in_file() const {
  return file_ ? file_->mapping_offset() : 0;
}
void MMAPAllocation::ReleasePages() const {
  if (file_) file_->ReleasePages();
}
bool MMAPAllocation::IsSupported() { return tern::MappedFile::IsSupported(); }

FileCopyAllocation::FileCopyAllocation(const char* filename, ErrorReporter* error_reporter)
    : Allocation(error_reporter, Type::kFileCopy) {
  std::unique_ptr<FILE, int (*)(FILE*)> file(
      filename != nullptr ? std::fopen(filename, "rb") : nullptr, std::fclose);
  if (file == nullptr) {
    error_reporter_->Report("Could not open '%s'.", filename != nullptr ? filename : "(null)");
    return;
  }
  path_ = filename;
  long size = -1;
  if (std::fseek(file.get(), 0, SEEK_END) == 0) size = std::ftell(file.get());
  if (size <= 0 || std::fseek(file.get(), 0, SEEK_SET) != 0) {
    error_reporter_->Report("File '%s' is empty or cannot be read.", filename);
    return;
  }
  const auto bytes = static_cast<size_t>(size);
  const size_t words = (bytes + tern::MappedFile::kSlack) / sizeof(uint64_t) + 1;
  std::unique_ptr<uint64_t[]> buffer(new (std::nothrow) uint64_t[words]);
  if (buffer == nullptr) {
    error_reporter_->Report("No memory for file '%s' (%zu bytes).", filename, bytes);
    return;
  }
  std::memset(reinterpret_cast<char*>(buffer.get()) + bytes, 0, words * sizeof(uint64_t) - bytes);
  if (std::fread(buffer.get(), 1, bytes, file.get()) != bytes) {
    error_reporter_->Report("File '%s' cannot be read.", filename);
    return;
  }
  buffer_ = std::move(buffer);
  bytes_ = bytes;
}

FileCopyAllocation::~FileCopyAllocation() = default;

MemoryAllocation::MemoryAllocation(const void* ptr, size_t num_bytes, ErrorReporter* error_reporter)
    : Allocation(error_reporter, Type::kMemory), buffer_(ptr), bytes_(num_bytes) {}

MemoryAllocation::~MemoryAllocation() = default;

std::unique_ptr<Allocation> GetAllocationFromFile(const char* filename,
                                                  ErrorReporter* error_reporter,
                                                  bool allow_modifications) {
  if (MMAPAllocation::IsSupported()) {
    return std::make_unique<MMAPAllocation>(filename, error_reporter, allow_modifications);
  }
  return std::make_unique<FileCopyAllocation>(filename, error_reporter);
}

std::unique_ptr<Allocation> GetAllocationFromFile(int fd, ErrorReporter* error_reporter,
                                                  bool allow_modifications) {
  return std::make_unique<MMAPAllocation>(fd, error_reporter, allow_modifications);
}

}  // namespace tflite
