// SPDX-License-Identifier: Apache-2.0
// Models from paths and from open files.
#include "benchmark_model/model_file.h"

#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tensorflow/lite/stderr_reporter.h"

namespace tern::tools {
namespace {

// Null where the bytes are not there.
std::unique_ptr<tflite::Allocation> Map(int fd, size_t offset, size_t size) {
  auto allocation =
      std::make_unique<tflite::MMAPAllocation>(fd, offset, size, tflite::DefaultErrorReporter());
  if (!allocation->valid()) return nullptr;
  return allocation;
}

}  // namespace

absl::StatusOr<ModelFile> OpenModelFile(const std::string& graph) {
  ModelFile file;
  const std::vector<std::string> parts = absl::StrSplit(graph, ':');
  if (parts[0] == "fd" && parts.size() > 1) {
    int fd = -1;
    size_t offset = 0;
    size_t size = 0;
    if (parts.size() != 4 || !absl::SimpleAtoi(parts[1], &fd) || fd < 0 ||
        !absl::SimpleAtoi(parts[2], &offset) || !absl::SimpleAtoi(parts[3], &size)) {
      return absl::InvalidArgumentError(
          absl::StrCat("--graph: '", graph, "' (fd:NUMBER:OFFSET:SIZE)"));
    }
    if (auto bytes = Map(fd, offset, size)) {
      file.model = tflite::FlatBufferModel::VerifyAndBuildFromAllocation(std::move(bytes));
    }
  } else {
    file.model = tflite::FlatBufferModel::VerifyAndBuildFromFile(graph.c_str());
  }
  if (file.model == nullptr) {
    return absl::NotFoundError(absl::StrCat("Failed to load model ", graph));
  }
  file.bytes = file.model->allocation()->bytes();
  return file;
}

}  // namespace tern::tools
