// SPDX-License-Identifier: Apache-2.0
// Queries of platforms and devices.
#include "gpu/backends/opencl/cl_device_info.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cstdint>

#include "base/status.h"
#include "gpu/backends/opencl/cl_error.h"
#include "gpu/desc/driver_limits.h"

namespace tern::gpu {
namespace {

constexpr cl_uint kMaxPlatforms = 32, kMaxDevices = 64;
constexpr size_t kMaxText = 1 << 16;
constexpr int64_t kBufferBytes = 16;  // a pointer and an offset

class Query {
 public:
  Query(const ClFunctions& cl, cl_device_id device) : cl_(cl), device_(device) {}

  template <typename T>
  T Value(cl_device_info what, T otherwise) const {
    T value{};
    if (cl_.GetDeviceInfo(device_, what, sizeof(value), &value, nullptr) != CL_SUCCESS)
      return otherwise;
    return value;
  }

  // Clamped to low .. high; 0 counts as no answer.
  template <typename T>
  int64_t Limit(cl_device_info what, int64_t otherwise, int64_t low, int64_t high) const {
    const uint64_t value = Value<T>(what, 0);
    if (value == 0) return otherwise;
    return std::clamp<int64_t>(static_cast<int64_t>(std::min<uint64_t>(value, INT64_MAX)), low,
                               high);
  }

  // Name and version of the platform, which may have the compiler.
  std::string Platform() const {
    const auto platform = Value<cl_platform_id>(CL_DEVICE_PLATFORM, nullptr);
    std::string text;
    for (const cl_platform_info what : {CL_PLATFORM_NAME, CL_PLATFORM_VERSION}) {
      size_t size = 0;
      if (platform == nullptr ||
          cl_.GetPlatformInfo(platform, what, 0, nullptr, &size) != CL_SUCCESS) {
        continue;
      }
      std::string part(std::min(size, kMaxText), '\0');
      if (cl_.GetPlatformInfo(platform, what, part.size(), part.data(), nullptr) != CL_SUCCESS)
        continue;
      text += StrCat(text.empty() ? "" : ", ", part.substr(0, part.find('\0')));
    }
    return text;
  }

  std::string Text(cl_device_info what) const {
    size_t size = 0;
    if (cl_.GetDeviceInfo(device_, what, 0, nullptr, &size) != CL_SUCCESS) return "";
    std::string text(std::min(size, kMaxText), '\0');
    if (cl_.GetDeviceInfo(device_, what, text.size(), text.data(), nullptr) != CL_SUCCESS)
      return "";
    return text.substr(0, text.find('\0'));
  }

 private:
  const ClFunctions& cl_;
  const cl_device_id device_;
};

cl_device_type TypeOf(const Query& query) {
  return query.Value<cl_device_type>(CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU);
}

bool IsCpu(cl_device_type type) {
  return (type & CL_DEVICE_TYPE_CPU) != 0 && (type & CL_DEVICE_TYPE_GPU) == 0;
}

void ReadGroups(const Query& query, DeviceInfo& info) {
  info.max_group_items =
      static_cast<int>(query.Limit<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE, 1, 1, 4096));
  const cl_uint axes = query.Value<cl_uint>(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3);
  // The query fails when there is no room for all axes; more than 8 are not believed.
  struct {
    size_t size[8];
  } none = {}, sizes = query.Value(CL_DEVICE_MAX_WORK_ITEM_SIZES, none);
  for (int axis = 0; axis < 3; ++axis) {
    const size_t size = axes >= 3 && axes <= 8 ? sizes.size[axis] : 1;
    info.max_group[axis] = static_cast<int>(std::clamp<size_t>(size, 1, info.max_group_items));
    info.max_grid_groups[axis] = INT_MAX;
  }
}

void ReadMemory(const Query& query, DeviceInfo& info) {
  info.local_memory_bytes =
      query.Limit<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE, 0, 0, int64_t{16} << 20);
  info.max_buffer_bytes = query.Limit<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE, int64_t{128} << 20,
                                                int64_t{1} << 20, int64_t{1} << 40);
  // In bits. A slice of 16 floats needs 64 bytes whatever the device says.
  const int64_t bits = query.Limit<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN, 1024, 512, 8 << 16);
  info.buffer_alignment = static_cast<int>(std::bit_ceil(static_cast<uint32_t>((bits + 7) / 8)));
  if (query.Value<cl_bool>(CL_DEVICE_IMAGE_SUPPORT, CL_FALSE) == CL_TRUE) {
    info.max_texel_buffers =
        static_cast<int>(query.Limit<cl_uint>(CL_DEVICE_MAX_READ_IMAGE_ARGS, 8, 8, 128));
    info.max_texels = query.Limit<size_t>(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 2048, 2048, INT_MAX);
    info.whole_texels = true;
  }
  const int64_t parameters = query.Limit<size_t>(CL_DEVICE_MAX_PARAMETER_SIZE, 256, 128, 4096);
  // Half of the room stays for sizes and other numbers.
  info.max_buffers = static_cast<int>(std::min<int64_t>(parameters / 2 / kBufferBytes, 64));
}

}  // namespace

