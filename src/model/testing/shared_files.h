// SPDX-License-Identifier: Apache-2.0
// Finds the reference models that tests use when they are there: below $TERN_SHARED, else ../shared
// beside the repository (tests run in its root). Header-only.
#ifndef TERN_MODEL_TESTING_SHARED_FILES_H_
#define TERN_MODEL_TESTING_SHARED_FILES_H_

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace tern::testing {

inline std::filesystem::path SharedRoot() {
  const char* root = std::getenv("TERN_SHARED");
  return root != nullptr ? std::filesystem::path(root) : std::filesystem::path("../shared");
}

// All files below `folder` of the shared root with this extension, sorted; empty when there are
// none.
inline std::vector<std::filesystem::path> SharedFiles(const std::string& folder,
                                                      const std::string& extension) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  std::filesystem::recursive_directory_iterator it(SharedRoot() / folder, error);
  if (error) return files;
  for (const auto& entry : it) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

inline std::vector<uint8_t> ReadFileBytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace tern::testing

#endif  // TERN_MODEL_TESTING_SHARED_FILES_H_
