// SPDX-License-Identifier: Apache-2.0
// `tern cache` on directories with good and bad files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/testing/scratch_cache.h"
#include "cli/verbs.h"

namespace tern::cli {
namespace {

using ::testing::HasSubstr;

class CacheVerbTest : public tern::cache_testing::ScratchCache {
 protected:
  // The exit status of a verb and what it prints.
  std::pair<int, std::string> Call(absl::StatusOr<int> (*verb)(const CacheOptions&)) {
    ::testing::internal::CaptureStdout();
    const absl::StatusOr<int> status = verb({folder()});
    const std::string text = ::testing::internal::GetCapturedStdout();
    return {status.ok() ? *status : -1, text};
  }
};

TEST_F(CacheVerbTest, TellsWhatLiesThere) {
  ASSERT_TRUE(Cache().Put({"model", "programs"}, tern::cache_testing::Bytes(1000)).ok());
  ASSERT_TRUE(Cache().Put({std::string(100, 'x'), "k"}, tern::cache_testing::Bytes(10)).ok());
  const auto [status, text] = Call(CacheList);
  EXPECT_EQ(status, 0);
  EXPECT_THAT(text, HasSubstr("  model: programs\n"));
  EXPECT_THAT(text, HasSubstr("  " + std::string(57, 'x') + "...: k\n"));
  EXPECT_THAT(text, HasSubstr("2 files, "));
}

TEST_F(CacheVerbTest, ChecksAndClears) {
  const CacheName good{"m", "good"}, bad{"m", "bad"};
  ASSERT_TRUE(Cache().Put(good, tern::cache_testing::Bytes(1000)).ok());
  EXPECT_EQ(Call(CacheCheck).first, 0);
  ASSERT_TRUE(Cache().Put(bad, tern::cache_testing::Bytes(1000)).ok());
  std::filesystem::resize_file(PathOf(bad), 500);
  const auto [status, text] = Call(CacheCheck);
  EXPECT_EQ(status, 1);
  EXPECT_THAT(text, HasSubstr("good      " + CacheFileName(good) + "\n"));
  EXPECT_THAT(text, HasSubstr("bad       " + CacheFileName(bad) + ": the file has 500 bytes"));
  EXPECT_THAT(text, HasSubstr("1 good, 1 bad, 0 leftovers\n"));
  const auto [cleared, removed] = Call(CacheClear);
  EXPECT_EQ(cleared, 0);
  EXPECT_THAT(removed, HasSubstr("removed  " + CacheFileName(bad) + "\n"));
  EXPECT_THAT(removed, HasSubstr("2 files, "));
  EXPECT_EQ(Call(CacheList), std::make_pair(0, std::string("0 files, 0 bytes\n")));
}

}  // namespace
}  // namespace tern::cli