DeviceInfo ReadClDeviceInfo(const ClFunctions& cl, cl_device_id device) {
  const Query query(cl, device);
  DeviceInfo info;
  info.api = "opencl";
  info.name = query.Text(CL_DEVICE_NAME);
  info.vendor = query.Text(CL_DEVICE_VENDOR);
  info.driver = StrCat(query.Text(CL_DEVICE_VERSION), ", driver ", query.Text(CL_DRIVER_VERSION));
  info.platform = query.Platform();
  info.device_class = IsCpu(TypeOf(query)) ? DeviceClass::kCpu : DeviceClass::kGpu;
  info.compute_units =
      static_cast<int>(query.Limit<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS, 1, 1, 1 << 16));
  const int64_t native = query.Limit<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 1, 1, 16);
  const int64_t preferred = query.Limit<cl_uint>(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 1, 1, 16);
  info.native_vector_width = static_cast<int>(std::max(native, preferred));
  info.max_slice_width = 16;
  info.max_loop_iterations = MaxLoopIterations(info.name);
  ReadGroups(query, info);
  ReadMemory(query, info);
  info.fma = (query.Value<cl_device_fp_config>(CL_DEVICE_SINGLE_FP_CONFIG, 0) & CL_FP_FMA) != 0;
  info.half_types = query.Text(CL_DEVICE_EXTENSIONS).find("cl_khr_fp16") != std::string::npos;
  info.half_math = info.half_types;
  return info;
}

absl::StatusOr<std::vector<ClCandidate>> ListClDevices(const ClFunctions& cl) {
  cl_platform_id platforms[kMaxPlatforms];
  cl_uint platform_count = 0;
  TERN_RETURN_IF_ERROR(ClStatus(cl.GetPlatformIDs(kMaxPlatforms, platforms, &platform_count),
                                "OpenCL: clGetPlatformIDs"));
  std::vector<ClCandidate> gpus, others, cpus;
  std::string problems;
  for (cl_uint p = 0; p < std::min(platform_count, kMaxPlatforms); ++p) {
    cl_device_id devices[kMaxDevices];
    cl_uint count = 0;
    const cl_int code =
        cl.GetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, kMaxDevices, devices, &count);
    // One broken platform must not hide the others.
    if (code != CL_SUCCESS) {
      problems += StrCat("; platform ", p, ": ", ClErrorName(code));
      continue;
    }
    for (cl_uint d = 0; d < std::min(count, kMaxDevices); ++d) {
      const Query query(cl, devices[d]);
      const ClCandidate candidate = {devices[d], query.Text(CL_DEVICE_NAME)};
      if (!query.Value<cl_bool>(CL_DEVICE_AVAILABLE, CL_FALSE) ||
          !query.Value<cl_bool>(CL_DEVICE_COMPILER_AVAILABLE, CL_FALSE)) {
        problems += StrCat("; ", candidate.name, ": not available, or without a compiler");
        continue;
      }
      const cl_device_type type = TypeOf(query);
      auto& kind = IsCpu(type) ? cpus : (type & CL_DEVICE_TYPE_GPU) != 0 ? gpus : others;
      kind.push_back(candidate);
    }
  }
  gpus.insert(gpus.end(), others.begin(), others.end());
  gpus.insert(gpus.end(), cpus.begin(), cpus.end());
  if (gpus.empty())
    return Unavailable("OpenCL: no device (", platform_count, " platforms", problems, ")");
  return gpus;
}

}  // namespace tern::gpu
