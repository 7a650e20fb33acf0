// SPDX-License-Identifier: Apache-2.0
// A lost context stays lost: its status is kept, and nothing is called any more but deletions.
#include "gpu/backends/gles/gl_context.h"

#include <unistd.h>

#include <atomic>
#include <string>

#include "base/status.h"
#include "gpu/backends/gles/gl_error.h"

namespace tern::gpu {
namespace {

std::atomic<int> live_objects = 0;

// No two devices have the same, not of two processes either.
std::string MarkText() {
  static std::atomic<int> count = 0;
  return StrCat("// share group ", ++count, " of process ", getpid(), "\n");
}

}  // namespace

absl::StatusOr<std::shared_ptr<GlContext>> GlContext::Create(const GlFunctions& functions,
                                                             const ForeignContext& share) {
  std::shared_ptr<GlContext> made(new GlContext(functions, share));
  if (!made->alive()) return Unavailable(kNoThread);
  absl::Status status;
  made->thread_.Run([&] { status = made->Open(); });
  if (!status.ok()) return status;
  return made;
}

absl::Status GlContext::Open() {
  TERN_ASSIGN_OR_RETURN(egl_, shares() ? EglContext::CreateShared(functions_, share_)
                                       : EglContext::Create(functions_));
  if (!shares()) return absl::OkStatus();
  mark_text_ = MarkText();
  group_mark_ = functions_.CreateShader(GL_COMPUTE_SHADER);
  const char* text = mark_text_.c_str();
  functions_.ShaderSource(group_mark_, 1, &text, nullptr);
  functions_.Flush();
  return GlCheck(functions_, "the mark of the share group");
}

bool GlContext::SharesWithCurrent() const {
  if (!functions_.IsShader(group_mark_)) return false;
  char text[64] = {};
  GLsizei length = 0;
  functions_.GetShaderSource(group_mark_, sizeof(text), &length, text);
  return mark_text_ == text;
}

GlContext::~GlContext() {
  if (!thread_.alive()) {
    // The driver of a forked child is not to be called.
    (void)egl_.release();
    return;
  }
  thread_.Run([this] {
    if (group_mark_ != 0) functions_.DeleteShader(group_mark_);
    egl_.reset();
    functions_.egl.ReleaseThread();
  });
}

absl::Status GlContext::Run(const std::function<absl::Status()>& task) {
  if (!thread_.alive()) {
    return absl::FailedPreconditionError(
        "OpenGL ES cannot be used in a process forked after it started");
  }
  absl::Status status;
  thread_.Run([&] {
    if (lost_.ok()) {
      status = task();
      if (lost_.ok()) lost_ = CheckReset();  // a task within the task may have found it lost
    }
    if (lost_.ok()) return;
    is_lost_ = true;
    status = lost_;
  });
  return status;
}

void GlContext::Release(const std::function<void()>& task) {
  if (thread_.alive()) thread_.Run(task);
}

absl::Status GlContext::CheckReset() const {
  if (!egl_->reports_reset()) return absl::OkStatus();
  const GLenum reason = functions_.GetGraphicsResetStatus();
  if (reason == GL_NO_ERROR) return absl::OkStatus();
  return Unavailable("OpenGL ES: the context is lost (", GlErrorName(reason), ")");
}

GlHandle::GlHandle(std::shared_ptr<GlContext> context, GLuint name, Delete destroy)
    : context_(std::move(context)), name_(name), destroy_(destroy) {
  if (name_ != 0) ++live_objects;
}

GlHandle& GlHandle::operator=(GlHandle&& other) noexcept {
  std::swap(context_, other.context_);
  std::swap(name_, other.name_);
  std::swap(destroy_, other.destroy_);
  return *this;
}

GlHandle::~GlHandle() {
  if (name_ == 0) return;
  context_->Release([this] { destroy_(context_->gl(), name_); });
  --live_objects;
}

int GlHandle::live() { return live_objects; }

}  // namespace tern::gpu
