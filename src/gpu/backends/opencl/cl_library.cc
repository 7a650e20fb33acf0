// SPDX-License-Identifier: Apache-2.0
// Finds the OpenCL loader, or a phone vendor's driver.
#include "gpu/backends/opencl/cl_library.h"

#include <utility>

#include "base/shared_library.h"
#include "base/status.h"

namespace tern::gpu {

std::vector<std::string> ClLibraryNames() {
#if defined(__ANDROID__)
  return {"libOpenCL.so",
          "libOpenCL-pixel.so",
          "libOpenCL-car.so",
          "/vendor/lib64/libOpenCL.so",
          "/vendor/lib/libOpenCL.so",
          "/system/vendor/lib64/libOpenCL.so",
          "/system/vendor/lib/libOpenCL.so",
          "/vendor/lib64/egl/libGLES_mali.so",
          "/vendor/lib/egl/libGLES_mali.so",
          "libPVROCL.so"};
#elif defined(__APPLE__)
  return {"/System/Library/Frameworks/OpenCL.framework/OpenCL"};
#else
  return {"libOpenCL.so.1", "libOpenCL.so"};
#endif
}

absl::StatusOr<ClFunctions> LoadClFunctions(const std::vector<std::string>& names) {
  std::string tried;
  for (const std::string& name : names) {
    absl::StatusOr<SharedLibrary> library = SharedLibrary::Open(name);
    if (!library.ok()) {
      tried += StrCat(tried.empty() ? "" : "; ", Message(library.status()));
      continue;
    }
    ClFunctions functions;
#define TERN_CL_LOAD(function)                             \
  if (!library->Load("cl" #function, &functions.function)) \
    return Unavailable("OpenCL: ", name, " has no function cl" #function);
    TERN_CL_FUNCTIONS(TERN_CL_LOAD)
#undef TERN_CL_LOAD
    library->KeepLoaded();
    return functions;
  }
  return Unavailable("OpenCL: no library (", tried, ")");
}

}  // namespace tern::gpu
