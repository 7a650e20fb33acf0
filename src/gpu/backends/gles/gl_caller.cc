// SPDX-License-Identifier: Apache-2.0
// A fence in the context of the application, for which the device's own waits.
#include "gpu/backends/gles/gl_caller.h"

#include <cstdio>
#include <string>

#include "base/status.h"
#include "gpu/backends/gles/gl_error.h"

namespace tern::gpu {
namespace {

std::string CurrentVersion(const GlFunctions& gl) {
  const auto* text = reinterpret_cast<const char*>(gl.GetString(GL_VERSION));
  return text != nullptr ? text : "";
}

// "OpenGL ES 3.2 and more words" as 32; 0 for other APIs.
int EsVersion(const std::string& text) {
  int major = 0, minor = 0;
  const bool known = std::sscanf(text.c_str(), "OpenGL ES %d.%d", &major, &minor) == 2;
  return known ? major * 10 + minor : 0;
}

constexpr int kNeededVersion = 31;

}  // namespace

absl::StatusOr<ForeignContext> CurrentContext(const GlFunctions& gl) {
  const ForeignContext current = {gl.egl.GetCurrentDisplay(), gl.egl.GetCurrentContext()};
  if (current.context == EGL_NO_CONTEXT)
    return absl::FailedPreconditionError("no EGL context is current on this thread");
  const std::string version = CurrentVersion(gl);
  if (EsVersion(version) >= kNeededVersion) return current;
  return absl::FailedPreconditionError(
      StrCat("the current context is one of ", version, ", OpenGL ES 3.1 is needed"));
}

CallerFence::CallerFence(const GlContext& context) : gl_(context.gl()) {
  if (!context.shares() || !context.alive()) return;
  if (gl_.egl.GetCurrentContext() == EGL_NO_CONTEXT ||
      gl_.egl.GetCurrentDisplay() != context.share_display()) {
    return;
  }
  const int version = EsVersion(CurrentVersion(gl_));
  if (version == 0) return;
  if (version < kNeededVersion) {
    // A context of an old version cannot say whether it belongs to the group.
    gl_.Finish();
    return;
  }
  if (!context.SharesWithCurrent()) return;
  in_group_ = true;
  gl_.MemoryBarrier(GL_ALL_BARRIER_BITS);
  fence_ = gl_.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (fence_ != nullptr) {
    gl_.Flush();
  } else {
    gl_.Finish();
  }
}

CallerFence::~CallerFence() {
  if (fence_ != nullptr) gl_.DeleteSync(fence_);
}

absl::Status CallerFence::Wait() const {
  if (fence_ == nullptr) return absl::OkStatus();
  gl_.WaitSync(fence_, 0, GL_TIMEOUT_IGNORED);
  return GlCheck(gl_, "glWaitSync");
}

}  // namespace tern::gpu
