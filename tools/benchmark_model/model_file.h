// SPDX-License-Identifier: Apache-2.0
// Where the measured model comes from.
#ifndef TERN_TOOLS_BENCHMARK_MODEL_MODEL_FILE_H_
#define TERN_TOOLS_BENCHMARK_MODEL_MODEL_FILE_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "tensorflow/lite/model.h"

namespace tern::tools {

struct ModelFile {
  std::unique_ptr<tflite::FlatBufferModel> model;  // verified
  size_t bytes = 0;
};

// `graph` is a path, or fd:NUMBER:OFFSET:SIZE for that many bytes of a file that the caller opened
// and that stays the caller's.
absl::StatusOr<ModelFile> OpenModelFile(const std::string& graph);

}  // namespace tern::tools

#endif  // TERN_TOOLS_BENCHMARK_MODEL_MODEL_FILE_H_
