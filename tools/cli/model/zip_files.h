// SPDX-License-Identifier: Apache-2.0
// The files of a zip archive that is appended to another file, as labels are to a model.
#ifndef TERN_TOOLS_CLI_MODEL_ZIP_FILES_H_
#define TERN_TOOLS_CLI_MODEL_ZIP_FILES_H_

#include <cstdint>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "model/zip_directory.h"

namespace tern::cli {

// The bytes of a file. Errors: it does not lie where the directory says, or is packed by another
// method, or is larger than labels ever are.
absl::StatusOr<std::string> ReadZip(std::span<const uint8_t> archive, const ZipFile& file);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_MODEL_ZIP_FILES_H_
