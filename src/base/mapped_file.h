// SPDX-License-Identifier: Apache-2.0
// A file, or a part of one, mapped into memory. At least kSlack readable zero bytes follow the
// mapped part's page, so vector code may read a little past the last weight.
#ifndef TERN_BASE_MAPPED_FILE_H_
#define TERN_BASE_MAPPED_FILE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/status.h"

namespace tern {

class MappedFile {
 public:
  static constexpr size_t kSlack = 64;
  static constexpr size_t kToEnd = SIZE_MAX;

  enum class Access {
    kReadOnly,
    kPrivate,  // writable; changes stay in this process
  };

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  static StatusOr<MappedFile> Open(const std::string& path, Access access = Access::kReadOnly);

  // Maps `length` bytes from `offset` (any value, no alignment needed). The descriptor stays the
  // caller's and may be closed afterwards. Errors: range outside the file, empty range, not a
  // mappable file.
  static StatusOr<MappedFile> FromDescriptor(int fd, size_t offset = 0, size_t length = kToEnd,
                                             Access access = Access::kReadOnly);

  // True on systems that can map files.
  static bool IsSupported();

  std::span<const uint8_t> bytes() const { return {data_, size_}; }
  const uint8_t* data() const { return data_; }
  size_t size() const { return size_; }

  // Gives memory back that the system can fill from the file again, at the next access. Does
  // nothing where there may be changes.
  void ReleasePages() const;

  // The bytes that are mapped: they start at a page boundary of the file.
  const void* mapping() const { return mapping_; }
  size_t mapping_size() const { return mapping_size_; }
  size_t mapping_offset() const { return mapping_offset_; }

 private:
  void Release();

  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
  void* mapping_ = nullptr;
  size_t mapping_size_ = 0;
  size_t mapping_offset_ = 0;
  size_t reserved_size_ = 0;
  Access access_ = Access::kPrivate;
};

}  // namespace tern

#endif  // TERN_BASE_MAPPED_FILE_H_
