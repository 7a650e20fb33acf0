// SPDX-License-Identifier: Apache-2.0
// A cache directory: what is stored is found, and nothing else ever is, whatever happens to files.
#include "base/cache_dir.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <map>

#include "base/clock.h"
#include "base/testing/scratch_cache.h"

namespace tern {
namespace {

using namespace tern::cache_testing;  // NOLINT: the tests' own words
using ::testing::HasSubstr;

const CacheName kName{"model", "programs"};

class CacheDirTest : public ScratchCache {
 protected:
  // Makes a file look unused for so long.
  void Age(const std::string& path, std::chrono::seconds age) {
    fs::last_write_time(path, fs::last_write_time(path) - age);
  }
};

TEST_F(CacheDirTest, FindsWhatWasStored) {
  const CacheDir cache = Cache();
  EXPECT_TRUE(absl::IsNotFound(cache.Find(kName).status()));
  for (const size_t size : {0u, 1u, 31u, 32u, 4097u, 3000000u}) {
    const Bytes bytes = BytesOfSeed(size, size);
    ASSERT_TRUE(cache.Put(kName, bytes).ok());
    StatusOr<CachedBytes> found = cache.Find(kName);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(BytesOf(*found), bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(found->bytes().data()) % 16, 0u);
  }
  EXPECT_EQ(CountFiles(), 1u);
  ASSERT_TRUE(cache.Put(kName, {}).ok());
  EXPECT_TRUE(cache.Find(kName)->bytes().empty());
  // Only the owner may look.
  EXPECT_EQ(fs::status(PathOf(kName)).permissions() & fs::perms::all,
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(CacheDirTest, NamesAreAnyBytesOfAnyLength) {
  const std::vector<CacheName> names = {{"", ""},
                                        {"", "a"},
                                        {"a", ""},
                                        {"a", "b"},
                                        {"ab", ""},
                                        {"../../etc", "/x"},
                                        {"/", "."},
                                        {".hidden", "k"},
                                        {"a%", "b"},
                                        {"a%25", "b"},
                                        {"A", "b"},
                                        {std::string("\0\n\xff", 3), "nul"},
                                        {"CON", "\\"},
                                        {"%2E", "k"},
                                        {"моdel", "ключ"},
                                        {std::string(100000, 'x'), "long"},
                                        {std::string(100000, 'x') + "y", "long"},
                                        {std::string(300, '\x80'), std::string(70000, '\n')}};
  const CacheDir cache = Cache();
  for (size_t i = 0; i < names.size(); ++i) {
    const Status put = cache.Put(names[i], BytesOfSeed(i, 100));
    ASSERT_TRUE(put.ok()) << put;
    EXPECT_LT(CacheFileName(names[i]).size(), 128u);
    EXPECT_EQ(CacheFileName(names[i]).find_first_of("/\\\n"), std::string::npos);
  }
  EXPECT_EQ(CountFiles(), names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(BytesOf(*cache.Find(names[i])), BytesOfSeed(i, 100)) << i;
  }
  const auto listed = cache.List(/*whole=*/true);
  ASSERT_TRUE(listed.ok());
  for (const CacheName& name : names) {
    EXPECT_TRUE(std::any_of(listed->begin(), listed->end(),
                            [&](const CacheFile& f) { return f.name == name && f.state.ok(); }));
  }
}

TEST_F(CacheDirTest, MutatedFilesGiveTheRightBytesOrNothing) {
  const CacheDir cache = Cache();
  const CacheName names[] = {{"model", "a"}, {"model", "b"}, {"other", "a"}};
  std::vector<Bytes> stored, files;
  for (uint64_t i = 0; i < 3; ++i) {
    stored.push_back(BytesOfSeed(i, 200 + 150 * i));
    ASSERT_TRUE(cache.Put(names[i], stored.back()).ok());
    files.push_back(ReadBytes(PathOf(names[i])));
  }
  std::mt19937_64 random(16);
  const auto below = [&](size_t n) { return n == 0 ? 0 : static_cast<size_t>(random() % n); };
  int right = 0, damaged = 0;
  for (int round = 0; round < 10000; ++round) {
    const size_t i = below(3);
    Bytes file = files[i];
    const Bytes& other = files[(i + 1 + below(2)) % 3];
    switch (below(7)) {
      case 0:  // bits
        for (size_t n = 1 + below(3); n > 0; --n) file[below(file.size())] ^= 1u << below(8);
        break;
      case 1:  // a piece of other bytes
        for (size_t at = below(file.size()), n = 1 + below(64); n > 0 && at < file.size(); --n)
          file[at++] = static_cast<uint8_t>(random());
        break;
      case 2:
        file.resize(below(file.size() + 1));
        break;
      case 3:
        file.resize(file.size() + 1 + below(100));
        break;
      case 4: {  // this one's start, the other's end
        const size_t at = below(std::min(file.size(), other.size()));
        file.resize(at);
        file.insert(file.end(), other.begin() + static_cast<ptrdiff_t>(at), other.end());
        break;
      }
      case 5:
        file = other;
        break;
      case 6: {  // pieces trade places, which sums would not see
        const size_t n = 16, a = below(file.size() / n) * n, b = below(file.size() / n) * n;
        if (a + n > file.size() || b + n > file.size()) break;
        std::swap_ranges(file.begin() + static_cast<ptrdiff_t>(a),
                         file.begin() + static_cast<ptrdiff_t>(a + (a == b ? 0 : n)),
                         file.begin() + static_cast<ptrdiff_t>(b));
        break;
      }
    }
    WriteBytes(PathOf(names[i]), file);
    const StatusOr<CachedBytes> found = cache.Find(names[i]);
    ASSERT_EQ(found.ok(), file == files[i]) << "round " << round << ": " << found.status();
    if (found.ok()) {
      ASSERT_EQ(BytesOf(*found), stored[i]) << "round " << round;
      ++right;
    } else {
      EXPECT_TRUE(absl::IsDataLoss(found.status())) << found.status();
      EXPECT_THAT(std::string(Message(found.status())), HasSubstr(CacheFileName(names[i])));
      ++damaged;
    }
    if (round % 500 == 0) {
      EXPECT_EQ(cache.List(true)->size(), 3u);
      ASSERT_TRUE(cache.Put(names[i], stored[i]).ok());
      EXPECT_EQ(BytesOf(*cache.Find(names[i])), stored[i]);
    }
  }
  EXPECT_GT(damaged, 8000);
  EXPECT_GT(right, 20);  // some changes are none
}

TEST_F(CacheDirTest, ReadsLengthsBeforeItBelievesThem) {
  const CacheDir cache = Cache();
  ASSERT_TRUE(cache.Put(kName, Bytes(100)).ok());
  const Bytes good = ReadBytes(PathOf(kName));
  for (const size_t at : {16u, 24u, 32u}) {  // of the token, the key, the bytes
    for (const uint64_t length :
         {uint64_t{0}, uint64_t{1} << 40, ~uint64_t{0}, ~uint64_t{0} - 200}) {
      Bytes bad = good;
      std::memcpy(bad.data() + at, &length, sizeof length);
      WriteBytes(PathOf(kName), bad);
      EXPECT_TRUE(absl::IsDataLoss(cache.Find(kName).status())) << at << " " << length;
    }
  }
  fs::resize_file(PathOf(kName), uint64_t{1} << 40);  // takes no room on the disk
  EXPECT_TRUE(absl::IsResourceExhausted(cache.Find(kName).status()));
  CacheDir::Options large;
  large.max_bytes = std::numeric_limits<int64_t>::max();
  EXPECT_FALSE(Cache(large).Find(kName).ok());
}

TEST_F(CacheDirTest, KeepsWhatWasUsedLast) {
  CacheDir::Options options;
  options.max_bytes = 5000;
  const CacheDir cache = Cache(options);
  const auto name = [](int i) { return CacheName{"m", StrCat(i)}; };
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(cache.Put(name(i), Bytes(1000)).ok());
    Age(PathOf(name(i)), std::chrono::seconds(100 - i));
  }
  EXPECT_TRUE(cache.Find(name(0)).ok());  // used now
  ASSERT_TRUE(cache.Put(name(4), Bytes(1000)).ok());
  EXPECT_TRUE(cache.Find(name(4)).ok());
  EXPECT_TRUE(cache.Find(name(0)).ok());
  EXPECT_TRUE(absl::IsNotFound(cache.Find(name(1)).status()));
  EXPECT_EQ(CountFiles(), 4u);
  // One that fills the directory drives all others out; a larger one is refused, and nothing goes.
  ASSERT_TRUE(cache.Put(name(5), Bytes(4800)).ok());
  EXPECT_EQ(CountFiles(), 1u);
  const Status refused = cache.Put(name(6), Bytes(5000));
  EXPECT_TRUE(absl::IsResourceExhausted(refused)) << refused;
  EXPECT_TRUE(cache.Find(name(5)).ok());
  EXPECT_EQ(CountFiles(), 1u);
  EXPECT_EQ(cache.List()->front().name, name(5));
}

TEST_F(CacheDirTest, FilesOfOthersStay) {
  const fs::path outside = folder_.string() + ".outside";
  WriteBytes(outside.string(), Bytes(10, 7));
  const CacheName linked{"linked", ""}, folder{"folder", ""}, pipe{"pipe", ""};
  WriteBytes((folder_ / "notes.txt").string(), Bytes(9));
  WriteBytes((folder_ / "model_123.bin").string(), Bytes(9));
  WriteBytes((folder_ / "x.tern").string(), Bytes(9));
  WriteBytes((folder_ / ".tern-1.tmp").string(), Bytes(9));
  fs::create_symlink(outside, PathOf(linked));
  fs::create_symlink(folder_.string() + ".nowhere", folder_ / "dangling");
  fs::create_directories(fs::path(PathOf(folder)) / "inside");
  ASSERT_EQ(mkfifo(PathOf(pipe).c_str(), 0600), 0);
  CacheDir::Options options;
  options.max_bytes = 1000;
  options.leftover_nanos = 0;
  const CacheDir cache = Cache(options);
  for (const CacheName& name : {linked, folder, pipe}) {
    EXPECT_FALSE(cache.Find(name).ok());  // and does not wait at the pipe
  }
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(cache.Put({"m", StrCat(i)}, Bytes(800)).ok());
  EXPECT_EQ(cache.List()->size(), 1u);
  EXPECT_FALSE(cache.Put(folder, Bytes(10)).ok());  // a name that a directory has
  const auto removed = cache.Clear();
  ASSERT_TRUE(removed.ok());
  EXPECT_EQ(removed->size(), 1u);
  EXPECT_EQ(CountFiles(), 8u);
  // A link gives way to an entry; what it leads to does not.
  ASSERT_TRUE(cache.Put(linked, Bytes(10, 1)).ok());
  EXPECT_EQ(BytesOf(*cache.Find(linked)), Bytes(10, 1));
  EXPECT_EQ(ReadBytes(outside.string()), Bytes(10, 7));
  EXPECT_TRUE(fs::remove(outside));
}

TEST_F(CacheDirTest, LeftoversGoWhenTheyAreOld) {
  const CacheDir cache = Cache();
  const std::string young = (folder_ / CacheTemporaryName()).string();
  const std::string old = (folder_ / CacheTemporaryName()).string();
  const std::string ahead = (folder_ / CacheTemporaryName()).string();
  for (const std::string& path : {young, old, ahead}) WriteBytes(path, Bytes(10));
  Age(old, std::chrono::hours(2));
  Age(ahead, -std::chrono::hours(20000));
  ASSERT_TRUE(cache.Put(kName, Bytes(10)).ok());
  EXPECT_TRUE(fs::exists(young));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_FALSE(fs::exists(ahead));
  const auto files = cache.List();
  EXPECT_EQ(std::count_if(files->begin(), files->end(), [](auto& f) { return f.leftover; }), 1);
  EXPECT_EQ(cache.Clear()->size(), 2u);
  EXPECT_EQ(CountFiles(), 0u);
}

TEST_F(CacheDirTest, LeftoversAreBoundedToo) {
  CacheDir::Options options;
  options.max_bytes = 5000;
  const CacheDir cache = Cache(options);
  for (int i = 0; i < 10; ++i) {
    const std::string path = (folder_ / CacheTemporaryName()).string();
    WriteBytes(path, Bytes(1000));
    Age(path, std::chrono::seconds(i));
  }
  ASSERT_TRUE(cache.Put(kName, Bytes(1000)).ok());
  EXPECT_EQ(CountFiles(), 6u);
  EXPECT_TRUE(cache.Find(kName).ok());
}

TEST_F(CacheDirTest, DirectoriesThatCannotBeUsedAreReported) {
  const auto text = [](const std::string& path, bool create = true) {
    CacheDir::Options options;
    options.create = create;
    const StatusOr<CacheDir> cache = CacheDir::Open(path, options);
    return cache.ok() ? "" : cache.status().ToString();
  };
  WriteBytes(folder() + "/file", Bytes(1));
  EXPECT_THAT(text(""), HasSubstr("needs a directory"));
  EXPECT_THAT(text(std::string("/tmp\0/x", 7)), HasSubstr("zero byte"));
  EXPECT_THAT(text(folder() + "/file"), HasSubstr("Not a directory"));
  EXPECT_THAT(text(folder() + "/file/x"), HasSubstr("Not a directory"));
  EXPECT_THAT(text(folder() + "/no/parent"), HasSubstr("No such file or directory"));
  EXPECT_THAT(text(folder() + "/new", false), HasSubstr("No such file or directory"));
  EXPECT_THAT(text(folder() + "/" + std::string(5000, 'x')), HasSubstr("File name too long"));
  EXPECT_FALSE(fs::exists(folder() + "/new"));
  EXPECT_EQ(text(folder() + "/new"), "");
  EXPECT_EQ(fs::status(folder() + "/new").permissions() & fs::perms::all, fs::perms::owner_all);
  EXPECT_EQ(text(folder() + "/new", false), "");
}

TEST_F(CacheDirTest, ReadsWhereItMayNotWrite) {
  const CacheDir cache = Cache();
  ASSERT_TRUE(cache.Put(kName, Bytes(10, 3)).ok());
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(BytesOf(*cache.Find(kName)), Bytes(10, 3));
  if (geteuid() != 0) {  // who may write everywhere
    EXPECT_THAT(cache.Put(kName, Bytes(10, 4)).ToString(), HasSubstr("Permission denied"));
    EXPECT_EQ(BytesOf(*cache.Find(kName)), Bytes(10, 3));
  }
  fs::permissions(folder_, fs::perms::owner_all);
}

TEST_F(CacheDirTest, WaitsForNoLock) {
  const CacheDir cache = Cache();
  ASSERT_TRUE(cache.Put(kName, Bytes(10, 3)).ok());
  std::vector<int> held = {open(PathOf(kName).c_str(), O_RDWR), open(folder().c_str(), O_RDONLY)};
  for (const int fd : held) ASSERT_EQ(flock(fd, LOCK_EX), 0);
  const Stopwatch watch;
  EXPECT_EQ(BytesOf(*cache.Find(kName)), Bytes(10, 3));
  EXPECT_TRUE(cache.Put(kName, Bytes(10, 4)).ok());
  EXPECT_EQ(BytesOf(*cache.Find(kName)), Bytes(10, 4));
  EXPECT_LT(watch.millis(), 5000);
  for (const int fd : held) close(fd);
}

TEST_F(CacheDirTest, ADirectoryThatGoesIsNoHarm) {
  const CacheDir cache = Cache();
  ASSERT_TRUE(cache.Put(kName, Bytes(10, 3)).ok());
  fs::remove_all(folder_);
  EXPECT_TRUE(absl::IsNotFound(cache.Find(kName).status()));
  EXPECT_FALSE(cache.Put(kName, Bytes(10, 3)).ok());
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(CacheDirTest, CheckingFindsEachBadFile) {
  const CacheDir cache = Cache();
  for (const char* key : {"good", "flipped", "moved", "short"}) {
    ASSERT_TRUE(cache.Put({"m", key}, BytesOfSeed(1, 500)).ok());
  }
  Bytes file = ReadBytes(PathOf({"m", "flipped"}));
  file.back() ^= 1;
  WriteBytes(PathOf({"m", "flipped"}), file);
  fs::rename(PathOf({"m", "moved"}), PathOf({"m", "elsewhere"}));
  fs::resize_file(PathOf({"m", "short"}), 20);
  std::map<std::string, std::string> bad;
  const auto files = cache.List(/*whole=*/true);
  ASSERT_TRUE(files.ok());
  ASSERT_EQ(files->size(), 4u);
  for (const CacheFile& f : *files) bad[f.file] = std::string(Message(f.state));
  EXPECT_EQ(bad[CacheFileName({"m", "good"})], "");
  EXPECT_EQ(bad[CacheFileName({"m", "flipped"})], "the checksum of the bytes is wrong");
  EXPECT_EQ(bad[CacheFileName({"m", "elsewhere"})], "the entry of another name");
  EXPECT_EQ(bad[CacheFileName({"m", "short"})], "a part of a file");
}

}  // namespace
}  // namespace tern
