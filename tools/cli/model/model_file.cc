// SPDX-License-Identifier: Apache-2.0
// Loading with every check there is.
#include "cli/model/model_file.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "cli/engine/engine.h"
#include "cli/inputs/fill.h"
#include "model/verify_model.h"

namespace tern::cli {

absl::StatusOr<std::unique_ptr<tflite::FlatBufferModel>> LoadModel(const std::string& path) {
  if (absl::Status status = CheckReadable(path); !status.ok()) return status;
  static auto* const log = new ErrorLog;  // the model keeps it
  auto loaded = tflite::FlatBufferModel::VerifyAndBuildFromFile(path.c_str(), nullptr, log);
  if (loaded == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": not a usable model: ", log->Take()));
  }
  const auto* file = static_cast<const uint8_t*>(loaded->allocation()->base());
  const Status sound = VerifyModel(*loaded->GetModel(), {file, loaded->allocation()->bytes()});
  if (!sound.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": not a usable model: ", std::string(Message(sound))));
  }
  return loaded;
}

absl::Status WriteText(const std::string& text, const std::string& path) {
  if (path != "-") return WriteFile(path, text.data(), text.size());
  errno = 0;
  const bool whole = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (whole && std::fflush(stdout) == 0) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("cannot write to the standard output: ",
                                          std::generic_category().message(errno)));
}

}  // namespace tern::cli
