// SPDX-License-Identifier: Apache-2.0
// Measured on: PoCL 3.1 with AVX-512 (CPU class). GPU rows keep every kernel in the registers that
// the compilers of these GPUs have (docs/gpu_stats.md); their speed awaits a device.
#include "gpu/plan/tuning_table.h"

#include <algorithm>

namespace tern::gpu {
namespace {

// CPU drivers run a work-item as straight code: few fat items, registers full of wide accumulators,
// single lanes broadcast from cached memory, no barriers.
Tuning CpuTuning(const DeviceInfo& device) {
  Tuning t;
  t.slice_width = std::clamp(device.native_vector_width, 4, 16);
  t.lanes_from_memory = true;
  // 32 vector registers with AVX-512, 16 before: pixels * slices accumulators and the weights must
  // fit.
  t.pixels = t.slice_width == 16 ? 7 : 4;
  t.slices = 2;
  t.depthwise_pixels = 7;
  t.group_items = 8;
  t.reduce_items = 1;
  t.packed = false;  // lanes could not be read straight from memory
  return t;
}

// As drivers of OpenGL ES and of OpenCL say it.
bool IsVideoCore(const DeviceInfo& device) {
  return device.vendor.find("Broadcom") != std::string::npos;
}

Tuning GpuTuning(const DeviceInfo& device) {
  Tuning t;
  // 64 registers of one number each with two threads, so four pixels of a slice are a quarter.
  if (IsVideoCore(device)) t.depthwise_pixels = 2;
  t.group_items = std::min(64, device.max_group_items);
  t.reduce_items = std::min(32, device.max_group_items);
  return t;
}

}  // namespace

Tuning TuningFor(const DeviceInfo& device, int slice_width) {
  Tuning t = device.device_class == DeviceClass::kCpu ? CpuTuning(device) : GpuTuning(device);
  if (slice_width != 0) t.slice_width = slice_width;
  t.slice_width = std::min(t.slice_width, device.max_slice_width);
  // Odd widths never occur in a driver's answer but would break every layout.
  t.slice_width = t.slice_width >= 16 ? 16 : t.slice_width >= 8 ? 8 : 4;
  return t;
}

}  // namespace tern::gpu
