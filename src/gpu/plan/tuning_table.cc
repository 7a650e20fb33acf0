// SPDX-License-Identifier: Apache-2.0
// Measured on: PoCL 3.1 (CPU class) and Mesa 22.3 with AVX-512. GPU rows keep every kernel in the
// registers that the compilers of these GPUs have (docs/gpu_stats.md); their speed awaits a device.
#include "gpu/plan/tuning_table.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/str_cat.h"
#include "gpu/desc/driver_limits.h"

namespace tern::gpu {
namespace {

// CPU drivers run a work-item as straight code: few fat items, registers full of wide accumulators,
// single lanes broadcast from cached memory, no barriers.
Tuning CpuTuning(const DeviceInfo& device) {
  Tuning t;
  t.slice_width = std::clamp(device.native_vector_width, 4, 16);
  t.lanes_from_memory = true;
  // 32 vector registers with AVX-512, 16 before, for pixels * slices accumulators and weights.
  t.common.pixels = t.common.line_pixels = t.slice_width == 16 ? 8 : 4;
  t.common.slices = t.common.line_slices = 2;
  t.common.depthwise_pixels = 4;
  // Items of a group run one after another on one core, and groups are spread over cores.
  t.same_groups = true;
  t.common.group_items = 8;
  t.common.group_width = 32;  // no group has rows
  t.common.reduce_items = 1;
  t.packed = false;  // lanes could not be read straight from memory
  return t;
}

// As drivers of OpenGL ES and of OpenCL say it.
bool IsVideoCore(const DeviceInfo& device) {
  return device.vendor.find("Broadcom") != std::string::npos;
}

// As its own drivers and Mesa's say it.
bool IsAdreno(const DeviceInfo& device) {
  return device.vendor.find("Qualcomm") != std::string::npos || device.vendor == "QUALCOMM" ||
         device.vendor.find("freedreno") != std::string::npos;
}

Tuning GpuTuning(const DeviceInfo& device, const Storage& storage) {
  Tuning t;
  // Adreno's loads of storage go through the texture unit as well, and that converts texels of
  // halves; others have a unit for loads. Llvmpipe gathers texels by vectors, and storage lane by
  // lane: MobileNet v1 takes 0.13 of the time with AVX2. Its OpenCL takes as long by either, and
  // builds programs with images in four times the time.
  const bool gathers = IsLlvmpipe(device.name) && !device.whole_texels;
  t.texels = device.max_texel_buffers > 0 && (IsAdreno(device) || gathers);
  // Sums of halves take halves as they lie, which texels of OpenCL are no longer.
  if (device.whole_texels && storage.sums == Precision::kF16) t.texels = false;
  // A half that is read costs a conversion, which two slices share, and half of the registers of a
  // float; for those of a window only Adreno has registers, which suffice for five pixels of a
  // line. Sums of halves have no conversions, and take registers beside those of their totals.
  const bool halves = storage.weights == Precision::kF16 && storage.activations == Precision::kF16;
  if (storage.sums == Precision::kF16) {
    t.common.pixels = IsAdreno(device) ? 4 : 3;
    t.common.line_pixels = 5;
  } else if (halves && !IsVideoCore(device)) {
    t.common.slices = IsAdreno(device) ? 2 : 1;
    t.common.line_pixels = IsAdreno(device) ? 5 : 4;
    t.common.line_slices = 2;
  }
  t.one_cursor = true;
  // 64 registers of one number each with two threads, so four pixels of a slice are a quarter. Its
  // compiler puts reads that lie beside each other before all sums, and waits for each.
  if (IsVideoCore(device)) {
    t.common.depthwise_pixels = 2;
    t.one_cursor = false;
  }
  t.common.group_items = std::min(64, device.max_group_items);
  t.common.reduce_items = std::min(32, device.max_group_items);
  if (IsLlvmpipe(device.name)) {
    // Work-items are lanes of vectors, so that a slice of weights is loaded once for each lane.
    // Two slices share the loads of a pixel: MobileNet v1 takes 0.81 of the time of one.
    t.common.slices = t.common.line_slices = 2;
    // Eight lanes of a vector lie along x, idle or not.
    t.same_groups = true;
    t.common.group_items = std::min(32, device.max_group_items);
  }
  return t;
}

// Pixels and slices of a work-item.
using Tile = std::pair<int, int>;

// As many accumulators as registers hold beside the weights, cut in several ways: rows are
// multiples of 7 or of 8 pixels, and few pixels of many slices read a weight more often.
std::vector<Tile> CpuTiles(int slice_width) {
  if (slice_width == 16) return {{7, 2}, {4, 2}, {12, 2}, {6, 4}, {4, 4}, {14, 1}, {4, 1}};
  return {{6, 2}, {3, 4}, {8, 1}, {2, 2}, {4, 1}};
}

}  // namespace

Tuning TuningFor(const DeviceInfo& device, int slice_width, const Storage& storage) {
  Tuning t =
      device.device_class == DeviceClass::kCpu ? CpuTuning(device) : GpuTuning(device, storage);
  if (slice_width != 0) t.slice_width = slice_width;
  t.slice_width = std::min(t.slice_width, device.max_slice_width);
  // Odd widths never occur in a driver's answer but would break every layout.
  t.slice_width = t.slice_width >= 16 ? 16 : t.slice_width >= 8 ? 8 : 4;
  t.texels = t.texels && t.slice_width == 4;
  return t;
}

std::vector<Variation> Variations(const DeviceInfo& device, const Tuning& tuning) {
  const bool cpu = device.device_class == DeviceClass::kCpu;
  const auto tiles = cpu ? CpuTiles(tuning.slice_width)
                         : std::vector<Tile>{{2, 1}, {4, 2}, {2, 2}, {8, 1}, {1, 1}};
  std::vector<Variation> all;
  all.reserve(tiles.size());
  for (const auto& [pixels, slices] : tiles) {
    all.push_back({{&NodeTuning::pixels, pixels},
                   {&NodeTuning::line_pixels, pixels},
                   {&NodeTuning::slices, slices},
                   {&NodeTuning::line_slices, slices}});
  }
  const auto add = [&](int NodeTuning::*parameter, std::initializer_list<int> values, int max) {
    for (const int value : values) {
      if (value <= max) all.push_back({{parameter, value}});
    }
  };
  const int items = device.max_group_items;
  if (tuning.common.winograd > 1) all.push_back({{&NodeTuning::winograd, 1}});
  add(&NodeTuning::depthwise_pixels, {8, 7, 4, 2, 1}, cpu ? 8 : tuning.common.depthwise_pixels * 2);
  if (cpu) {
    add(&NodeTuning::group_items, {1, 2, 4, 16, 32}, items);
    return all;
  }
  add(&NodeTuning::group_items, {32, 128, 256, 16}, items);
  add(&NodeTuning::group_width, {16, 4, 32}, items);
  add(&NodeTuning::reduce_items, {64, 16, 128, 1}, items);
  return all;
}

NodeTuning With(NodeTuning tuning, const Variation& variation) {
  for (const Change& change : variation) tuning.*change.parameter = change.value;
  return tuning;
}

std::string Difference(const NodeTuning& from, const NodeTuning& to) {
  std::string text;
  for (const TuningParameter& parameter : kTuningParameters) {
    if (from.*parameter.value == to.*parameter.value) continue;
    text += StrCat(text.empty() ? "" : ", ", parameter.name, " ", to.*parameter.value);
  }
  return text;
}

}  // namespace tern::gpu
