// SPDX-License-Identifier: Apache-2.0
// Files and delegates for programs that evaluate models. A program that makes GPU delegates links
// the library of the GPU delegate, too.
#ifndef TERN_TENSORFLOW_LITE_TOOLS_EVALUATION_UTILS_H_
#define TERN_TENSORFLOW_LITE_TOOLS_EVALUATION_UTILS_H_

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>
#include <unordered_set>
#include <vector>

#include "tensorflow/lite/core/c/common.h"
#include "tensorflow/lite/delegates/gpu/delegate.h"
#include "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"

namespace tflite {
namespace evaluation {

// Null where there is no such delegate.
using TfLiteDelegatePtr = std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)>;

inline TfLiteDelegatePtr NoDelegate() {
  return TfLiteDelegatePtr(nullptr, [](TfLiteDelegate*) {});
}

inline std::string StripTrailingSlashes(const std::string& path) {
  std::string stripped = path;
  while (!stripped.empty() && stripped.back() == '/') stripped.pop_back();
  return stripped;
}

// The lines of a text file, without their ends. False when it cannot be read.
inline bool ReadFileLines(const std::string& file_path, std::vector<std::string>* lines_output) {
  std::ifstream file(file_path);
  if (!file || lines_output == nullptr) return false;
  lines_output->clear();
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines_output->push_back(line);
  }
  return true;
}

// Paths of the files in a folder, in alphabetical order: all, or those with one of these
// extensions, which are in small letters and begin with a point.
inline TfLiteStatus GetSortedFileNames(const std::string& directory,
                                       std::vector<std::string>* result,
                                       const std::unordered_set<std::string>& extensions) {
  if (result == nullptr) return kTfLiteError;
  result->clear();
  std::error_code error;
  std::filesystem::directory_iterator entries(directory, error);
  if (error) return kTfLiteError;
  for (const auto& entry : entries) {
    if (!entry.is_regular_file(error)) continue;
    std::string extension = entry.path().extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (!extensions.empty() && extensions.count(extension) == 0) continue;
    result->push_back(StripTrailingSlashes(directory) + "/" + entry.path().filename().string());
  }
  std::sort(result->begin(), result->end());
  return kTfLiteOk;
}
inline TfLiteStatus GetSortedFileNames(const std::string& directory,
                                       std::vector<std::string>* result) {
  return GetSortedFileNames(directory, result, {});
}

inline TfLiteDelegatePtr CreateGPUDelegate(TfLiteGpuDelegateOptionsV2* options) {
  return TfLiteDelegatePtr(TfLiteGpuDelegateV2Create(options), &TfLiteGpuDelegateV2Delete);
}
inline TfLiteDelegatePtr CreateGPUDelegate() { return CreateGPUDelegate(nullptr); }

inline TfLiteXNNPackDelegateOptions XNNPackDelegateOptionsDefault() {
  return TfLiteXNNPackDelegateOptionsDefault();
}
inline TfLiteDelegatePtr CreateXNNPACKDelegate(const TfLiteXNNPackDelegateOptions* options) {
  return TfLiteDelegatePtr(TfLiteXNNPackDelegateCreate(options), &TfLiteXNNPackDelegateDelete);
}
inline TfLiteDelegatePtr CreateXNNPACKDelegate() { return CreateXNNPACKDelegate(nullptr); }
inline TfLiteDelegatePtr CreateXNNPACKDelegate(
    int num_threads, bool force_fp16, const char* experimental_weight_cache_file_path = nullptr) {
  TfLiteXNNPackDelegateOptions options = TfLiteXNNPackDelegateOptionsDefault();
  options.num_threads = num_threads > 1 ? num_threads : 1;
  if (force_fp16) options.flags |= TFLITE_XNNPACK_DELEGATE_FLAG_FORCE_FP16;
  options.weight_cache_file_path = experimental_weight_cache_file_path;
  return CreateXNNPACKDelegate(&options);
}

// Hardware that this library does not drive.
inline TfLiteDelegatePtr CreateNNAPIDelegate() { return NoDelegate(); }
inline TfLiteDelegatePtr CreateHexagonDelegate(const std::string&, bool) { return NoDelegate(); }
inline TfLiteDelegatePtr CreateCoreMlDelegate() { return NoDelegate(); }

}  // namespace evaluation
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_TOOLS_EVALUATION_UTILS_H_
