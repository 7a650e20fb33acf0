// SPDX-License-Identifier: Apache-2.0
// glslang over its C++ interface: that in C scans and checks each text twice, once to preprocess
// it, and takes 1.6 times as long.
#include "gpu/backends/vulkan/compiler/glsl_to_spirv.h"

#include <glslang/Public/ShaderLang.h>
#if __has_include(<glslang/SPIRV/GlslangToSpv.h>)
#include <glslang/SPIRV/GlslangToSpv.h>
#else  // in glslang's own source tree
#include <SPIRV/GlslangToSpv.h>
#endif

#include <string>
#include <vector>

namespace {

constexpr int kVersion = 430;

// Limits are checked by the device; the compiler only compares with these.
constexpr int kNoLimit = 1 << 30;

TBuiltInResource Resources() {
  TBuiltInResource resources = {};
  resources.maxComputeWorkGroupCountX = kNoLimit;
  resources.maxComputeWorkGroupCountY = kNoLimit;
  resources.maxComputeWorkGroupCountZ = kNoLimit;
  resources.maxComputeWorkGroupSizeX = kNoLimit;
  resources.maxComputeWorkGroupSizeY = kNoLimit;
  resources.maxComputeWorkGroupSizeZ = kNoLimit;
  resources.limits.nonInductiveForLoops = true;
  resources.limits.whileLoops = true;
  resources.limits.doWhileLoops = true;
  resources.limits.generalUniformIndexing = true;
  resources.limits.generalAttributeMatrixVectorIndexing = true;
  resources.limits.generalVaryingIndexing = true;
  resources.limits.generalSamplerIndexing = true;
  resources.limits.generalVariableIndexing = true;
  resources.limits.generalConstantMatrixVectorIndexing = true;
  return resources;
}

void Compile(const char* text, TernSpirvTaker take, void* context) {
  static const bool ready = glslang::InitializeProcess();
  static const TBuiltInResource resources = Resources();
  const auto refuse = [&](const std::string& log) {
    take(context, nullptr, 0, log.empty() ? "glslang gives no log" : log.c_str());
  };
  if (!ready) return refuse("glslang does not start");
  constexpr auto kMessages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);
  glslang::TShader shader(EShLangCompute);
  shader.setStrings(&text, 1);
  shader.setEnvInput(glslang::EShSourceGlsl, EShLangCompute, glslang::EShClientVulkan, kVersion);
  shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_1);
  shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_3);
  if (!shader.parse(&resources, kVersion, false, kMessages)) return refuse(shader.getInfoLog());
  glslang::TProgram program;  // goes before its shader
  program.addShader(&shader);
  if (!program.link(kMessages)) return refuse(program.getInfoLog());
  glslang::SpvOptions options;
  options.disableOptimizer = true;  // drivers have theirs
  std::vector<unsigned> words;
  glslang::GlslangToSpv(*program.getIntermediate(EShLangCompute), words, &options);
  if (words.empty()) return refuse("glslang gives no SPIR-V");
  take(context, words.data(), words.size(), nullptr);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) void TernGlslToSpirv(const char* text,
                                                                       TernSpirvTaker take,
                                                                       void* context) {
  // The compiler is built with exceptions (no memory), and callers are without.
  try {
    Compile(text, take, context);
  } catch (...) {
    take(context, nullptr, 0, "glslang failed: no memory");
  }
}
