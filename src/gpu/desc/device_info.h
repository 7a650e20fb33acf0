// SPDX-License-Identifier: Apache-2.0
// Limits and features of a device, and the tuning parameters that follow from them. Plans are made
// from these two alone, so a plan for a device that is not at hand can be made, printed and tested.
#ifndef TERN_GPU_DESC_DEVICE_INFO_H_
#define TERN_GPU_DESC_DEVICE_INFO_H_

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <string>

namespace tern::gpu {

using Int3 = std::array<int, 3>;

enum class DeviceClass {
  kGpu,  // many narrow work-items, fast local memory
  kCpu,  // few wide work-items; lanes are read straight from cached memory
};

struct DeviceInfo {
  std::string api;   // "opencl", "gles", "metal", "host", "null"
  std::string name;  // as the driver reports it
  std::string vendor;
  std::string driver;    // version text
  std::string platform;  // further texts that distinguish versions of the driver
  DeviceClass device_class = DeviceClass::kGpu;
  int compute_units = 1;
  int native_vector_width = 4;      // floats of the widest vector unit
  int max_slice_width = 4;          // widest slice that the language can spell
  int max_buffers = 8;              // storage buffers one dispatch may bind
  int max_group_items = 256;        // work-items of one group
  Int3 max_group = {256, 256, 64};  // per axis
  Int3 max_grid_groups = {65535, 65535, 65535};
  int64_t local_memory_bytes = 32 << 10;
  int64_t max_buffer_bytes = int64_t{1} << 30;
  int buffer_alignment = 256;  // of a range inside a buffer
  // Texel buffers, which are parts of buffers that kernels read by texels of four numbers each: as
  // many as one dispatch may read, and the texels of one. 0: the driver has none.
  int max_texel_buffers = 0;
  int64_t max_texels = 0;
  bool whole_texels = false;  // a texel buffer is the whole buffer, of which a range is read
  bool texel_forms = false;   // sizes of texel buffers go into machine code (device/texel_forms.h)
  // All loops of one work-item together; after that the driver ends them silently.
  int64_t max_loop_iterations = std::numeric_limits<int64_t>::max();
  bool fma = false;         // fused multiply-add at full speed
  bool half_types = false;  // kernels load and store slices of halves as such
  bool half_math = false;   // kernels add and multiply halves, or numbers that may be halves
};

// The tuning parameters that can differ between nodes.
struct NodeTuning {
  int pixels = 4;       // output pixels per work-item in convolutions
  int slices = 1;       // output slices per work-item in convolutions
  int line_pixels = 4;  // the same two in convolutions that see an image as a line of pixels
  int line_slices = 1;
  int depthwise_pixels = 4;  // output pixels per work-item in depthwise convolutions
  int group_items = 64;      // preferred work-items per group
  int group_width = 8;       // of them along x, where the grid has rows
  int reduce_items = 32;     // work-items that share one reduction; 1: no shared reductions
  int winograd = 1;          // results along a tile's axis where 3x3 convolutions have tiles; or 1

  bool operator==(const NodeTuning&) const = default;
};
using TunedNodes = std::map<int, NodeTuning>;  // by Node::index

// Tuning parameters: those of the device come from plan/tuning_table.cc, those of single nodes from
// measurements (tune/tune.h), and none from a kernel's lowering.
struct Tuning {
  int slice_width = 4;             // W
  bool lanes_from_memory = false;  // read single lanes from memory instead of from a loaded slice
  bool one_cursor = false;         // read pixels beside each other from the place of the first one
  bool packed = true;              // weights and tensors of 8 bits take 8 bits in memory
  bool texels = false;             // read slices by texels (plan/texel_buffers.h)
  bool same_groups = false;        // the driver compiles a program again for each size of groups
  NodeTuning common;
  TunedNodes nodes;  // those with parameters of their own

  const NodeTuning& Of(int node) const {
    const auto found = nodes.find(node);
    return found == nodes.end() ? common : found->second;
  }
};

}  // namespace tern::gpu

#endif  // TERN_GPU_DESC_DEVICE_INFO_H_
