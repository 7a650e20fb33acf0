// SPDX-License-Identifier: Apache-2.0
// A query object for each reading.
#include "gpu/backends/gles/gl_timer.h"

#include "base/status.h"
#include "gpu/backends/gles/gl_error.h"

namespace tern::gpu {
namespace {

bool HasClock(const GlFunctions& gl) {
  const auto* extensions = reinterpret_cast<const char*>(gl.GetString(GL_EXTENSIONS));
  if (!HasExtension(extensions, "GL_EXT_disjoint_timer_query")) return false;
  const bool complete = gl.GenQueries != nullptr && gl.DeleteQueries != nullptr &&
                        gl.GetQueryiv != nullptr && gl.GetQueryObjectui64v != nullptr &&
                        gl.QueryCounter != nullptr;
  if (!complete) return false;
  GLint bits = 0;  // a driver may have spans only
  gl.GetQueryiv(GL_TIMESTAMP_EXT, GL_QUERY_COUNTER_BITS_EXT, &bits);
  return bits > 0;
}

// Whether the clock stopped or jumped since this was asked last.
bool Disjoint(const GlFunctions& gl) {
  GLint64 disjoint = 0;
  gl.GetInteger64v(GL_GPU_DISJOINT_EXT, &disjoint);
  return disjoint != 0;
}

}  // namespace

absl::StatusOr<std::unique_ptr<GlTimer>> GlTimer::Create(const GlFunctions& gl, size_t launches) {
  if (!HasClock(gl))
    return absl::UnimplementedError("the OpenGL ES context tells no times of launches");
  std::unique_ptr<GlTimer> timer(new GlTimer(gl, launches));
  gl.GenQueries(static_cast<GLsizei>(timer->queries_.size()), timer->queries_.data());
  (void)Disjoint(gl);
  TERN_RETURN_IF_ERROR(GlCheck(gl, "glGenQueriesEXT"));
  return timer;
}

GlTimer::~GlTimer() { gl_.DeleteQueries(static_cast<GLsizei>(queries_.size()), queries_.data()); }

void GlTimer::Stamp() {
  if (next_ < queries_.size()) gl_.QueryCounter(queries_[next_++], GL_TIMESTAMP_EXT);
}

absl::StatusOr<std::vector<LaunchTime>> GlTimer::Times() const {
  std::vector<GLuint64> readings(next_);
  for (size_t i = 0; i < next_; ++i)
    gl_.GetQueryObjectui64v(queries_[i], GL_QUERY_RESULT_EXT, &readings[i]);
  const bool disjoint = Disjoint(gl_);
  TERN_RETURN_IF_ERROR(GlCheck(gl_, "glGetQueryObjectui64vEXT"));
  std::vector<LaunchTime> times;
  if (disjoint) return times;
  for (size_t i = 1; i < next_; ++i)
    times.push_back(LaunchTime::Between(readings[0], readings[i - 1], readings[i]));
  return times;
}

}  // namespace tern::gpu
