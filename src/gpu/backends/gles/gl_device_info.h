// SPDX-License-Identifier: Apache-2.0
// Reads the limits of an OpenGL ES context and brings them into sane ranges.
#ifndef TERN_GPU_BACKENDS_GLES_GL_DEVICE_INFO_H_
#define TERN_GPU_BACKENDS_GLES_GL_DEVICE_INFO_H_

#include "gpu/backends/gles/gl_library.h"
#include "gpu/desc/device_info.h"

namespace tern::gpu {

// With the context current. A query that fails leaves what the specification guarantees.
DeviceInfo ReadGlDeviceInfo(const GlFunctions& gl);

// Lowers every limit to what the specification of OpenGL ES 3.1 guarantees.
void LowerToMinimum(DeviceInfo& info);

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_GLES_GL_DEVICE_INFO_H_
