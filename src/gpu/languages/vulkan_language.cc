// SPDX-License-Identifier: Apache-2.0
// Numbers of one word lie side by side in a block of either layout.
#include "gpu/languages/vulkan_language.h"

#include "base/str_cat.h"

namespace tern::gpu {

namespace {

// Memory of 16 bits is only converted: a program has no variables, parameters or lanes of it.
constexpr char kHalfTypes[] = R"(#define from_halves(V) vec4(V)
#define to_halves(V) f16vec4(V)
#define LOAD_HALF(M, I) vec4(M[(I) >> 2])[(I) & 3]
#define STORE_HALF(M, I, V) { \
  int half_at = I; \
  float half_value = V; \
  if ((half_at & 3) == 0) M[half_at >> 2].x = float16_t(half_value); \
  else if ((half_at & 3) == 1) M[half_at >> 2].y = float16_t(half_value); \
  else if ((half_at & 3) == 2) M[half_at >> 2].z = float16_t(half_value); \
  else M[half_at >> 2].w = float16_t(half_value); }
)";

bool HasHalfTypes(const Signature& signature) {
  return signature.uses_half && signature.half_vectors;
}

}  // namespace

// The first version with compute shaders: glslang declares the functions of a version before its
// first text, which takes half as long as with 450.
std::string VulkanLanguage::Head(const Signature& signature) const {
  return StrCat(
      "#version 430\n#extension GL_EXT_shader_integer_mix : require\n",
      HasHalfTypes(signature) ? "#extension GL_EXT_shader_16bit_storage : require\n" : "");
}

std::string VulkanLanguage::HalfSlice(const Signature& signature) const {
  return HasHalfTypes(signature) ? "f16vec4" : GlslLanguage::HalfSlice(signature);
}

std::string VulkanLanguage::HalfWords(const Signature& signature) const {
  return HasHalfTypes(signature) ? kHalfTypes : GlslLanguage::HalfWords(signature);
}

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
