// SPDX-License-Identifier: Apache-2.0
// Opens shared libraries with dlopen.

#include "base/shared_library.h"

#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#define TERN_HAS_DLOPEN 1
#include <dlfcn.h>
#endif

namespace tern {

SharedLibrary::SharedLibrary(SharedLibrary&& other) noexcept { *this = std::move(other); }

SharedLibrary& SharedLibrary::operator=(SharedLibrary&& other) noexcept {
  if (this == &other) return *this;
  Close();
  handle_ = std::exchange(other.handle_, nullptr);
  keep_loaded_ = std::exchange(other.keep_loaded_, false);
  return *this;
}

SharedLibrary::~SharedLibrary() { Close(); }

#ifdef TERN_HAS_DLOPEN

StatusOr<SharedLibrary> SharedLibrary::Open(const std::string& name) {
  void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    return Unavailable("cannot open ", name, ": ", reason != nullptr ? reason : "unknown reason");
  }
  SharedLibrary library;
  library.handle_ = handle;
  return library;
}

void* SharedLibrary::Find(const char* symbol) const {
  return handle_ != nullptr ? dlsym(handle_, symbol) : nullptr;
}

void SharedLibrary::Close() {
  if (handle_ != nullptr && !keep_loaded_) dlclose(handle_);
  handle_ = nullptr;
}

#else

StatusOr<SharedLibrary> SharedLibrary::Open(const std::string& name) {
  return Unsupported("cannot open ", name, ": this system has no dlopen");
}

void* SharedLibrary::Find(const char*) const { return nullptr; }

void SharedLibrary::Close() { handle_ = nullptr; }

#endif

}  // namespace tern
