// SPDX-License-Identifier: Apache-2.0
// Compiles and links program text.
#include "gpu/backends/gles/gl_pipeline.h"

#include <algorithm>
#include <bit>
#include <string>

#include "base/status.h"
#include "gpu/backends/gles/gl_error.h"
#include "gpu/backends/gles/gl_language.h"

namespace tern::gpu {
namespace {

constexpr size_t kMaxLog = 4000;

// Shaders and programs are asked for their state and log by twin functions.
template <typename Get, typename GetLog>
absl::Status CheckBuilt(const char* what, GLuint object, GLenum state, Get get, GetLog get_log) {
  GLint built = GL_FALSE;
  get(object, state, &built);
  if (built == GL_TRUE) return absl::OkStatus();
  GLint size = 0;
  get(object, GL_INFO_LOG_LENGTH, &size);
  std::string log(static_cast<size_t>(std::max(size, 1)), '\0');
  get_log(object, size, nullptr, log.data());
  log.resize(std::min(log.find('\0'), log.size()));
  if (log.empty()) log = "no log";
  if (log.size() > kMaxLog) log = log.substr(0, kMaxLog) + "...";
  return absl::InternalError(StrCat(what, ": ", log));
}

absl::StatusOr<GlHandle> CompileShader(const std::shared_ptr<GlContext>& context,
                                       const std::string& text) {
  const GlFunctions& gl = context->gl();
  GlHandle shader(context, gl.CreateShader(GL_COMPUTE_SHADER),
                  [](const GlFunctions& functions, GLuint old) { functions.DeleteShader(old); });
  TERN_RETURN_IF_ERROR(GlCheck(gl, "glCreateShader"));
  const char* data = text.data();
  const GLint length = static_cast<GLint>(text.size());
  gl.ShaderSource(shader.get(), 1, &data, &length);
  gl.CompileShader(shader.get());
  TERN_RETURN_IF_ERROR(GlCheck(gl, "glCompileShader"));
  TERN_RETURN_IF_ERROR(CheckBuilt("glCompileShader", shader.get(), GL_COMPILE_STATUS,
                                  gl.GetShaderiv, gl.GetShaderInfoLog));
  return shader;
}

absl::StatusOr<GlProgram> Link(const std::shared_ptr<GlContext>& context, const std::string& text,
                               const Signature& signature) {
  const GlFunctions& gl = context->gl();
  TERN_ASSIGN_OR_RETURN(const GlHandle shader, CompileShader(context, text));
  GlProgram made;
  made.program =
      GlHandle(context, gl.CreateProgram(),
               [](const GlFunctions& functions, GLuint old) { functions.DeleteProgram(old); });
  const GLuint program = made.program.get();
  gl.AttachShader(program, shader.get());
  gl.LinkProgram(program);
  TERN_RETURN_IF_ERROR(GlCheck(gl, "glLinkProgram"));
  TERN_RETURN_IF_ERROR(
      CheckBuilt("glLinkProgram", program, GL_LINK_STATUS, gl.GetProgramiv, gl.GetProgramInfoLog));
  for (const Uniform& uniform : signature.uniforms)
    made.locations.push_back(gl.GetUniformLocation(program, uniform.name.c_str()));
  return made;
}

}  // namespace

absl::StatusOr<std::shared_ptr<GlPipeline>> GlPipeline::Build(
    const std::shared_ptr<GlContext>& context, const ProgramSource& source) {
  std::shared_ptr<GlPipeline> made(new GlPipeline(context, source));
  TERN_RETURN_IF_ERROR(
      context->Run([&] { return made->ForGroup(source.signature.group).status(); }));
  return made;
}

absl::StatusOr<const GlProgram*> GlPipeline::ForGroup(const Int3& group) {
  const auto known = programs_.find(group);
  if (known != programs_.end()) return &known->second;
  std::string text = source_.text;
  const std::string own = GlLanguage::GroupLine(source_.signature.group);
  const size_t at = text.find(own);
  if (at == std::string::npos) return Invalid("the program's text does not say its group");
  text.replace(at, own.size(), GlLanguage::GroupLine(group));
  TERN_ASSIGN_OR_RETURN(GlProgram program, Link(context_, text, source_.signature));
  return &programs_.emplace(group, std::move(program)).first->second;
}

void GlPipeline::Use(const GlProgram& program, const std::vector<uint32_t>& uniform_words) const {
  const GlFunctions& gl = context_->gl();
  gl.UseProgram(program.program.get());
  for (size_t i = 0; i < program.locations.size(); ++i) {
    if (source_.signature.uniforms[i].is_float) {
      gl.Uniform1f(program.locations[i], std::bit_cast<float>(uniform_words[i]));
    } else {
      gl.Uniform1i(program.locations[i], static_cast<GLint>(uniform_words[i]));
    }
  }
}

}  // namespace tern::gpu
