// SPDX-License-Identifier: Apache-2.0
// The few operations on files that a cache directory needs, one system call each, so that tests can
// let any of them fail. Names are looked up below an open directory, and a symbolic link is never
// followed there.
#ifndef TERN_BASE_FILES_H_
#define TERN_BASE_FILES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tern {

struct FileFacts {
  bool regular = false;       // an ordinary file, no link, directory, pipe or device
  int64_t bytes = 0;          // its size
  int64_t changed_nanos = 0;  // since 1970, of the last write or Touch
};

// Each operation gives 0, or an errno with nothing in its results. Descriptors are the caller's.
class Files {
 public:
  virtual ~Files() = default;

  // Makes one directory, for the owner only. EEXIST where there is something of this name.
  virtual int MakeFolder(const std::string& path) = 0;
  virtual int OpenFolder(const std::string& path, int* folder) = 0;
  // Everything in it but "." and "..", in no order.
  virtual int Names(int folder, std::vector<std::string>* names) = 0;
  // Waits for nothing, whatever the name stands for.
  virtual int OpenForReading(int folder, const std::string& name, int* file) = 0;
  // A new file, for the owner only. EEXIST where there is something of this name.
  virtual int CreateFile(int folder, const std::string& name, int* file) = 0;
  virtual int Facts(int file, FileFacts* facts) = 0;
  virtual int FactsOf(int folder, const std::string& name, FileFacts* facts) = 0;
  // May do less than was asked for; 0 bytes read is the end.
  virtual int Read(int file, void* data, size_t bytes, size_t* done) = 0;
  virtual int Write(int file, const void* data, size_t bytes, size_t* done) = 0;
  // Puts all written bytes on the disk; they are there when this returns 0.
  virtual int Sync(int file) = 0;
  // Sets the time of the last change to now.
  virtual int Touch(int file) = 0;
  // The descriptor is gone even when this fails.
  virtual int Close(int file) = 0;
  // Replaces what has the new name, at once for everyone.
  virtual int Rename(int folder, const std::string& from, const std::string& to) = 0;
  virtual int Remove(int folder, const std::string& name) = 0;
};

// The files of this system; null where it has none of this kind.
Files* SystemFiles();

// Of this process: no other that runs on the machine has it.
uint64_t ProcessNumber();

}  // namespace tern

#endif  // TERN_BASE_FILES_H_
