// SPDX-License-Identifier: Apache-2.0
// A folder for what a target hands over as a file. It goes with the process.
#ifndef TERN_TESTS_FUZZ_SCRATCH_H_
#define TERN_TESTS_FUZZ_SCRATCH_H_

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <system_error>

namespace tern::fuzz {

class Scratch {
 public:
  // One for the process.
  static const std::filesystem::path& Folder() {
    static const Scratch scratch;
    return scratch.folder_;
  }
  static void Write(const std::string& name, std::span<const uint8_t> bytes) {
    std::ofstream(Folder() / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

 private:
  Scratch() : folder_((std::filesystem::temp_directory_path() / "tern_fuzz_XXXXXX").string()) {
    std::string name = folder_.string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    folder_ = name;
  }

  std::filesystem::path folder_;
};

}  // namespace tern::fuzz

#endif  // TERN_TESTS_FUZZ_SCRATCH_H_
