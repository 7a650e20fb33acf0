// SPDX-License-Identifier: Apache-2.0
// Reading a model file to show it, and writing what is shown.
#ifndef TERN_TOOLS_CLI_MODEL_MODEL_FILE_H_
#define TERN_TOOLS_CLI_MODEL_MODEL_FILE_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tensorflow/lite/model.h"

namespace tern::cli {

// A model whose parts all lie where the file says.
absl::StatusOr<std::unique_ptr<tflite::FlatBufferModel>> LoadModel(const std::string& path);

// To a file; "-": to the standard output.
absl::Status WriteText(const std::string& text, const std::string& path);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_MODEL_MODEL_FILE_H_
