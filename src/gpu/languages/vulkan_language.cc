// SPDX-License-Identifier: Apache-2.0
// Numbers of one word lie side by side in a block of either layout.
#include "gpu/languages/vulkan_language.h"

#include "base/str_cat.h"

namespace tern::gpu {

std::string VulkanLanguage::Head() const { return "#version 450\n"; }

std::string VulkanLanguage::GroupSize(const Int3& /*group*/) const {
  return "layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z_id = 2) in;\n";
}

std::string VulkanLanguage::Uniforms(const Signature& signature) const {
  if (signature.uniforms.empty()) return "";
  const std::string layout = PushesUniforms(signature.uniforms.size())
                                 ? "push_constant"
                                 : StrCat("std140, binding = ", signature.buffers.size());
  std::string text = StrCat("layout(", layout, ") uniform Uniforms {");
  for (const Uniform& uniform : signature.uniforms) text += StrCat(" ", Member(uniform));
  return text + " };\n";
}

}  // namespace tern::gpu
