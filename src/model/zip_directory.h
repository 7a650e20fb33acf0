// SPDX-License-Identifier: Apache-2.0
// The directory of a zip archive, alone in a file or behind other bytes, as metadata lies behind a
// model.
#ifndef TERN_MODEL_ZIP_DIRECTORY_H_
#define TERN_MODEL_ZIP_DIRECTORY_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tern {

struct ZipFile {
  std::string name;
  int method = 0;  // 0: stored, 8: deflated
  uint64_t packed_bytes = 0, bytes = 0;
  uint64_t offset = 0;  // of its header
};

// Little-endian; 0 for bytes beyond the end.
uint64_t ZipNumber(std::span<const uint8_t> file, uint64_t offset, int bytes);

// As the directory at the end of the archive lists them; none where there is no archive.
std::vector<ZipFile> ListZip(std::span<const uint8_t> file);

}  // namespace tern

#endif  // TERN_MODEL_ZIP_DIRECTORY_H_
