// SPDX-License-Identifier: Apache-2.0
// For tests: the files of this system, of which one operation fails.
#ifndef TERN_BASE_TESTING_FAULTY_FILES_H_
#define TERN_BASE_TESTING_FAULTY_FILES_H_

#include <cerrno>
#include <string>
#include <vector>

#include "base/files.h"

namespace tern::cache_testing {

enum class Fault {
  kIo,          // EIO
  kFull,        // ENOSPC; a write stores a part first
  kQuota,       // EDQUOT; a write stores a part first
  kDenied,      // EACCES
  kNoHandles,   // EMFILE
  kGone,        // ENOENT
  kExists,      // EEXIST
  kShort,       // one byte is read or written, and no error
  kNothing,     // none is
  kOtherFacts,  // a wrong size
  kKilled,      // nothing is done any more, as when the process ends here
};
inline constexpr Fault kFaults[] = {Fault::kIo,         Fault::kFull,      Fault::kQuota,
                                    Fault::kDenied,     Fault::kNoHandles, Fault::kGone,
                                    Fault::kExists,     Fault::kShort,     Fault::kNothing,
                                    Fault::kOtherFacts, Fault::kKilled};

inline int CodeOf(Fault fault) {
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

}  // namespace tern::cache_testing

#endif  // TERN_BASE_TESTING_FAULTY_FILES_H_
