// SPDX-License-Identifier: Apache-2.0
// The OpenGL ES 3.1 backend. It needs no display and no surface, and any thread may use it, with
// or without a context of its own: the backend's context lives on a thread of the backend. On
// request it shares buffers with the application's context.
#ifndef TERN_GPU_BACKENDS_GLES_GL_DEVICE_H_
#define TERN_GPU_BACKENDS_GLES_GL_DEVICE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "gpu/backends/gles/gl_library.h"
#include "gpu/device/device.h"

namespace tern::gpu {

struct GlesOptions {
  bool minimum_limits = false;  // promise only what the specification guarantees, for tests
  // Join the share group of the context that is current on the calling thread. The device then
  // imports its buffers, by their names; it stays usable when that context goes.
  bool share_current = false;
};

// Loads the libraries and opens the first display that works.
absl::StatusOr<std::shared_ptr<Device>> OpenGlesDevice(const GlesOptions& options = {});

// Opens a device with given functions.
absl::StatusOr<std::shared_ptr<Device>> OpenGlesDevice(const GlFunctions& functions,
                                                       const GlesOptions& options = {});

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_GLES_GL_DEVICE_H_
