// SPDX-License-Identifier: Apache-2.0
// Numbers from the minimum tables of the APIs and from published facts on device families.
#include "gpu/backends/null/null_device.h"

#include "base/status.h"

namespace tern::gpu {
namespace {

DeviceInfo Named(const char* name, const char* vendor) {
  DeviceInfo info;
  info.api = "null";
  info.name = name;
  info.vendor = vendor;
  info.driver = "1";
  return info;
}

// Returns the limits that every GLES 3.1 device guarantees.
DeviceInfo GlesMin() {
  DeviceInfo info = Named("gles-min", "any");
  info.max_buffers = 4;
  info.max_group_items = 128;
  info.max_group = {128, 128, 64};
  info.local_memory_bytes = 16 << 10;
  info.max_buffer_bytes = int64_t{128} << 20;
  return info;
}

// Limits of the four GPUs that follow are those of Mesa's drivers for OpenGL ES
// (docs/gpu_stats.md).
DeviceInfo Adreno() {
  DeviceInfo info = Named("adreno", "Qualcomm");
  info.max_texel_buffers = 16;
  info.max_texels = 1 << 27;
  info.compute_units = 4;
  info.max_buffers = 16;
  info.max_group_items = 1024;
  info.max_group = {1024, 1024, 64};
  info.max_buffer_bytes = int64_t{128} << 20;
  info.half_types = true;
  info.half_math = true;
  info.fma = true;
  return info;
}

DeviceInfo Mali() {
  DeviceInfo info = Named("mali", "ARM");
  info.max_texel_buffers = 32;
  info.max_texels = 1 << 16;
  info.compute_units = 8;
  info.max_buffers = 8;
  info.max_group_items = 256;
  info.max_group = {256, 256, 256};
  info.max_buffer_bytes = int64_t{128} << 20;
  info.half_types = true;
  info.half_math = true;
  info.fma = true;
  return info;
}

DeviceInfo VideoCore() {
  DeviceInfo info = Named("videocore", "Broadcom");
  info.compute_units = 8;
  info.max_buffers = 16;
  info.max_group_items = 256;
  info.max_group = {256, 256, 256};
  info.max_buffer_bytes = int64_t{128} << 20;
  return info;
}

// The same families as their drivers for Vulkan report them: Mesa's, and ARM's for Mali.
DeviceInfo AdrenoVulkan() {
  DeviceInfo info = Adreno();
  info.name = "adreno-vulkan";
  info.max_buffers = 64;
  return info;
}

DeviceInfo MaliVulkan() {
  DeviceInfo info = Mali();
  info.name = "mali-vulkan";
  info.max_texel_buffers = 0;
  info.max_buffers = 35;
  info.max_group_items = 384;
  info.max_group = {384, 384, 384};
  return info;
}

DeviceInfo VideoCoreVulkan() {
  DeviceInfo info = VideoCore();
  info.name = "videocore-vulkan";
  info.max_buffers = 8;
  info.local_memory_bytes = 16 << 10;
  return info;
}

DeviceInfo Amd() {
  DeviceInfo info = Named("amd", "AMD");
  info.compute_units = 60;
  info.max_buffers = 16;
  info.max_group_items = 1024;
  info.max_group = {1024, 1024, 1024};
  info.local_memory_bytes = 64 << 10;
  info.max_buffer_bytes = (int64_t{1} << 31) - 1;
  info.half_types = true;
  info.half_math = true;
  info.fma = true;
  return info;
}

DeviceInfo Nvidia() {
  DeviceInfo info = Named("nvidia", "NVIDIA");
  info.compute_units = 108;
  info.max_buffers = 32;
  info.max_slice_width = 16;
  info.max_group_items = 1024;
  info.max_group = {1024, 1024, 64};
  info.local_memory_bytes = 48 << 10;
  info.max_buffer_bytes = int64_t{8} << 30;
  info.fma = true;
  return info;
}

DeviceInfo Cpu16() {
  DeviceInfo info = Named("cpu16", "any");
  info.device_class = DeviceClass::kCpu;
  info.compute_units = 2;
  info.native_vector_width = 16;
  info.max_slice_width = 16;
  info.max_buffers = 64;
  info.max_group_items = 4096;
  info.max_group = {4096, 4096, 4096};
  info.fma = true;
  return info;
}

std::vector<DeviceInfo> AllDevices() {
  return {GlesMin(), Adreno(), Mali(),         VideoCore(),  Amd(),
          Nvidia(),  Cpu16(),  AdrenoVulkan(), MaliVulkan(), VideoCoreVulkan()};
}

class NullDevice : public Device {
 public:
  NullDevice(DeviceInfo info, const Language& language)
      : info_(std::move(info)), language_(language) {}

  const DeviceInfo& info() const override { return info_; }
  const Language& language() const override { return language_; }
  absl::StatusOr<std::shared_ptr<Buffer>> CreateBuffer(int64_t) override { return Refusal(); }
  absl::Status Upload(const BufferRange&, const void*, int64_t) override { return Refusal(); }
  absl::Status Download(const BufferRange&, void*, int64_t) override { return Refusal(); }
  absl::StatusOr<std::shared_ptr<Pipeline>> Compile(const ProgramSource&) override {
    return Refusal();
  }
  absl::StatusOr<std::unique_ptr<Commands>> Record(const std::vector<Launch>&) override {
    return Refusal();
  }
  absl::Status Submit(Commands&) override { return Refusal(); }
  absl::Status Wait() override { return absl::OkStatus(); }

 private:
  static absl::Status Refusal() { return Unsupported("the null backend plans only"); }

  const DeviceInfo info_;
  const Language& language_;
};

}  // namespace

std::vector<std::string> NullDeviceNames() {
  std::vector<std::string> names;
  for (const DeviceInfo& info : AllDevices()) names.push_back(info.name);
  return names;
}

absl::StatusOr<DeviceInfo> NullDeviceInfo(std::string_view name) {
  for (const DeviceInfo& info : AllDevices()) {
    if (info.name == name) return info;
  }
  std::string known;
  for (const std::string& other : NullDeviceNames())
    known += StrCat(known.empty() ? "" : ", ", other);
  return Invalid("unknown null device '", name, "' (known: ", known, ")");
}

std::string NullDeviceLanguage(std::string_view name) {
  const bool vulkan = name.find("-vulkan") != std::string_view::npos;
  return vulkan ? "vulkan" : "metal";
}

std::shared_ptr<Device> MakeNullDevice(DeviceInfo info, const Language& language) {
  return std::make_shared<NullDevice>(std::move(info), language);
}

}  // namespace tern::gpu
