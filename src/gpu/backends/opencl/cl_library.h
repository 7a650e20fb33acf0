// SPDX-License-Identifier: Apache-2.0
// The OpenCL functions that the backend calls, found at run time: a program starts on machines
// without OpenCL. The table is plain data, so tests put failing functions into it.
#ifndef TERN_GPU_BACKENDS_OPENCL_CL_LIBRARY_H_
#define TERN_GPU_BACKENDS_OPENCL_CL_LIBRARY_H_

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"

// Every function, without its "cl".
#define TERN_CL_FUNCTIONS(X) \
  X(GetPlatformIDs)          \
  X(GetPlatformInfo)         \
  X(GetDeviceIDs)            \
  X(GetDeviceInfo)           \
  X(CreateContext)           \
  X(ReleaseContext)          \
  X(CreateCommandQueue)      \
  X(ReleaseCommandQueue)     \
  X(CreateBuffer)            \
  X(CreateImage)             \
  X(ReleaseMemObject)        \
  X(EnqueueWriteBuffer)      \
  X(EnqueueReadBuffer)       \
  X(CreateProgramWithSource) \
  X(CreateProgramWithBinary) \
  X(BuildProgram)            \
  X(GetProgramBuildInfo)     \
  X(GetProgramInfo)          \
  X(ReleaseProgram)          \
  X(CreateKernel)            \
  X(GetKernelInfo)           \
  X(GetKernelWorkGroupInfo)  \
  X(SetKernelArg)            \
  X(ReleaseKernel)           \
  X(EnqueueNDRangeKernel)    \
  X(WaitForEvents)           \
  X(GetEventProfilingInfo)   \
  X(ReleaseEvent)            \
  X(Flush)                   \
  X(Finish)

namespace tern::gpu {

struct ClFunctions {
#define TERN_CL_FIELD(name) decltype(&::cl##name) name = nullptr;
  TERN_CL_FUNCTIONS(TERN_CL_FIELD)
#undef TERN_CL_FIELD
};

// Where the library may be, best place first.
std::vector<std::string> ClLibraryNames();

// The functions of the first library that opens; it stays loaded until the process ends. The error
// names what was tried, or the function that is missing.
absl::StatusOr<ClFunctions> LoadClFunctions(const std::vector<std::string>& names);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_OPENCL_CL_LIBRARY_H_
