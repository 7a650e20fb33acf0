// SPDX-License-Identifier: Apache-2.0
// The one file that knows every backend.
#include "gpu/backends/backend_list.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "gpu/backends/null/null_device.h"
#include "gpu/languages/language_list.h"
#ifdef TERN_WITH_GLES
#include "gpu/backends/gles/gl_device.h"
#endif
#ifdef TERN_WITH_METAL
#include "gpu/backends/metal/metal_device.h"
#endif
#ifdef TERN_WITH_OPENCL
#include "gpu/backends/opencl/cl_device.h"
#endif
#ifdef TERN_WITH_VULKAN
#include "gpu/backends/vulkan/vk_device.h"
#endif

namespace tern::gpu {
namespace {

constexpr std::string_view kNullPrefix = "null:";

std::map<std::string, OpenBackend>& AddedBackends() {
  static auto* const backends = new std::map<std::string, OpenBackend>;
  return *backends;
}

struct BackendRow {
  const char* name;
  const char* label;
  bool by_default;
  OpenBackend open;
  OpenBackend open_sharing = nullptr;  // null: it shares nothing
  // "NAME:DEVICE" opens one of several devices; null: it has no names for them.
  absl::StatusOr<std::shared_ptr<Device>> (*open_one)(const std::string& device) = nullptr;
};

// In the order in which they are tried.
const BackendRow kRows[] = {
#ifdef TERN_WITH_METAL
    {"metal", "Metal", true, [] { return OpenMetalDevice(MetalWait::kPassive); }},
    {"metal:active", "Metal", false, [] { return OpenMetalDevice(MetalWait::kActive); }},
    {"metal:aggressive", "Metal", false, [] { return OpenMetalDevice(MetalWait::kAggressive); }},
#endif
#ifdef TERN_WITH_OPENCL
    {"opencl", "OpenCL", true, [] { return OpenClDevice(); }},
#endif
#ifdef TERN_WITH_GLES
    {"gles", "OpenGL", true, [] { return OpenGlesDevice(); },
     [] { return OpenGlesDevice({.share_current = true}); }},
    {"gles:min", "OpenGL", false, [] { return OpenGlesDevice({.minimum_limits = true}); }},
#else
    {"gles", "OpenGL", true,
     []() -> absl::StatusOr<std::shared_ptr<Device>> {
       return Unavailable("OpenGL-based API disabled");
     }},
#endif
#ifdef TERN_WITH_VULKAN
    {"vulkan", "Vulkan", true, [] { return OpenVulkanDevice({}); }, nullptr,
     [](const std::string& device) { return OpenVulkanDevice({.device = device}); }},
    {"vulkan:min", "Vulkan", false, [] { return OpenVulkanDevice({.minimum = true}); }},
#endif
};

const BackendRow* FindRow(const std::string& name) {
  const auto found = std::find_if(std::begin(kRows), std::end(kRows),
                                  [&](const BackendRow& r) { return r.name == name; });
  return found == std::end(kRows) ? nullptr : found;
}

absl::StatusOr<std::shared_ptr<Device>> Open(const std::string& backend);

// NAME or NAME/LANGUAGE.
absl::StatusOr<std::shared_ptr<Device>> OpenPlanner(const std::string& text) {
  const size_t slash = text.find('/');
  const std::string name = text.substr(0, slash);
  const bool by_device = slash == std::string::npos;
  TERN_ASSIGN_OR_RETURN(
      const NamedLanguage printed,
      FindLanguage(by_device ? NullDeviceLanguage(name) : text.substr(slash + 1)));
  absl::StatusOr<DeviceInfo> info = NullDeviceInfo(name);
  if (!info.ok() && !by_device) {
    const absl::StatusOr<std::shared_ptr<Device>> real = Open(name);
    if (real.ok()) {
      info = (*real)->info();
    } else if (!absl::IsInvalidArgument(real.status())) {
      return real.status();
    }
  }
  if (!info.ok()) return info.status();
  info->max_slice_width = std::min(info->max_slice_width, printed.max_slice_width);
  if (!printed.has_texels) info->max_texel_buffers = 0;
  info->whole_texels = printed.whole_texels;
  return MakeNullDevice(*std::move(info), *printed.language);
}

absl::StatusOr<std::shared_ptr<Device>> Open(const std::string& backend) {
  if (backend.rfind(kNullPrefix, 0) == 0) return OpenPlanner(backend.substr(kNullPrefix.size()));
  if (const BackendRow* row = FindRow(backend)) return row->open();
  const size_t colon = backend.find(':');
  const BackendRow* const family =
      colon == std::string::npos ? nullptr : FindRow(backend.substr(0, colon));
  if (family != nullptr && family->open_one != nullptr)
    return family->open_one(backend.substr(colon + 1));
  const auto added = AddedBackends().find(backend);
  if (added != AddedBackends().end()) return added->second();
  std::string names;
  for (const std::string& name : DefaultBackends())
    names += StrCat(names.empty() ? "" : ", ", name);
  return Invalid("this build has no backend '", backend, "' (it has ", names, ")");
}

}  // namespace

void AddBackend(const std::string& name, OpenBackend open) { AddedBackends()[name] = open; }

std::vector<std::string> DefaultBackends() {
  std::vector<std::string> names;
  for (const BackendRow& row : kRows) {
    if (row.by_default) names.emplace_back(row.name);
  }
  return names;
}

std::string BackendLabel(const std::string& name) {
  const BackendRow* row = FindRow(name);
  return row != nullptr ? row->label : name;
}

absl::StatusOr<OpenedDevice> OpenSharingDevice(const std::string& backend) {
  const BackendRow* row = FindRow(backend);
  if (row == nullptr || row->open_sharing == nullptr)
    return Invalid("this build has no backend '", backend, "' that shares buffers");
  TERN_ASSIGN_OR_RETURN(std::shared_ptr<Device> device, row->open_sharing());
  return Opened(std::move(device));
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
