// SPDX-License-Identifier: Apache-2.0
// Readings of the GPU's clock between launches, by GL_EXT_disjoint_timer_query. Lives on the thread
// of its context.
#ifndef TERN_GPU_BACKENDS_GLES_GL_TIMER_H_
#define TERN_GPU_BACKENDS_GLES_GL_TIMER_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/backends/gles/gl_library.h"
#include "gpu/device/device.h"

namespace tern::gpu {

class GlTimer {
 public:
  // For so many launches. Unimplemented: the context has no such clock.
  static absl::StatusOr<std::unique_ptr<GlTimer>> Create(const GlFunctions& gl, size_t launches);
  ~GlTimer();
  GlTimer(const GlTimer&) = delete;
  GlTimer& operator=(const GlTimer&) = delete;

  // Notes the time at which all that was asked for before is done: once before the first launch and
  // once after each.
  void Stamp();
  // After all launches have finished; none where the clock was disturbed since Create.
  absl::StatusOr<std::vector<LaunchTime>> Times() const;

 private:
  GlTimer(const GlFunctions& gl, size_t launches) : gl_(gl), queries_(launches + 1) {}

  const GlFunctions& gl_;
  std::vector<GLuint> queries_;
  size_t next_ = 0;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_GLES_GL_TIMER_H_
