// SPDX-License-Identifier: Apache-2.0
// Several processes in one directory, some of them killed in the middle of writing.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <functional>

#include "base/clock.h"
#include "base/testing/scratch_cache.h"

namespace tern {
namespace {

using namespace tern::cache_testing;  // NOLINT: the tests' own words

constexpr uint64_t kKeys = 5;

CacheName NameOf(uint64_t key) { return {"model", StrCat(key)}; }

// A version of an entry: any size, and bytes that follow from its first ones.
Bytes Version(uint64_t key, uint64_t version) {
  const uint64_t seed = key << 32 | version;
  return BytesOfSeed(seed, 1000 + seed * 7919 % 60000);
}

// One of the versions of this key.
bool IsVersion(uint64_t key, const CachedBytes& found) {
  if (found.bytes().size() < 8) return false;
  uint64_t seed = 0;
  std::memcpy(&seed, found.bytes().data(), sizeof seed);
  return seed >> 32 == key && BytesOf(found) == Version(key, seed & 0xFFFFFFFF);
}

// Writes and reads for some time; the exit status is the number of wrong things seen, at most 100.
int WriteAndRead(const std::string& folder, uint64_t number, int64_t nanos) {
  const StatusOr<CacheDir> cache = CacheDir::Open(folder);
  if (!cache.ok()) return 100;
  const int64_t end = NowNanos() + nanos;
  std::mt19937_64 random(number);
  int wrong = 0;
  while (NowNanos() < end && wrong < 100) {
    const uint64_t key = random() % kKeys;
    if (random() % 2 == 0) {
      wrong += !cache->Put(NameOf(key), Version(key, random() & 0xFFFFFFFF)).ok();
    } else if (const StatusOr<CachedBytes> found = cache->Find(NameOf(key)); found.ok()) {
      wrong += !IsVersion(key, *found);
    } else {
      wrong += !absl::IsNotFound(found.status());
    }
  }
  return wrong;
}

// A process that does this and ends.
pid_t Start(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  return child;
}

class CacheProcessesTest : public ScratchCache {
 protected:
  // Expects the entries that are there to be right. Returns how many.
  uint64_t ExpectAllRight() {
    const CacheDir cache = Cache();
    uint64_t count = 0;
    for (uint64_t key = 0; key < kKeys; ++key) {
      const StatusOr<CachedBytes> found = cache.Find(NameOf(key));
      EXPECT_TRUE(found.ok() || absl::IsNotFound(found.status())) << found.status();
      if (!found.ok()) continue;
      ++count;
      EXPECT_TRUE(IsVersion(key, *found));
    }
    const auto files = cache.List(/*whole=*/true);
    for (const CacheFile& f : *files) EXPECT_TRUE(f.leftover || f.state.ok()) << f.state;
    return count;
  }
};

TEST_F(CacheProcessesTest, TenAtOnceSeeNothingWrong) {
  fs::remove_all(folder_);  // they race for making it, too
  std::vector<pid_t> children;
  for (uint64_t i = 0; i < 10; ++i) {
    children.push_back(Start([&, i] { return WriteAndRead(folder(), i, 1000000000); }));
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  EXPECT_EQ(ExpectAllRight(), kKeys);
  EXPECT_EQ(CountFiles(), kKeys);  // nothing is left over
}

TEST_F(CacheProcessesTest, KilledWritersLeaveNoBadEntry) {
  std::mt19937_64 random(1);
  for (uint64_t round = 0; round < 40; ++round) {
    pid_t writers[2];
    for (uint64_t i = 0; i < 2; ++i) {
      writers[i] = Start([&, i] { return WriteAndRead(folder(), round * 2 + i, 20000000000); });
    }
    for (const pid_t writer : writers) {
      usleep(static_cast<useconds_t>(500 + random() % 15000));
      ASSERT_EQ(kill(writer, SIGKILL), 0);
      int status = 0;
      ASSERT_EQ(waitpid(writer, &status, 0), writer);
      ASSERT_TRUE(WIFSIGNALED(status)) << status;
    }
    ExpectAllRight();
  }
  // A later call removes the files that they left behind when these are old enough, here at once.
  CacheDir::Options options;
  options.leftover_nanos = 0;
  ASSERT_TRUE(Cache(options).Put(NameOf(0), Version(0, 1)).ok());
  const auto files = Cache().List();
  for (const CacheFile& f : *files) EXPECT_FALSE(f.leftover);
}

// The kernel takes a part of what is written, then no more.
TEST_F(CacheProcessesTest, ALimitOnFilesLeavesTheOldEntry) {
  ASSERT_TRUE(Cache().Put(NameOf(1), Version(1, 1)).ok());
  const pid_t child = Start([&] {
    const rlimit limit = {700, 700};
    std::signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
    const Status put = Cache().Put(NameOf(1), Version(1, 2));
    return put.ok() || Message(put).find("cannot write") == std::string::npos ? 1 : 0;
  });
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_EQ(BytesOf(*Cache().Find(NameOf(1))), Version(1, 1));
  EXPECT_EQ(CountFiles(), 1u);
}

}  // namespace
}  // namespace tern
