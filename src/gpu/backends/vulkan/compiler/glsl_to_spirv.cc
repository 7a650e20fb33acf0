// SPDX-License-Identifier: Apache-2.0
// glslang over its C interface, which is the same in all its versions.
#include "gpu/backends/vulkan/compiler/glsl_to_spirv.h"

#include <glslang/Include/glslang_c_interface.h>

#include <string>

namespace {

// Limits are checked by the device; the compiler only compares with these.
constexpr int kNoLimit = 1 << 30;

glslang_resource_t Resources() {
  glslang_resource_t limits = {};
  limits.max_compute_work_group_count_x = kNoLimit;
  limits.max_compute_work_group_count_y = kNoLimit;
  limits.max_compute_work_group_count_z = kNoLimit;
  limits.max_compute_work_group_size_x = kNoLimit;
  limits.max_compute_work_group_size_y = kNoLimit;
  limits.max_compute_work_group_size_z = kNoLimit;
  limits.limits.non_inductive_for_loops = true;
  limits.limits.while_loops = true;
  limits.limits.do_while_loops = true;
  limits.limits.general_uniform_indexing = true;
  limits.limits.general_attribute_matrix_vector_indexing = true;
  limits.limits.general_varying_indexing = true;
  limits.limits.general_sampler_indexing = true;
  limits.limits.general_variable_indexing = true;
  limits.limits.general_constant_matrix_vector_indexing = true;
  return limits;
}

class Shader {
 public:
  explicit Shader(const glslang_input_t& input) : shader_(glslang_shader_create(&input)) {}
  ~Shader() {
    if (shader_ != nullptr) glslang_shader_delete(shader_);
  }
  Shader(const Shader&) = delete;
  Shader& operator=(const Shader&) = delete;
  glslang_shader_t* get() const { return shader_; }

 private:
  glslang_shader_t* const shader_;
};

// Goes before its shader.
class Program {
 public:
  Program() : program_(glslang_program_create()) {}
  ~Program() { glslang_program_delete(program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  glslang_program_t* get() const { return program_; }

 private:
  glslang_program_t* const program_;
};

void Compile(const char* text, TernSpirvTaker take, void* context) {
  static const bool ready = glslang_initialize_process() != 0;
  static const glslang_resource_t resources = Resources();
  const auto refuse = [&](const char* log) {
    take(context, nullptr, 0, log != nullptr && *log != '\0' ? log : "glslang gives no log");
  };
  if (!ready) return refuse("glslang does not start");
  glslang_input_t input = {};
  input.language = GLSLANG_SOURCE_GLSL;
  input.stage = GLSLANG_STAGE_COMPUTE;
  input.client = GLSLANG_CLIENT_VULKAN;
  input.client_version = GLSLANG_TARGET_VULKAN_1_1;
  input.target_language = GLSLANG_TARGET_SPV;
  input.target_language_version = GLSLANG_TARGET_SPV_1_3;
  input.code = text;
  input.default_version = 430;
  input.default_profile = GLSLANG_NO_PROFILE;
  input.messages =
      static_cast<glslang_messages_t>(GLSLANG_MSG_SPV_RULES_BIT | GLSLANG_MSG_VULKAN_RULES_BIT);
  input.resource = &resources;
  const Shader shader(input);
  if (shader.get() == nullptr) return refuse("glslang gives no shader");
  if (glslang_shader_preprocess(shader.get(), &input) == 0 ||
      glslang_shader_parse(shader.get(), &input) == 0) {
    return refuse(glslang_shader_get_info_log(shader.get()));
  }
  const Program program;
  glslang_program_add_shader(program.get(), shader.get());
  if (glslang_program_link(program.get(), input.messages) == 0)
    return refuse(glslang_program_get_info_log(program.get()));
  glslang_program_SPIRV_generate(program.get(), GLSLANG_STAGE_COMPUTE);
  const size_t count = glslang_program_SPIRV_get_size(program.get());
  if (count == 0) return refuse(glslang_program_SPIRV_get_messages(program.get()));
  take(context, glslang_program_SPIRV_get_ptr(program.get()), count, nullptr);
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
