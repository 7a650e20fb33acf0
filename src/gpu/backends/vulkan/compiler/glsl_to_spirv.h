// SPDX-License-Identifier: Apache-2.0
// The one function of the library tern_glslang, which holds the compiler: programs that only run
// what was saved do without it.
#ifndef TERN_GPU_BACKENDS_VULKAN_COMPILER_GLSL_TO_SPIRV_H_
#define TERN_GPU_BACKENDS_VULKAN_COMPILER_GLSL_TO_SPIRV_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Takes the SPIR-V, or where there is none the compiler's log; called once, before the function
// below returns, with memory of that function.
typedef void (*TernSpirvTaker)(void* context, const uint32_t* words, size_t count, const char* log);

// Compiles a compute shader for Vulkan 1.1. Any thread may call it.
typedef void (*TernGlslToSpirvFunction)(const char* text, TernSpirvTaker take, void* context);
void TernGlslToSpirv(const char* text, TernSpirvTaker take, void* context);

#ifdef __cplusplus
}
#endif

#endif  // TERN_GPU_BACKENDS_VULKAN_COMPILER_GLSL_TO_SPIRV_H_
