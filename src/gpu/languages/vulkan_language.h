// SPDX-License-Identifier: Apache-2.0
// Kernels printed as GLSL for Vulkan 1.1: the text of GLSL ES with other declarations. The group is
// no part of it, and uniforms come as one block.
#ifndef TERN_GPU_LANGUAGES_VULKAN_LANGUAGE_H_
#define TERN_GPU_LANGUAGES_VULKAN_LANGUAGE_H_

#include <cstddef>
#include <string>

#include "gpu/languages/glsl_language.h"

namespace tern::gpu {

class VulkanLanguage : public GlslLanguage {
 public:
  // Push constants of every device have room for so many uniforms, of one word each. More of them
  // are a uniform block, in the binding behind the buffers and in the same layout.
  static constexpr size_t kMaxPushedUniforms = 32;
  static bool PushesUniforms(size_t uniforms) { return uniforms <= kMaxPushedUniforms; }

 protected:
  std::string Head(const Signature& signature) const override;
  int BindingNumber(int place, int /*of_kind*/) const override { return place; }
  // Of Vulkan's own 16 bits, where the device has them: no atomic changes half a word.
  std::string HalfSlice(const Signature& signature) const override;
  std::string HalfWords(const Signature& signature) const override;
  // Specialization constants 0, 1 and 2.
  std::string GroupSize(const Int3& group) const override;
  std::string Uniforms(const Signature& signature) const override;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_LANGUAGES_VULKAN_LANGUAGE_H_
