// SPDX-License-Identifier: Apache-2.0
// Each operation on files fails in turn, in each way that it can: what is found is right or
// nothing, what was there stays or is replaced as a whole, and no descriptor is lost.
#include <gmock/gmock.h>

#include <cerrno>

#include "base/testing/scratch_cache.h"

namespace tern {
namespace {

using namespace tern::cache_testing;  // NOLINT: the tests' own words

enum class Fault {
  kIo,          // EIO
  kFull,        // ENOSPC; a write stores a part first
  kQuota,       // EDQUOT, likewise
  kDenied,      // EACCES
  kNoHandles,   // EMFILE
  kGone,        // ENOENT
  kExists,      // EEXIST
  kShort,       // one byte is read or written, and no error
  kNothing,     // none is
  kOtherFacts,  // a wrong size
  kKilled,      // nothing is done any more, as when the process ends here
};
constexpr Fault kFaults[] = {Fault::kIo,        Fault::kFull,       Fault::kQuota,  Fault::kDenied,
                             Fault::kNoHandles, Fault::kGone,       Fault::kExists, Fault::kShort,
                             Fault::kNothing,   Fault::kOtherFacts, Fault::kKilled};

int CodeOf(Fault fault) {
  switch (fault) {
    case Fault::kFull:
      return ENOSPC;
    case Fault::kQuota:
      return EDQUOT;
    case Fault::kDenied:
      return EACCES;
    case Fault::kNoHandles:
      return EMFILE;
    case Fault::kGone:
      return ENOENT;
    case Fault::kExists:
      return EEXIST;
    case Fault::kShort:
    case Fault::kNothing:
    case Fault::kOtherFacts:
      return 0;
    case Fault::kIo:
    case Fault::kKilled:
      return EIO;
  }
  return EIO;
}

// Files of the system, but for one operation.
class FaultyFiles : public Files {
 public:
  FaultyFiles(int bad, Fault fault) : bad_(bad), fault_(fault) {}
  int operations() const { return count_; }

  int MakeFolder(const std::string& path) override {
    return Bad() ? code() : real_.MakeFolder(path);
  }
  int OpenFolder(const std::string& path, int* folder) override {
    return Bad() ? code() : real_.OpenFolder(path, folder);
  }
  int Names(int folder, std::vector<std::string>* names) override {
    return Bad() ? code() : real_.Names(folder, names);
  }
  int OpenForReading(int folder, const std::string& name, int* file) override {
    return Bad() ? code() : real_.OpenForReading(folder, name, file);
  }
  int CreateFile(int folder, const std::string& name, int* file) override {
    return Bad() ? code() : real_.CreateFile(folder, name, file);
  }
  int Facts(int file, FileFacts* facts) override {
    const bool bad = Bad();
    if (bad && CodeOf(fault_) != 0) return code();
    const int result = real_.Facts(file, facts);
    if (bad && fault_ == Fault::kOtherFacts) facts->bytes += 13;
    return result;
  }
  int FactsOf(int folder, const std::string& name, FileFacts* facts) override {
    const bool bad = Bad();
    if (bad && CodeOf(fault_) != 0) return code();
    const int result = real_.FactsOf(folder, name, facts);
    if (bad && fault_ == Fault::kOtherFacts) facts->bytes += 13;
    return result;
  }
  int Read(int file, void* data, size_t bytes, size_t* done) override {
    if (!Bad()) return real_.Read(file, data, bytes, done);
    *done = 0;
    return fault_ == Fault::kShort ? real_.Read(file, data, 1, done) : CodeOf(fault_);
  }
  int Write(int file, const void* data, size_t bytes, size_t* done) override {
    if (!Bad()) return real_.Write(file, data, bytes, done);
    *done = 0;
    if (fault_ == Fault::kShort) return real_.Write(file, data, 1, done);
    if (fault_ != Fault::kNothing) {
      size_t half = 0;
      real_.Write(file, data, bytes / 2, &half);
    }
    return CodeOf(fault_);
  }
  int Sync(int file) override { return Bad() ? code() : real_.Sync(file); }
  int Touch(int file) override { return Bad() ? code() : real_.Touch(file); }
  int Close(int file) override {
    real_.Close(file);
    return Bad() ? code() : 0;
  }
  int Rename(int folder, const std::string& from, const std::string& to) override {
    return Bad() ? code() : real_.Rename(folder, from, to);
  }
  int Remove(int folder, const std::string& name) override {
    return Bad() ? code() : real_.Remove(folder, name);
  }

 private:
  bool Bad() {
    const int now = count_++;
    return now == bad_ || (fault_ == Fault::kKilled && now > bad_);
  }
  // Operations that cannot do a part fail for those faults.
  int code() const { return CodeOf(fault_) == 0 ? EIO : CodeOf(fault_); }

  Files& real_ = *SystemFiles();
  const int bad_;
  const Fault fault_;
  int count_ = 0;
};

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
    // Whoever was told that it is stored finds it, now or where nothing fails.
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
