// SPDX-License-Identifier: Apache-2.0
// Metal is a framework of macOS and iOS; other systems have no such files.
#include "gpu/backends/metal/objc_runtime.h"

#include <unistd.h>

#include "base/shared_library.h"
#include "base/status.h"

namespace tern::gpu {
namespace {

constexpr char kRuntime[] = "/usr/lib/libobjc.A.dylib";
constexpr char kMetal[] = "/System/Library/Frameworks/Metal.framework/Metal";

}  // namespace

absl::StatusOr<ObjcFunctions> LoadObjcFunctions() {
  ObjcFunctions functions;
  const auto open = [](const char* name) -> absl::StatusOr<SharedLibrary> {
    absl::StatusOr<SharedLibrary> library = SharedLibrary::Open(name);
    if (!library.ok()) return Unavailable("Metal: no library (", Message(library.status()), ")");
    return library;
  };
  TERN_ASSIGN_OR_RETURN(SharedLibrary runtime, open(kRuntime));
  TERN_ASSIGN_OR_RETURN(SharedLibrary metal, open(kMetal));
  const char* missing = nullptr;
  const auto load = [&missing](SharedLibrary& library, const char* name, auto* function) {
    if (!library.Load(name, function)) missing = name;
  };
  load(runtime, "objc_msgSend", &functions.msg_send);
  load(runtime, "objc_getClass", &functions.get_class);
  load(runtime, "sel_registerName", &functions.register_name);
  load(runtime, "objc_retain", &functions.retain);
  load(runtime, "objc_release", &functions.release);
  load(runtime, "objc_autoreleasePoolPush", &functions.push_pool);
  load(runtime, "objc_autoreleasePoolPop", &functions.pop_pool);
  load(metal, "MTLCreateSystemDefaultDevice", &functions.create_device);
  if (missing != nullptr) return Unavailable("Metal: the system has no function ", missing);
  runtime.KeepLoaded();
  metal.KeepLoaded();
  return functions;
}

ObjcRef::ObjcRef(const ObjcFunctions& objc, Id object)
    : object_(object), release_(objc.release), process_(getpid()) {}

ObjcRef::~ObjcRef() {
  if (object_ != nullptr && process_ == getpid()) release_(object_);
}

}  // namespace tern::gpu
