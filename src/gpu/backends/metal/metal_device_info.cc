// SPDX-License-Identifier: Apache-2.0
// The table is Apple's "Metal Feature Set Tables": threads of a group and buffers of a function by
// family.
#include "gpu/backends/metal/metal_device_info.h"

#include <algorithm>
#include <limits>
#include <string>

#include "base/str_cat.h"

namespace tern::gpu {
namespace {

constexpr int kBufferSlots = 31;  // of a function; uniforms take one

// "Apple7", "Mac2" or "none that is known".
std::string FamilyName(const MetalContext& context) {
  const MetalMessages& say = context.say();
  for (Integer family = metal::kFamilyApple9; family >= metal::kFamilyApple2; --family) {
    if (say.supports_family(context.device(), family))
      return StrCat("Apple", family - metal::kFamilyApple2 + 2);
  }
  return say.supports_family(context.device(), metal::kFamilyMac2) ? "Mac2" : "none that is known";
}

std::string VendorOf(const std::string& name) {
  return name.substr(0, name.find(' '));  // "Apple M1 Pro", "AMD Radeon Pro 560", "Intel UHD ..."
}

}  // namespace

DeviceInfo ReadMetalDeviceInfo(const MetalContext& context) {
  const MetalMessages& say = context.say();
  const ObjcFunctions& objc = context.objc();
  const ObjcPool pool(objc);
  const Id device = context.device();
  const auto has = [&](Integer family) { return say.supports_family(device, family); };
  const auto clamped = [](UInteger value) {
    return static_cast<int64_t>(std::min<UInteger>(value, std::numeric_limits<int64_t>::max()));
  };
  DeviceInfo info;
  info.api = "metal";
  info.name = context.Text(say.device_name(device));
  info.vendor = VendorOf(info.name);
  info.driver = context.Text(say.system(say.process_info(objc.get_class("NSProcessInfo"))));
  info.platform = StrCat("GPU family ", FamilyName(context));
  const bool large_groups = has(metal::kFamilyApple4) || has(metal::kFamilyMac2);
  info.max_group_items = large_groups ? 1024 : 512;
  info.max_group = {info.max_group_items, info.max_group_items, info.max_group_items};
  info.max_buffers = kBufferSlots - 1;
  info.local_memory_bytes = clamped(say.max_threadgroup_memory(device));
  info.max_buffer_bytes = clamped(say.max_buffer_length(device));
  info.buffer_alignment = 64;
  info.fma = true;
  info.half_types = true;
  info.half_math = true;
  return info;
}

}  // namespace tern::gpu
