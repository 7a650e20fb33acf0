// SPDX-License-Identifier: Apache-2.0
// The one file that knows every backend.
#include "gpu/backends/backend_list.h"

#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "gpu/backends/metal/mtl_language.h"
#include "gpu/backends/null/null_device.h"
#ifdef TERN_WITH_GLES
#include "gpu/backends/gles/gl_device.h"
#endif
#ifdef TERN_WITH_OPENCL
#include "gpu/backends/opencl/cl_device.h"
#endif

namespace tern::gpu {
namespace {

constexpr std::string_view kNullPrefix = "null:";

std::map<std::string, OpenBackend>& AddedBackends() {
  static auto* const backends = new std::map<std::string, OpenBackend>;
  return *backends;
}

absl::StatusOr<std::shared_ptr<Device>> Open(const std::string& backend) {
  if (backend.rfind(kNullPrefix, 0) == 0) {
    static const MtlLanguage* language = new MtlLanguage;
    return OpenNullDevice(backend.substr(kNullPrefix.size()), *language);
  }
#ifdef TERN_WITH_OPENCL
  if (backend == "opencl") return OpenClDevice();
#endif
#ifdef TERN_WITH_GLES
  if (backend == "gles") return OpenGlesDevice();
  if (backend == "gles:min") return OpenGlesDevice({.minimum_limits = true});
#else
  if (backend == "gles") return Unavailable("OpenGL-based API disabled");
#endif
  const auto added = AddedBackends().find(backend);
  if (added != AddedBackends().end()) return added->second();
  return Invalid("this build has no backend '", backend, "'");
}

}  // namespace

void AddBackend(const std::string& name, OpenBackend open) { AddedBackends()[name] = open; }

std::vector<std::string> DefaultBackends() {
#ifdef TERN_WITH_OPENCL
  return {"opencl", "gles"};
#else
  return {"gles"};
#endif
}

absl::StatusOr<OpenedDevice> OpenSharingDevice(const std::string& backend) {
#ifdef TERN_WITH_GLES
  if (backend == "gles") {
    TERN_ASSIGN_OR_RETURN(std::shared_ptr<Device> device, OpenGlesDevice({.share_current = true}));
    return Opened(std::move(device));
  }
#endif
  return Invalid("this build has no backend '", backend, "' that shares buffers");
}

absl::StatusOr<OpenedDevice> OpenOwnDevice(const std::string& backend) {
  TERN_ASSIGN_OR_RETURN(std::shared_ptr<Device> device, Open(backend));
  return Opened(std::move(device));
}

absl::StatusOr<OpenedDevice> OpenDevice(const std::string& backend) {
  // Never destroyed: drivers may be unloaded before static destructors run.
  static auto* const devices = new OpenedDevices;
  return devices->Get(backend, Open);
}

}  // namespace tern::gpu
