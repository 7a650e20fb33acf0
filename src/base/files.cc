// SPDX-License-Identifier: Apache-2.0
// POSIX calls. Calls that a signal interrupted are made again.
#include "base/files.h"

#if defined(__unix__) || defined(__APPLE__)
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#define TERN_HAS_POSIX_FILES 1
#endif

namespace tern {

#ifdef TERN_HAS_POSIX_FILES

namespace {

template <typename Call>
auto Again(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

int Code(int result) { return result < 0 ? errno : 0; }

FileFacts FactsFrom(const struct stat& info) {
#ifdef __APPLE__
  const timespec& changed = info.st_mtimespec;
#else
  const timespec& changed = info.st_mtim;
#endif
  // Times can be set to anything; these have nanoseconds that fit.
  const int64_t seconds = std::clamp<int64_t>(changed.tv_sec, 0, 9000000000);
  return {S_ISREG(info.st_mode), static_cast<int64_t>(info.st_size),
          seconds * 1000000000 + static_cast<int64_t>(changed.tv_nsec)};
}

class PosixFiles : public Files {
 public:
  int MakeFolder(const std::string& path) override {
    return Code(Again([&] { return mkdir(path.c_str(), 0700); }));
  }

  int OpenFolder(const std::string& path, int* folder) override {
    *folder = Again([&] { return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
    return Code(*folder);
  }

  int Names(int folder, std::vector<std::string>* names) override {
    names->clear();
    // A descriptor of its own, for a position of its own: several threads may list one directory.
    const int own = Again([&] { return openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
    if (own < 0) return errno;
    DIR* const stream = fdopendir(own);
    if (stream == nullptr) {
      const int code = errno;
      close(own);
      return code;
    }
    errno = 0;
    while (const dirent* entry = readdir(stream)) {
      const char* const name = entry->d_name;
      if (std::strcmp(name, ".") != 0 && std::strcmp(name, "..") != 0) names->push_back(name);
      errno = 0;
    }
    const int code = errno;
    closedir(stream);
    if (code != 0) names->clear();
    return code;
  }

  int OpenForReading(int folder, const std::string& name, int* file) override {
    constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    *file = Again([&] { return openat(folder, name.c_str(), kFlags); });
    return Code(*file);
  }

  int CreateFile(int folder, const std::string& name, int* file) override {
    constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    *file = Again([&] { return openat(folder, name.c_str(), kFlags, 0600); });
    return Code(*file);
  }

  int Facts(int file, FileFacts* facts) override {
    struct stat info = {};
    const int code = Code(fstat(file, &info));
    *facts = code == 0 ? FactsFrom(info) : FileFacts();
    return code;
  }

  int FactsOf(int folder, const std::string& name, FileFacts* facts) override {
    struct stat info = {};
    const int code = Code(fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW));
    *facts = code == 0 ? FactsFrom(info) : FileFacts();
    return code;
  }

  int Read(int file, void* data, size_t bytes, size_t* done) override {
    const ssize_t got = Again([&] { return read(file, data, bytes); });
    *done = got < 0 ? 0 : static_cast<size_t>(got);
    return got < 0 ? errno : 0;
  }

  int Write(int file, const void* data, size_t bytes, size_t* done) override {
    const ssize_t put = Again([&] { return write(file, data, bytes); });
    *done = put < 0 ? 0 : static_cast<size_t>(put);
    return put < 0 ? errno : 0;
  }

  int Sync(int file) override {
    return Code(Again([&] { return fsync(file); }));
  }

  int Touch(int file) override { return Code(futimens(file, nullptr)); }

  int Close(int file) override {
    // A close that was interrupted is not repeated: the number may be another thread's file by now.
    const int code = Code(close(file));
    return code == EINTR ? 0 : code;
  }

  int Rename(int folder, const std::string& from, const std::string& to) override {
    return Code(Again([&] { return renameat(folder, from.c_str(), folder, to.c_str()); }));
  }

  int Remove(int folder, const std::string& name) override {
    return Code(Again([&] { return unlinkat(folder, name.c_str(), 0); }));
  }
};

}  // namespace

Files* SystemFiles() {
  static PosixFiles* const files = new PosixFiles;
  return files;
}

uint64_t ProcessNumber() { return static_cast<uint64_t>(getpid()); }

#else

Files* SystemFiles() { return nullptr; }

uint64_t ProcessNumber() { return 0; }

#endif

}  // namespace tern
