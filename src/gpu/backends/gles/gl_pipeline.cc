// SPDX-License-Identifier: Apache-2.0
// Compiles and links program text, and takes what was linked.
#include "gpu/backends/gles/gl_pipeline.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <utility>

#include "base/status.h"
#include "gpu/backends/gles/gl_error.h"

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
  if (log.size() > kMaxLog) log.replace(kMaxLog, std::string::npos, "...");
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

GlHandle NewProgram(const std::shared_ptr<GlContext>& context) {
  return GlHandle(context, context->gl().CreateProgram(),
                  [](const GlFunctions& functions, GLuint old) { functions.DeleteProgram(old); });
}

// The program, once the driver has taken its text or its binary.
absl::StatusOr<GlProgram> Linked(const GlFunctions& gl, GlHandle program,
                                 const Signature& signature, const char* what) {
  GlProgram made;
  made.program = std::move(program);
  const GLuint name = made.program.get();
  TERN_RETURN_IF_ERROR(GlCheck(gl, what));
  TERN_RETURN_IF_ERROR(
      CheckBuilt(what, name, GL_LINK_STATUS, gl.GetProgramiv, gl.GetProgramInfoLog));
  for (const Uniform& uniform : signature.uniforms)
    made.locations.push_back(gl.GetUniformLocation(name, uniform.name.c_str()));
  return made;
}

absl::StatusOr<GlProgram> Link(const std::shared_ptr<GlContext>& context, const std::string& text,
                               const Signature& signature) {
  const GlFunctions& gl = context->gl();
  TERN_ASSIGN_OR_RETURN(const GlHandle shader, CompileShader(context, text));
  GlHandle program = NewProgram(context);
  gl.ProgramParameteri(program.get(), GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
  gl.AttachShader(program.get(), shader.get());
  gl.LinkProgram(program.get());
  return Linked(gl, std::move(program), signature, "glLinkProgram");
}

absl::StatusOr<GlProgram> FromBinary(const std::shared_ptr<GlContext>& context,
                                     const ProgramBinary& binary, const Signature& signature) {
  const GlFunctions& gl = context->gl();
  GlHandle program = NewProgram(context);
  gl.ProgramParameteri(program.get(), GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
  gl.ProgramBinary(program.get(), binary.format, binary.bytes->data(),
                   static_cast<GLsizei>(binary.bytes->size()));
  TERN_ASSIGN_OR_RETURN(GlProgram made,
                        Linked(gl, std::move(program), signature, "glProgramBinary"));
  GLint group[3] = {};
  gl.GetProgramiv(made.program.get(), GL_COMPUTE_WORK_GROUP_SIZE, group);
  TERN_RETURN_IF_ERROR(GlCheck(gl, "glGetProgramiv"));
  if (Int3{group[0], group[1], group[2]} != signature.group)
    return Invalid("the program binary has groups of another size");
  return made;
}

absl::StatusOr<ProgramBinary> BinaryOf(const GlFunctions& gl, GLuint program) {
  GLint bytes = 0;
  gl.GetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &bytes);
  TERN_RETURN_IF_ERROR(GlCheck(gl, "glGetProgramiv"));
  if (bytes <= 0) return ProgramBinary();
  std::vector<uint8_t> content(static_cast<size_t>(bytes));
  GLsizei written = 0;
  GLenum format = 0;
  gl.GetProgramBinary(program, bytes, &written, &format, content.data());
  TERN_RETURN_IF_ERROR(GlCheck(gl, "glGetProgramBinary"));
  content.resize(static_cast<size_t>(std::clamp(written, 0, bytes)));
  return ProgramBinary{format, 0, std::make_shared<std::vector<uint8_t>>(std::move(content))};
}

}  // namespace

absl::StatusOr<std::shared_ptr<GlPipeline>> GlPipeline::Build(
    const std::shared_ptr<GlContext>& context, const ProgramSource& source) {
  std::shared_ptr<GlPipeline> made(new GlPipeline(context, source.signature));
  TERN_RETURN_IF_ERROR(context->Run([&]() -> absl::Status {
    TERN_ASSIGN_OR_RETURN(made->program_, Link(context, source.text, source.signature));
    return absl::OkStatus();
  }));
  return made;
}

absl::StatusOr<std::shared_ptr<GlPipeline>> GlPipeline::Load(
    const std::shared_ptr<GlContext>& context, const ProgramSource& source,
    const ProgramBinary& binary) {
  if (binary.bytes == nullptr) return Invalid("there is no program binary");
  std::shared_ptr<GlPipeline> made(new GlPipeline(context, source.signature));
  TERN_RETURN_IF_ERROR(context->Run([&]() -> absl::Status {
    TERN_ASSIGN_OR_RETURN(made->program_, FromBinary(context, binary, source.signature));
    return absl::OkStatus();
  }));
  return made;
}

absl::StatusOr<ProgramBinary> GlPipeline::Binary() const {
  ProgramBinary binary;
  TERN_RETURN_IF_ERROR(context_->Run([&]() -> absl::Status {
    TERN_ASSIGN_OR_RETURN(binary, BinaryOf(context_->gl(), program_.program.get()));
    return absl::OkStatus();
  }));
  if (binary.bytes == nullptr) return Pipeline::Binary();
  return binary;
}

void GlPipeline::Use(const std::vector<uint32_t>& uniform_words) const {
  const GlFunctions& gl = context_->gl();
  gl.UseProgram(program_.program.get());
  for (size_t i = 0; i < program_.locations.size(); ++i) {
    if (signature_.uniforms[i].is_float) {
      gl.Uniform1f(program_.locations[i], std::bit_cast<float>(uniform_words[i]));
    } else {
      gl.Uniform1i(program_.locations[i], static_cast<GLint>(uniform_words[i]));
    }
  }
}

}  // namespace tern::gpu
