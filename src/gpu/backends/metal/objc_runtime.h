// SPDX-License-Identifier: Apache-2.0
// The functions of Apple's Objective-C runtime and of Metal that the backend calls, found at run
// time. The table is plain data, so tests put a stand-in into it.
#ifndef TERN_GPU_BACKENDS_METAL_OBJC_RUNTIME_H_
#define TERN_GPU_BACKENDS_METAL_OBJC_RUNTIME_H_

#include <sys/types.h>

#include <utility>

#include "absl/status/statusor.h"

namespace tern::gpu {

struct ObjcObject;
struct ObjcSelector;
using Id = ObjcObject*;     // an object, or a class
using Sel = ObjcSelector*;  // the registered name of a message

struct ObjcFunctions {
  void (*msg_send)() = nullptr;            // objc_msgSend; called with the types of the message
  Id (*get_class)(const char*) = nullptr;  // objc_getClass
  Sel (*register_name)(const char*) = nullptr;  // sel_registerName
  Id (*retain)(Id) = nullptr;                   // objc_retain
  void (*release)(Id) = nullptr;                // objc_release
  void* (*push_pool)() = nullptr;               // objc_autoreleasePoolPush
  void (*pop_pool)(void*) = nullptr;            // objc_autoreleasePoolPop
  Id (*create_device)() = nullptr;              // MTLCreateSystemDefaultDevice; the caller owns it
};

// Loads the functions of the system; the libraries stay loaded until the process ends. The error
// names what is missing.
absl::StatusOr<ObjcFunctions> LoadObjcFunctions();

// Objects that a method gives without handing them over live until the innermost pool ends.
class ObjcPool {
 public:
  explicit ObjcPool(const ObjcFunctions& objc) : objc_(objc), pool_(objc.push_pool()) {}
  ~ObjcPool() { objc_.pop_pool(pool_); }
  ObjcPool(const ObjcPool&) = delete;
  ObjcPool& operator=(const ObjcPool&) = delete;

 private:
  const ObjcFunctions& objc_;
  void* const pool_;
};

// Owns one reference to an object. In a forked child the object belongs to a driver whose threads
// are gone, so there it is left alone.
class ObjcRef {
 public:
  ObjcRef() = default;
  // Takes over a reference that the caller has.
  static ObjcRef Take(const ObjcFunctions& objc, Id object) { return ObjcRef(objc, object); }
  // Adds a reference.
  static ObjcRef Share(const ObjcFunctions& objc, Id object) {
    return ObjcRef(objc, object == nullptr ? nullptr : objc.retain(object));
  }
  ObjcRef(ObjcRef&& other) noexcept { *this = std::move(other); }
  ObjcRef& operator=(ObjcRef&& other) noexcept {
    std::swap(object_, other.object_);
    std::swap(release_, other.release_);
    std::swap(process_, other.process_);
    return *this;
  }
  ObjcRef(const ObjcRef&) = delete;
  ObjcRef& operator=(const ObjcRef&) = delete;
  ~ObjcRef();

  Id get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  ObjcRef(const ObjcFunctions& objc, Id object);

  Id object_ = nullptr;
  void (*release_)(Id) = nullptr;
  pid_t process_ = 0;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_METAL_OBJC_RUNTIME_H_
