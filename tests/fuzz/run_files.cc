// SPDX-License-Identifier: Apache-2.0
// Stands in for libFuzzer where the compiler has none: each file, and each file below a folder,
// that the command line names goes through the target once, then a few changes of it, always the
// same.
//
//   fuzz_NAME FILE_OR_FOLDER...
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" {

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
// A target may have these.
__attribute__((weak)) int LLVMFuzzerInitialize(int* argc, char*** argv);
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                                     unsigned seed);
__attribute__((weak)) size_t LLVMFuzzerCustomCrossOver(const uint8_t* a, size_t a_size,
                                                       const uint8_t* b, size_t b_size,
                                                       uint8_t* out, size_t max_size,
                                                       unsigned seed);

// One byte becomes another.
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t) {
  static std::minstd_rand random(1);
  if (size > 0) data[random() % size] = static_cast<uint8_t>(random());
  return size;
}

}  // extern "C"

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<uint8_t>;

constexpr unsigned kChanges = 2;
constexpr size_t kRoom = 4096;

// From a block of its own size, so that a sanitizer sees reads behind it.
void Try(const Bytes& bytes) {
  const Bytes exact(bytes);
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

void TryChanges(const Bytes& bytes, const Bytes& before, unsigned number) {
  for (unsigned i = 0; i < kChanges; ++i) {
    Bytes changed = bytes;
    const size_t size = changed.size();
    changed.resize(size + kRoom);
    const unsigned seed = number * kChanges + i;
    changed.resize(LLVMFuzzerCustomMutator == nullptr
                       ? LLVMFuzzerMutate(changed.data(), size, changed.size())
                       : LLVMFuzzerCustomMutator(changed.data(), size, changed.size(), seed));
    Try(changed);
  }
  if (LLVMFuzzerCustomCrossOver == nullptr) return;
  Bytes both(bytes.size() + before.size() + kRoom);
  both.resize(LLVMFuzzerCustomCrossOver(bytes.data(), bytes.size(), before.data(), before.size(),
                                        both.data(), both.size(), number));
  Try(both);
}

}  // namespace

int main(int argc, char** argv) {
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) {
    if (!fs::is_directory(argv[i])) {
      files.emplace_back(argv[i]);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(argv[i])) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  Bytes before;
  unsigned number = 0;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    const Bytes bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    // The last line before a crash names the file.
    std::fprintf(stderr, "%s\n", file.string().c_str());
    Try(bytes);
    TryChanges(bytes, before, ++number);
    before = bytes;
  }
  std::fprintf(stderr, "%zu files\n", files.size());
  return files.empty() ? 1 : 0;
}
