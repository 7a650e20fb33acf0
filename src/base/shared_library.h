// SPDX-License-Identifier: Apache-2.0
// A shared library opened while the program runs: drivers and delegate plug-ins.
#ifndef TERN_BASE_SHARED_LIBRARY_H_
#define TERN_BASE_SHARED_LIBRARY_H_

#include <string>

#include "base/status.h"

namespace tern {

class SharedLibrary {
 public:
  SharedLibrary() = default;
  SharedLibrary(SharedLibrary&& other) noexcept;
  SharedLibrary& operator=(SharedLibrary&& other) noexcept;
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;
  ~SharedLibrary();

  // `name` is a path or a name for the system's search. Symbols stay local to this handle.
  static StatusOr<SharedLibrary> Open(const std::string& name);

  bool is_open() const { return handle_ != nullptr; }

  // Null when the library has no such symbol.
  void* Find(const char* symbol) const;

  // Fills a function pointer; false (and null) when the symbol is missing.
  template <typename Function>
  bool Load(const char* symbol, Function** function) const {
    *function = reinterpret_cast<Function*>(Find(symbol));
    return *function != nullptr;
  }

  // Destruction no longer closes the handle: the library stays loaded until the process ends. Many
  // drivers do not survive being unloaded.
  void KeepLoaded() { keep_loaded_ = true; }

 private:
  void Close();

  void* handle_ = nullptr;
  bool keep_loaded_ = false;
};

}  // namespace tern

#endif  // TERN_BASE_SHARED_LIBRARY_H_
