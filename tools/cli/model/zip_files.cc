// SPDX-License-Identifier: Apache-2.0
// Stored files as they are, deflated ones by stb.
#include "cli/model/zip_files.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "cli/inputs/stb.h"

namespace tern::cli {
namespace {

constexpr uint32_t kLocalMark = 0x04034b50;
constexpr size_t kLocalSize = 30;
constexpr uint64_t kMaxUnpacked = 16 << 20;

}  // namespace

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
  if (std::max(file.bytes, file.packed_bytes) > kMaxUnpacked) return error("it is too large");
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
