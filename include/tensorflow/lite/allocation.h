// SPDX-License-Identifier: Apache-2.0
// The memory a model file lies in: mapped, read into memory, or lent by the caller.
#ifndef TERN_TENSORFLOW_LITE_ALLOCATION_H_
#define TERN_TENSORFLOW_LITE_ALLOCATION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "tensorflow/lite/core/api/error_reporter.h"

namespace tern {
class MappedFile;
}  // namespace tern

namespace tflite {

// Bytes that stay in place for as long as the object lives. Not copyable.
class Allocation {
 public:
  enum class Type {
    kMMap,
    kFileCopy,
    kMemory,
  };

  virtual ~Allocation() = default;
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;

  // Null when not valid.
  virtual const void* base() const = 0;
  virtual size_t bytes() const = 0;
  // False when the file could not be opened or read; the reason went to the error reporter.
  virtual bool valid() const = 0;
  Type type() const { return type_; }
  // The file that was opened by its name, else empty. An extension: data of the model may lie
  // beside it.
  const std::string& path() const { return path_; }

 protected:
  // A null reporter means the default one.
  Allocation(ErrorReporter* error_reporter, Type type);

  ErrorReporter* error_reporter_;
  std::string path_;

 private:
  const Type type_;
};

// A file, or `length` bytes of it from `offset`, mapped into memory. A descriptor is duplicated:
// the caller keeps and closes its own. `map_private` makes the pages writable; changes never reach
// the file.
class MMAPAllocation : public Allocation {
 public:
  MMAPAllocation(const char* filename, ErrorReporter* error_reporter, bool map_private = false);
  MMAPAllocation(int fd, ErrorReporter* error_reporter, bool map_private = false);
  MMAPAllocation(const char* filename, size_t offset, size_t length, ErrorReporter* error_reporter,
                 bool map_private = false);
  MMAPAllocation(int fd, size_t offset, size_t length, ErrorReporter* error_reporter,
                 bool map_private = false);
  ~MMAPAllocation() override;

  const void* base() const override;
  size_t bytes() const override;
  bool valid() const override;

  // The allocation's own descriptor, -1 when there is none.
  int fd() const { return fd_; }
  // The whole mapping: begins at a page boundary at or before base().
  const void* mmapped_buffer() const;
  size_t mmapped_buffer_size() const;
  size_t mmapped_buffer_offset_in_file() const;

  // Gives memory back that the system can fill from the file again, at the next access. Does
  // nothing for a private mapping, which may have been written to. An extension.
  void ReleasePages() const;

  // Whether this system can map files.
  static bool IsSupported();

 private:
  void Map(int owned_fd, size_t offset, size_t length, bool map_private);

  int fd_ = -1;
  std::unique_ptr<tern::MappedFile> file_;
};

// A file read into memory of its own.
class FileCopyAllocation : public Allocation {
 public:
  FileCopyAllocation(const char* filename, ErrorReporter* error_reporter);
  ~FileCopyAllocation() override;

  const void* base() const override { return buffer_.get(); }
  size_t bytes() const override { return bytes_; }
  bool valid() const override { return buffer_ != nullptr; }

 private:
  std::unique_ptr<uint64_t[]> buffer_;
  size_t bytes_ = 0;
};

// Memory of the caller, who keeps it alive and unchanged for longer than this object. Never copied.
class MemoryAllocation : public Allocation {
 public:
  MemoryAllocation(const void* ptr, size_t num_bytes, ErrorReporter* error_reporter);
  ~MemoryAllocation() override;

  const void* base() const override { return buffer_; }
  size_t bytes() const override { return bytes_; }
  bool valid() const override { return buffer_ != nullptr; }

 private:
  const void* buffer_;
  size_t bytes_;
};

// Maps the file where the system can, else copies it. Never null; test valid().
std::unique_ptr<Allocation> GetAllocationFromFile(const char* filename,
                                                  ErrorReporter* error_reporter,
                                                  bool allow_modifications = false);
std::unique_ptr<Allocation> GetAllocationFromFile(int fd, ErrorReporter* error_reporter,
                                                  bool allow_modifications = false);

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_ALLOCATION_H_
