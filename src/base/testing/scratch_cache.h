// SPDX-License-Identifier: Apache-2.0
// The common parts of cache tests: a directory of their own, and contents that name their origin.
#ifndef TERN_BASE_TESTING_SCRATCH_CACHE_H_
#define TERN_BASE_TESTING_SCRATCH_CACHE_H_

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "base/cache_dir.h"
#include "gtest/gtest.h"

namespace tern::cache_testing {

using Bytes = std::vector<uint8_t>;
namespace fs = std::filesystem;

class ScratchCache : public ::testing::Test {
 protected:
  ScratchCache() {
    std::string pattern = ::testing::TempDir() + "tern_cache_XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~ScratchCache() override { fs::remove_all(folder_); }

  std::string folder() const { return folder_.string(); }
  std::string PathOf(const CacheName& name) const {
    return (folder_ / CacheFileName(name)).string();
  }
  CacheDir Cache(const CacheDir::Options& options = {}) const {
    StatusOr<CacheDir> cache = CacheDir::Open(folder(), options);
    EXPECT_TRUE(cache.ok()) << cache.status();
    return *std::move(cache);
  }
  size_t CountFiles() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

inline Bytes ReadBytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(in), {});
}

inline void WriteBytes(const std::string& path, const Bytes& bytes) {
  fs::remove(path);  // file systems take their time for files that are made shorter
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
}

// Returns 8 bytes of the seed and `size` random bytes; one seed always gives the same.
inline Bytes BytesOfSeed(uint64_t seed, size_t size) {
  std::mt19937_64 random(seed);
  Bytes bytes(size + 8);
  for (size_t i = 0; i < 8; ++i) bytes[i] = static_cast<uint8_t>(seed >> (8 * i));
  for (size_t i = 8; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(random());
  return bytes;
}

inline Bytes BytesOf(const CachedBytes& entry) {
  return Bytes(entry.bytes().begin(), entry.bytes().end());
}

}  // namespace tern::cache_testing

#endif  // TERN_BASE_TESTING_SCRATCH_CACHE_H_
