// SPDX-License-Identifier: Apache-2.0
// Libraries that a program loads while it runs, by one set of functions for all platforms.
#ifndef TERN_TENSORFLOW_LITE_SHARED_LIBRARY_H_
#define TERN_TENSORFLOW_LITE_SHARED_LIBRARY_H_

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace tflite {

// Handles and symbols are null when there is none of that name.
class SharedLibrary {
 public:
#ifdef _WIN32
  static void* LoadLibrary(const wchar_t* lib) { return ::LoadLibraryW(lib); }
  static void* GetLibrarySymbol(void* handle, const char* symbol) {
    return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(handle), symbol));
  }
  // In what the program itself exports.
  static void* GetSymbol(const char* symbol) {
    return reinterpret_cast<void*>(::GetProcAddress(::GetModuleHandleW(nullptr), symbol));
  }
  static int UnLoadLibrary(void* handle) { return ::FreeLibrary(static_cast<HMODULE>(handle)); }
  static const char* GetError() { return "unknown"; }
#else
  static void* LoadLibrary(const char* lib) { return ::dlopen(lib, RTLD_LAZY | RTLD_LOCAL); }
  static void* GetLibrarySymbol(void* handle, const char* symbol) {
    return ::dlsym(handle, symbol);
  }
  // In the program and the libraries that came with it.
  static void* GetSymbol(const char* symbol) { return ::dlsym(RTLD_DEFAULT, symbol); }
  // 0 when it succeeds.
  static int UnLoadLibrary(void* handle) { return ::dlclose(handle); }
  // The message of the last failed call; null after that.
  static const char* GetError() { return ::dlerror(); }
#endif
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_SHARED_LIBRARY_H_
