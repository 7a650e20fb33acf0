// SPDX-License-Identifier: Apache-2.0
// The declarations that differ from those of GLSL ES.
#include "gpu/languages/vulkan_language.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/str_cat.h"

namespace tern::gpu {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Signature WithUniforms(int count) {
  Signature signature;
  signature.group = {8, 4, 1};
  signature.buffers = {{"src", Element::kFloat32, false}, {"dst", Element::kFloat16, true}};
  for (int i = 0; i < count; ++i)
    signature.uniforms.push_back({.name = StrCat("u", i), .is_float = i % 2 == 1});
  return signature;
}

TEST(VulkanLanguage, WordsAreThoseOfGlslEsBehindTheVersion) {
  const Signature signature = WithUniforms(0);
  const std::string own = VulkanLanguage().Prelude(signature);
  const std::string es = GlslLanguage().Prelude(signature);
  EXPECT_THAT(own, StartsWith("#version 430\n#extension GL_EXT_shader_integer_mix : require\n"
                              "#define real float\n"));
  EXPECT_EQ(own.substr(own.find("#define")), es.substr(es.find("#define")));
}

TEST(VulkanLanguage, HalvesHaveTypesWhereTheDeviceDoes) {
  Signature signature = WithUniforms(0);
  signature.uses_half = true;
  EXPECT_THAT(VulkanLanguage().Declarations(signature), HasSubstr("{ uvec2 dst_data[]; }"));
  EXPECT_THAT(VulkanLanguage().Prelude(signature), HasSubstr("packHalf2x16"));
  signature.half_vectors = true;
  EXPECT_THAT(VulkanLanguage().Declarations(signature), HasSubstr("{ f16vec4 dst_data[]; }"));
  EXPECT_THAT(VulkanLanguage().Prelude(signature),
              StartsWith("#version 430\n#extension GL_EXT_shader_integer_mix : require\n"
                         "#extension GL_EXT_shader_16bit_storage : require\n"));
  EXPECT_THAT(VulkanLanguage().Prelude(signature), Not(HasSubstr("packHalf2x16")));
  EXPECT_THAT(GlslLanguage().Prelude(signature), HasSubstr("packHalf2x16"));
}

// All kinds of memory share the numbers of a set.
TEST(VulkanLanguage, TexelBuffersHaveTheNumberOfTheirPlace) {
  Signature signature = WithUniforms(33);
  signature.buffers.insert(signature.buffers.begin() + 1, signature.buffers[0]);
  signature.buffers[1].name = "wide";
  signature.buffers[1].texels = true;
  const std::string text = VulkanLanguage().Declarations(signature);
  EXPECT_THAT(text, HasSubstr("layout(std430, binding = 0) readonly buffer src_memory"));
  EXPECT_THAT(text, HasSubstr("layout(binding = 1) uniform highp samplerBuffer wide_data;"));
  EXPECT_THAT(text, HasSubstr("layout(std430, binding = 2) buffer dst_memory"));
  EXPECT_THAT(text, HasSubstr("layout(std140, binding = 3) uniform Uniforms {"));
  EXPECT_THAT(GlslLanguage().Declarations(signature),
              HasSubstr("layout(binding = 0) uniform highp samplerBuffer wide_data;"));
}

TEST(VulkanLanguage, TheGroupIsNoPartOfTheText) {
  Signature signature = WithUniforms(1);
  const std::string text = VulkanLanguage().Declarations(signature);
  EXPECT_THAT(text, StartsWith("layout(local_size_x_id = 0, local_size_y_id = 1, "
                               "local_size_z_id = 2) in;\n"));
  signature.group = {64, 1, 1};
  EXPECT_EQ(VulkanLanguage().Declarations(signature), text);
}

TEST(VulkanLanguage, UniformsArePushedAsLongAsEveryDeviceHasRoom) {
  EXPECT_THAT(VulkanLanguage().Declarations(WithUniforms(0)), Not(HasSubstr("uniform")));
  EXPECT_THAT(VulkanLanguage().Declarations(WithUniforms(2)),
              HasSubstr("layout(push_constant) uniform Uniforms { int u0; float u1; };\n"));
  EXPECT_THAT(VulkanLanguage().Declarations(WithUniforms(32)), HasSubstr("push_constant"));
  EXPECT_THAT(VulkanLanguage().Declarations(WithUniforms(33)),
              HasSubstr("layout(std140, binding = 2) uniform Uniforms { int u0; "));
}

}  // namespace
}  // namespace tern::gpu
