// SPDX-License-Identifier: Apache-2.0
// OpenCL error codes as statuses.
#ifndef TERN_GPU_BACKENDS_OPENCL_CL_ERROR_H_
#define TERN_GPU_BACKENDS_OPENCL_CL_ERROR_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gpu/backends/opencl/cl_library.h"

namespace tern::gpu {

// "CL_OUT_OF_RESOURCES"; a code that is not known is printed as a number.
std::string ClErrorName(cl_int code);

// OK for CL_SUCCESS. Otherwise «clCreateBuffer: CL_OUT_OF_RESOURCES»: resource exhausted when
// memory ran out, unavailable when there is no device, else internal.
absl::Status ClStatus(cl_int code, std::string_view what);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_OPENCL_CL_ERROR_H_
