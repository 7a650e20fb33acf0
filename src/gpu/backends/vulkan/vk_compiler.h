// SPDX-License-Identifier: Apache-2.0
// The compiler of program texts, a library of its own that is loaded when the first text comes: a
// start from saved programs needs none.
#ifndef TERN_GPU_BACKENDS_VULKAN_VK_COMPILER_H_
#define TERN_GPU_BACKENDS_VULKAN_VK_COMPILER_H_

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/backends/vulkan/compiler/glsl_to_spirv.h"

namespace tern::gpu {

using Spirv = std::vector<uint32_t>;

// Where the library may be, best place first: beside the library or program that this code is in,
// in the folder tern there, in the folder lib beside that folder, and where the system looks.
std::vector<std::string> VulkanCompilerNames();

class VulkanCompiler {
 public:
  explicit VulkanCompiler(std::vector<std::string> names) : names_(std::move(names)) {}

  // Any thread may call it. The error of a text that does not compile carries the beginning of the
  // log. Unavailable: the library is not there.
  absl::StatusOr<Spirv> Compile(const std::string& text);

 private:
  absl::StatusOr<TernGlslToSpirvFunction> Function();

  const std::vector<std::string> names_;
  std::mutex mutex_;
  TernGlslToSpirvFunction function_ = nullptr;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_VULKAN_VK_COMPILER_H_
