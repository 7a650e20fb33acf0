// SPDX-License-Identifier: Apache-2.0
// Queries of devices. Limits are clamped to what the specification guarantees.
#include "gpu/backends/vulkan/vk_device_info.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cstdint>
#include <string>

#include "base/status.h"
#include "gpu/backends/vulkan/vk_error.h"
#include "gpu/backends/vulkan/vk_memory.h"
#include "gpu/desc/driver_limits.h"

namespace tern::gpu {
namespace {

// The guarantees of Vulkan 1.1.
constexpr uint32_t kBuffers = 4;
constexpr uint32_t kGroupItems = 128;
constexpr Int3 kGroup = {128, 128, 64};
constexpr uint32_t kGridGroups = 65535;
constexpr uint32_t kLocalBytes = 16 << 10;
constexpr uint32_t kRangeBytes = 1 << 27;
constexpr uint32_t kTexelBuffers = 16;
constexpr uint32_t kTexels = 1 << 16;
constexpr int kAlignment = 256;

int Limit(uint32_t value, uint32_t low, uint32_t high) {
  return static_cast<int>(std::clamp(value, low, high));
}

// The place of a kind of device in the list.
int Rank(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return 4;
    default:
      return 3;
  }
}

std::string VersionText(uint32_t version) {
  return StrCat(VK_API_VERSION_MAJOR(version), ".", VK_API_VERSION_MINOR(version), ".",
                VK_API_VERSION_PATCH(version));
}

// Of the companies that the registry of PCI knows.
std::string VendorName(uint32_t id) {
  switch (id) {
    case 0x1002:
      return "AMD";
    case 0x1010:
      return "Imagination Technologies";
    case 0x10DE:
      return "NVIDIA";
    case 0x13B5:
      return "ARM";
    case 0x14E4:
      return "Broadcom";
    case 0x5143:
      return "Qualcomm";
    case 0x8086:
      return "Intel";
    case VK_VENDOR_ID_MESA:
      return "Mesa";
    default:
      return StrCat("vendor ", id);
  }
}

std::string Hex(const uint8_t (&bytes)[VK_UUID_SIZE]) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::vector<VkQueueFamilyProperties> FamiliesOf(const VulkanFunctions& vk,
                                                VkPhysicalDevice device) {
  uint32_t count = 0;
  vk.GetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vk.GetPhysicalDeviceQueueFamilyProperties(device, &count, families.data());
  return families;
}

bool Computes(const VkQueueFamilyProperties& family) {
  return (family.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0 && family.queueCount != 0;
}

void TakeFamily(const VkQueueFamilyProperties& family, uint32_t number, VulkanCandidate& to) {
  to.family = number;
  to.queues = family.queueCount;
  to.timestamp_bits = family.timestampValidBits;
}

// Sets the queue family; false where no family computes. One without graphics is the device's way
// to compute beside them.
bool FindFamily(const VulkanFunctions& vk, VulkanCandidate& candidate) {
  const std::vector<VkQueueFamilyProperties> families = FamiliesOf(vk, candidate.device);
  bool found = false, without_graphics = false;
  for (uint32_t i = 0; i < families.size(); ++i) {
    const VkQueueFamilyProperties& family = families[i];
    if (!Computes(family)) continue;
    const bool better =
        !found || (!without_graphics && (family.queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0);
    if (!better) continue;
    found = true;
    without_graphics = (family.queueFlags & VK_QUEUE_GRAPHICS_BIT) == 0;
    TakeFamily(family, i, candidate);
  }
  return found;
}

VulkanCandidate WithProperties(const VulkanFunctions& vk, VkPhysicalDevice device) {
  VkPhysicalDeviceProperties2 properties = {};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  vk.GetPhysicalDeviceProperties2(device, &properties);
  VulkanCandidate candidate;
  candidate.device = device;
  candidate.properties = properties.properties;
  return candidate;
}

bool HasHalfTypes(const VulkanFunctions& vk, VkPhysicalDevice device) {
  VkPhysicalDevice16BitStorageFeatures halves = {};
  halves.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES;
  VkPhysicalDeviceFeatures2 features = {};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &halves;
  vk.GetPhysicalDeviceFeatures2(device, &features);
  return halves.storageBuffer16BitAccess != VK_FALSE;
}

// "NAME: version V, 1.1 is needed"; empty where it is new enough.
std::string TooOld(const VulkanCandidate& candidate) {
  const uint32_t version = candidate.properties.apiVersion;
  if (version >= VK_API_VERSION_1_1) return "";
  return StrCat(candidate.properties.deviceName, ": version ", VersionText(version),
                ", 1.1 is needed");
}

// The largest piece that the driver gives at once.
int64_t MaxBufferBytes(const VkPhysicalDeviceLimits& limits, VkDeviceSize allocation) {
  const auto range = static_cast<uint64_t>(limits.maxStorageBufferRange);
  const uint64_t bytes = std::min<uint64_t>(range, allocation);
  return static_cast<int64_t>(std::clamp<uint64_t>(bytes, kRangeBytes, uint64_t{1} << 40)) /
         kVulkanSliceBytes * kVulkanSliceBytes;
}

}  // namespace

absl::StatusOr<std::vector<VulkanCandidate>> ListVulkanDevices(const VulkanInstance& instance) {
  const VulkanFunctions& vk = instance.vk();
  uint32_t count = 0;
  TERN_RETURN_IF_ERROR(VulkanStatus(vk.EnumeratePhysicalDevices(instance.get(), &count, nullptr),
                                    "Vulkan: vkEnumeratePhysicalDevices"));
  std::vector<VkPhysicalDevice> devices(count);
  TERN_RETURN_IF_ERROR(
      VulkanStatus(vk.EnumeratePhysicalDevices(instance.get(), &count, devices.data()),
                   "Vulkan: vkEnumeratePhysicalDevices"));
  devices.resize(count);
  std::vector<VulkanCandidate> found;
  std::string problems;
  for (const VkPhysicalDevice device : devices) {
    VulkanCandidate candidate = WithProperties(vk, device);
    if (const std::string problem = TooOld(candidate); !problem.empty()) {
      problems += StrCat("; ", problem);
    } else if (!FindFamily(vk, candidate)) {
      problems += StrCat("; ", candidate.properties.deviceName, ": no queue that computes");
    } else {
      candidate.half_types = HasHalfTypes(vk, device);
      found.push_back(candidate);
    }
  }
  if (found.empty()) return Unavailable("Vulkan: no device (", count, " known", problems, ")");
  std::stable_sort(found.begin(), found.end(),
                   [](const VulkanCandidate& a, const VulkanCandidate& b) {
                     return Rank(a.properties.deviceType) < Rank(b.properties.deviceType);
                   });
  return found;
}

absl::StatusOr<VulkanCandidate> ReadVulkanCandidate(const VulkanInstance& instance,
                                                    VkPhysicalDevice device, uint32_t family) {
  VulkanCandidate candidate = WithProperties(instance.vk(), device);
  if (const std::string problem = TooOld(candidate); !problem.empty())
    return Unavailable("Vulkan: ", problem);
  const std::vector<VkQueueFamilyProperties> families = FamiliesOf(instance.vk(), device);
  if (family >= families.size() || !Computes(families[family])) {
    return Invalid("Vulkan: ", candidate.properties.deviceName, ": queue family ", family,
                   " takes no compute work (", families.size(), " families)");
  }
  TakeFamily(families[family], family, candidate);
  return candidate;
}

DeviceInfo ReadVulkanDeviceInfo(const VulkanInstance& instance, const VulkanCandidate& candidate) {
  VkPhysicalDeviceMaintenance3Properties pieces = {};
  pieces.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES;
  VkPhysicalDeviceProperties2 all = {};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  all.pNext = &pieces;
  VkPhysicalDeviceDriverProperties driver = {};
  driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
  const bool names_driver = candidate.properties.apiVersion >= VK_API_VERSION_1_2;
  if (names_driver) pieces.pNext = &driver;
  instance.vk().GetPhysicalDeviceProperties2(candidate.device, &all);
  const VkPhysicalDeviceProperties& device = all.properties;
  const VkPhysicalDeviceLimits& limits = device.limits;

  DeviceInfo info;
  info.api = "vulkan";
  info.name = device.deviceName;
  info.vendor = VendorName(device.vendorID);
  info.driver = StrCat("Vulkan ", VersionText(device.apiVersion), ", ",
                       names_driver ? StrCat(driver.driverName, " ", driver.driverInfo)
                                    : StrCat("driver ", device.driverVersion));
  info.platform = StrCat("build ", Hex(device.pipelineCacheUUID));
  info.native_vector_width = 4;
  info.max_slice_width = 4;
  // A binding more is for uniforms.
  info.max_buffers = std::min({Limit(limits.maxPerStageDescriptorStorageBuffers, kBuffers, 64),
                               Limit(limits.maxDescriptorSetStorageBuffers, kBuffers, 64),
                               Limit(limits.maxPerStageResources - 1, kBuffers, 64)});
  info.max_group_items = Limit(limits.maxComputeWorkGroupInvocations, kGroupItems, 4096);
  for (int axis = 0; axis < 3; ++axis) {
    info.max_group[axis] = std::min(
        Limit(limits.maxComputeWorkGroupSize[axis], static_cast<uint32_t>(kGroup[axis]), 4096),
        info.max_group_items);
    info.max_grid_groups[axis] = Limit(limits.maxComputeWorkGroupCount[axis], kGridGroups, INT_MAX);
  }
  info.local_memory_bytes = Limit(limits.maxComputeSharedMemorySize, kLocalBytes, 16 << 20);
  info.max_buffer_bytes = MaxBufferBytes(limits, pieces.maxMemoryAllocationSize);
  info.max_loop_iterations = MaxLoopIterations(info.name);
  info.half_types = candidate.half_types;
  info.half_math = info.vendor != "Broadcom";  // VideoCore has floats alone
  info.max_texel_buffers =
      std::min(Limit(limits.maxPerStageDescriptorSampledImages, kTexelBuffers, 64),
               Limit(limits.maxDescriptorSetSampledImages, kTexelBuffers, 64));
  info.max_texels = Limit(limits.maxTexelBufferElements, kTexels, INT_MAX);
  info.texel_forms = IsLlvmpipe(info.name);
  const auto alignment = std::clamp<VkDeviceSize>(
      std::max(limits.minStorageBufferOffsetAlignment, limits.minTexelBufferOffsetAlignment), 64,
      1 << 16);
  info.buffer_alignment = static_cast<int>(std::bit_ceil(static_cast<uint32_t>(alignment)));
  static_assert(64 % kVulkanSliceBytes == 0);
  return info;
}

void LowerToVulkanMinimum(DeviceInfo& info) {
  info.half_types = false;
  info.max_buffers = kBuffers;
  info.max_texel_buffers = 0;
  info.max_group_items = kGroupItems;
  info.max_group = kGroup;
  info.max_grid_groups = {kGridGroups, kGridGroups, kGridGroups};
  info.local_memory_bytes = kLocalBytes;
  info.max_buffer_bytes = kRangeBytes;
  info.buffer_alignment = std::max(info.buffer_alignment, kAlignment);
}

}  // namespace tern::gpu
