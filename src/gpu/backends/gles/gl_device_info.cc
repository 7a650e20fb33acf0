// SPDX-License-Identifier: Apache-2.0
// Queries of limits.
#include "gpu/backends/gles/gl_device_info.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "gpu/backends/gles/gl_memory.h"
#include "gpu/desc/driver_limits.h"

namespace tern::gpu {
namespace {

// The guarantees of OpenGL ES 3.1.
constexpr int kBuffers = 4;
constexpr int kGroupItems = 128;
constexpr Int3 kGroup = {128, 128, 64};
constexpr int kGridGroups = 65535;
constexpr int64_t kLocalBytes = 16 << 10;
constexpr int64_t kBlockBytes = int64_t{1} << 27;
constexpr int kAlignment = 256;
constexpr int kTextureUnits = 16;
// The guarantee of texture buffers, where it has them.
constexpr int64_t kTexels = 1 << 16;

// Clamped to low .. high; an error counts as `low`.
int64_t Limit(const GlFunctions& gl, GLenum what, int64_t low, int64_t high) {
  GLint64 value = 0;
  gl.GetInteger64v(what, &value);
  if (gl.GetError() != GL_NO_ERROR) return low;
  return std::clamp<int64_t>(value, low, high);
}

int AxisLimit(const GlFunctions& gl, GLenum what, int axis, int low, int high) {
  GLint value = 0;
  gl.GetIntegeri_v(what, static_cast<GLuint>(axis), &value);
  if (gl.GetError() != GL_NO_ERROR) return low;
  return std::clamp(value, low, high);
}

std::string Text(const GlFunctions& gl, GLenum what) {
  const auto* text = reinterpret_cast<const char*>(gl.GetString(what));
  return text != nullptr ? text : "";
}

bool HasTexelBuffers(const GlFunctions& gl) {
  const auto* extensions = reinterpret_cast<const char*>(gl.GetString(GL_EXTENSIONS));
  return gl.TexBufferRange != nullptr && (HasExtension(extensions, "GL_EXT_texture_buffer") ||
                                          HasExtension(extensions, "GL_OES_texture_buffer"));
}

}  // namespace

DeviceInfo ReadGlDeviceInfo(const GlFunctions& gl) {
  DeviceInfo info;
  info.api = "gles";
  info.name = Text(gl, GL_RENDERER);
  info.vendor = Text(gl, GL_VENDOR);
  info.half_math = info.vendor.find("Broadcom") == std::string::npos;  // VideoCore has floats alone
  info.driver = Text(gl, GL_VERSION);
  info.platform = Text(gl, GL_SHADING_LANGUAGE_VERSION);
  info.native_vector_width = 4;
  info.max_slice_width = 4;
  info.max_buffers =
      static_cast<int>(std::min(Limit(gl, GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, kBuffers, 64),
                                Limit(gl, GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, kBuffers, 64)));
  info.max_group_items =
      static_cast<int>(Limit(gl, GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS, kGroupItems, 4096));
  for (int axis = 0; axis < 3; ++axis) {
    info.max_group[axis] =
        std::min(AxisLimit(gl, GL_MAX_COMPUTE_WORK_GROUP_SIZE, axis, kGroup[axis], 4096),
                 info.max_group_items);
    info.max_grid_groups[axis] =
        AxisLimit(gl, GL_MAX_COMPUTE_WORK_GROUP_COUNT, axis, kGridGroups, INT32_MAX);
  }
  info.local_memory_bytes =
      Limit(gl, GL_MAX_COMPUTE_SHARED_MEMORY_SIZE, kLocalBytes, int64_t{16} << 20);
  info.max_buffer_bytes =
      Limit(gl, GL_MAX_SHADER_STORAGE_BLOCK_SIZE, kBlockBytes, int64_t{1} << 40);
  info.max_loop_iterations = MaxLoopIterations(info.name);
  // A low answer is the good one here. 64: a cache line.
  int64_t alignment = Limit(gl, GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, 64, int64_t{1} << 16);
  if (HasTexelBuffers(gl)) {
    info.max_texel_buffers =
        static_cast<int>(Limit(gl, GL_MAX_COMPUTE_TEXTURE_IMAGE_UNITS, kTextureUnits, 64));
    info.max_texels = Limit(gl, GL_MAX_TEXTURE_BUFFER_SIZE_EXT, kTexels, INT32_MAX);
    info.texel_forms = IsLlvmpipe(info.name);
    alignment = std::max(alignment,
                         Limit(gl, GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT_EXT, 64, int64_t{1} << 16));
  }
  info.buffer_alignment = static_cast<int>(std::bit_ceil(static_cast<uint32_t>(alignment)));
  static_assert(64 % kGlSliceBytes == 0);
  return info;
}

void LowerToMinimum(DeviceInfo& info) {
  info.max_buffers = kBuffers;
  info.max_group_items = kGroupItems;
  info.max_group = kGroup;
  info.max_grid_groups = {kGridGroups, kGridGroups, kGridGroups};
  info.local_memory_bytes = kLocalBytes;
  info.max_buffer_bytes = kBlockBytes;
  info.buffer_alignment = std::max(info.buffer_alignment, kAlignment);
  info.max_texel_buffers = 0;
}

}  // namespace tern::gpu
