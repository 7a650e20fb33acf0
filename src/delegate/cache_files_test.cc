// SPDX-License-Identifier: Apache-2.0
// The C functions about a cache directory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "base/testing/scratch_cache.h"
#include "tensorflow/lite/delegates/gpu/cache.h"

namespace tern::delegate {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

struct DeleteFiles {
  void operator()(TfLiteGpuCacheFiles* files) const { TfLiteGpuDelegateV2CacheFilesDelete(files); }
};
using Files = std::unique_ptr<TfLiteGpuCacheFiles, DeleteFiles>;

class CacheFilesTest : public tern::cache_testing::ScratchCache {
 protected:
  // Two sound entries, one damaged in its bytes, one file of a writer that goes on, one of others.
  void Fill() {
    const CacheDir cache = Cache();
    for (const CacheName& name : {kPlain, kOdd, kDamaged}) {
      ASSERT_TRUE(cache.Put(name, tern::cache_testing::BytesOfSeed(1, 100)).ok());
    }
    tern::cache_testing::Bytes bytes = tern::cache_testing::ReadBytes(PathOf(kDamaged));
    bytes.back() ^= 1;
    tern::cache_testing::WriteBytes(PathOf(kDamaged), bytes);
    tern::cache_testing::WriteBytes(folder() + "/" + CacheTemporaryName(), {1});
    tern::cache_testing::WriteBytes(folder() + "/notes", {1});
  }
  std::map<std::string, TfLiteGpuCacheFile> ByName(const Files& files) {
    std::map<std::string, TfLiteGpuCacheFile> map;
    for (size_t i = 0; i < files->count; ++i) map[files->files[i].file] = files->files[i];
    return map;
  }

  const CacheName kPlain{"model", "key"}, kOdd{"100%\n", std::string("\0k", 2)}, kDamaged{"d", "k"};
};

TEST_F(CacheFilesTest, ListsWithoutReadingAll) {
  Fill();
  const Files files(TfLiteGpuDelegateV2CacheList(folder().c_str()));
  EXPECT_EQ(files->error, nullptr);
  ASSERT_EQ(files->count, 4u);
  auto reported = ByName(files);
  const TfLiteGpuCacheFile plain = reported[CacheFileName(kPlain)];
  EXPECT_STREQ(plain.token, "model");
  EXPECT_STREQ(plain.key, "key");
  EXPECT_STREQ(plain.problem, "");
  EXPECT_EQ(plain.state, kTfLiteGpuCacheGood);
  EXPECT_EQ(plain.bytes, static_cast<int64_t>(fs::file_size(PathOf(kPlain))));
  EXPECT_NEAR(static_cast<double>(plain.last_used), static_cast<double>(time(nullptr)), 600);
  EXPECT_STREQ(reported[CacheFileName(kOdd)].token, "100%25%0A");
  EXPECT_STREQ(reported[CacheFileName(kOdd)].key, "%00k");
  EXPECT_EQ(reported[CacheFileName(kDamaged)].state, kTfLiteGpuCacheGood);
}

TEST_F(CacheFilesTest, CheckingReadsAll) {
  Fill();
  const Files files(TfLiteGpuDelegateV2CacheCheck(folder().c_str()));
  ASSERT_EQ(files->count, 4u);
  std::map<TfLiteGpuCacheState, int> counts;
  for (const auto& [name, file] : ByName(files)) ++counts[file.state];
  EXPECT_EQ(counts[kTfLiteGpuCacheGood], 2);
  EXPECT_EQ(counts[kTfLiteGpuCacheBad], 1);
  EXPECT_EQ(counts[kTfLiteGpuCacheLeftover], 1);
  EXPECT_THAT(ByName(files)[CacheFileName(kDamaged)].problem, HasSubstr("checksum"));
}

TEST_F(CacheFilesTest, ClearingLeavesWhatOthersMade) {
  Fill();
  const Files removed(TfLiteGpuDelegateV2CacheClear(folder().c_str()));
  EXPECT_EQ(removed->count, 4u);
  for (const auto& [name, file] : ByName(removed)) EXPECT_EQ(file.state, kTfLiteGpuCacheGood);
  EXPECT_EQ(CountFiles(), 1u);
  const Files files(TfLiteGpuDelegateV2CacheList(folder().c_str()));
  EXPECT_EQ(files->count, 0u);
  EXPECT_EQ(files->error, nullptr);
}

TEST_F(CacheFilesTest, NoDirectoryIsAnErrorWithoutFiles) {
  for (const auto look : {TfLiteGpuDelegateV2CacheList, TfLiteGpuDelegateV2CacheCheck,
                          TfLiteGpuDelegateV2CacheClear}) {
    const std::string absent = folder() + "/absent";
    for (const char* directory : {static_cast<const char*>(nullptr), "", absent.c_str()}) {
      const Files files(look(directory));
      ASSERT_NE(files, nullptr);
      EXPECT_EQ(files->count, 0u);
      ASSERT_NE(files->error, nullptr);
      EXPECT_STRNE(files->error, "");
    }
    EXPECT_FALSE(fs::exists(absent));  // looking makes none
  }
  TfLiteGpuDelegateV2CacheFilesDelete(nullptr);
}

}  // namespace
}  // namespace tern::delegate
