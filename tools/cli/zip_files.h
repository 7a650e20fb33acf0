// SPDX-License-Identifier: Apache-2.0
// The files of a zip archive that is appended to another file, as labels are to a model.
#ifndef TERN_TOOLS_CLI_ZIP_FILES_H_
#define TERN_TOOLS_CLI_ZIP_FILES_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tern::cli {

struct ZipFile {
  std::string name;
  int method = 0;  // 0: stored, 8: deflated
  uint64_t packed_bytes = 0, bytes = 0;
  uint64_t offset = 0;  // of its header
};

// As the directory at the end of the archive lists them; none where there is no archive.
std::vector<ZipFile> ListZip(std::span<const uint8_t> file);
// The bytes of a file. Errors: it does not lie where the directory says, or is packed by another
// method, or is larger than labels ever are.
absl::StatusOr<std::string> ReadZip(std::span<const uint8_t> archive, const ZipFile& file);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_ZIP_FILES_H_
