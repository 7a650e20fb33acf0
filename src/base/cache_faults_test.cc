// SPDX-License-Identifier: Apache-2.0
// Each operation on files fails in turn, in each way that it can: what is found is right or
// nothing, what was there stays or is replaced as a whole, and no descriptor is lost.
#include <gmock/gmock.h>

#include "base/testing/faulty_files.h"
#include "base/testing/scratch_cache.h"

namespace tern {
namespace {

using namespace tern::cache_testing;  // NOLINT: the tests' own words

size_t OpenDescriptors() {
  return static_cast<size_t>(
      std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
}

class CacheFaultsTest : public ScratchCache {
 protected:
  // Right bytes or a status with a text.
  void ExpectRight(const StatusOr<CachedBytes>& found, std::initializer_list<Bytes> right) {
    if (found.ok()) {
      EXPECT_THAT(right, ::testing::Contains(BytesOf(*found)));
    } else {
      EXPECT_FALSE(Message(found.status()).empty());
    }
  }

  // Does all that a cache can, with files that fail.
  void Use(Files* files) {
    CacheDir::Options options;
    options.files = files;
    options.max_bytes = 4000;
    const StatusOr<CacheDir> cache = CacheDir::Open(folder() + "/c", options);
    if (!cache.ok()) {
      EXPECT_FALSE(Message(cache.status()).empty());
      return;
    }
    ExpectRight(cache->Find(kKept), {kKeptBytes});
    const Status put = cache->Put(kNew, kNewBytes);
    EXPECT_EQ(put.ok(), Message(put).empty());
    ExpectRight(cache->Find(kNew), {kOldBytes, kNewBytes});
    // An entry that was reported as stored is there, at the latest when nothing fails.
    if (put.ok()) {
      const CacheDir sound = SoundCache();
      EXPECT_EQ(BytesOf(*sound.Find(kNew)), kNewBytes);
    }
    for (const bool whole : {false, true}) {
      const auto listed = cache->List(whole);
      EXPECT_EQ(listed.ok(), Message(listed.status()).empty());
    }
    ExpectRight(cache->Find({"m", "absent"}), {});
  }

  CacheDir SoundCache() const { return *CacheDir::Open(folder() + "/c"); }

  const CacheName kKept{"m", "kept"}, kNew{"m", "new"};
  const Bytes kKeptBytes = BytesOfSeed(1, 900), kOldBytes = BytesOfSeed(2, 700),
              kNewBytes = BytesOfSeed(3, 1100);
};

TEST_F(CacheFaultsTest, EachOperationFailsInEachWay) {
  FaultyFiles sound(-1, Fault::kIo);
  {
    const CacheDir first = *CacheDir::Open(folder() + "/c");
    ASSERT_TRUE(first.Put(kKept, kKeptBytes).ok() && first.Put(kNew, kOldBytes).ok());
  }
  Use(&sound);
  const int operations = sound.operations();
  EXPECT_GT(operations, 40);
  const size_t descriptors = OpenDescriptors();
  for (const Fault fault : kFaults) {
    for (int n = 0; n < operations; ++n) {
      SCOPED_TRACE(StrCat("fault ", static_cast<int>(fault), " at operation ", n));
      fs::remove_all(folder() + "/c");
      {
        const CacheDir before = *CacheDir::Open(folder() + "/c");
        ASSERT_TRUE(before.Put(kKept, kKeptBytes).ok() && before.Put(kNew, kOldBytes).ok());
      }
      FaultyFiles files(n, fault);
      Use(&files);
      EXPECT_GT(files.operations(), n);
      EXPECT_EQ(OpenDescriptors(), descriptors);
      const CacheDir after = SoundCache();
      const StatusOr<CachedBytes> kept = after.Find(kKept), changed = after.Find(kNew);
      ASSERT_TRUE(kept.ok() && changed.ok()) << kept.status() << changed.status();
      ExpectRight(kept, {kKeptBytes});
      ExpectRight(changed, {kOldBytes, kNewBytes});
      const auto listed = after.List(/*whole=*/true);
      for (const CacheFile& f : *listed) EXPECT_TRUE(f.leftover || f.state.ok()) << f.state;
    }
  }
}

TEST_F(CacheFaultsTest, AnEmptyPlaceStaysUsable) {
  FaultyFiles sound(-1, Fault::kIo);
  Use(&sound);  // makes the directory
  for (const Fault fault : kFaults) {
    for (int n = 0; n < sound.operations(); ++n) {
      SCOPED_TRACE(StrCat("fault ", static_cast<int>(fault), " at operation ", n));
      fs::remove_all(folder() + "/c");
      FaultyFiles files(n, fault);
      CacheDir::Options options;
      options.files = &files;
      {
        const StatusOr<CacheDir> cache = CacheDir::Open(folder() + "/c", options);
        if (cache.ok()) {
          ExpectRight(cache->Find(kNew), {});
          const Status put = cache->Put(kNew, kNewBytes);
          EXPECT_EQ(put.ok(), SoundCache().Find(kNew).ok());
          ExpectRight(cache->Find(kNew), {kNewBytes});
          cache->Clear().status().IgnoreError();
        }
      }
      const CacheDir after = SoundCache();
      ASSERT_TRUE(after.Put(kNew, kNewBytes).ok());
      EXPECT_EQ(BytesOf(*after.Find(kNew)), kNewBytes);
    }
  }
}

TEST_F(CacheFaultsTest, TextsNamePlaceAndCause) {
  using ::testing::HasSubstr;
  const CacheDir sound = SoundCache();
  ASSERT_TRUE(sound.Put(kNew, kOldBytes).ok());
  std::vector<std::string> texts;
  for (int n = 1; n < 6; ++n) {
    FaultyFiles files(n, Fault::kFull);
    CacheDir::Options options;
    options.files = &files;
    texts.push_back(
        std::string(Message(CacheDir::Open(folder() + "/c", options)->Put(kNew, kNewBytes))));
  }
  for (const std::string& text : texts) {
    EXPECT_THAT(text, HasSubstr(folder()));
    EXPECT_THAT(text, HasSubstr("No space left on device"));
  }
  EXPECT_THAT(texts[0], HasSubstr("cannot make a file"));
  EXPECT_THAT(texts[1], HasSubstr("cannot write"));
}

}  // namespace
}  // namespace tern
