// SPDX-License-Identifier: Apache-2.0
// Every method is a task for the context's thread; a wait is several.
#include "gpu/backends/gles/gl_device.h"

#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "base/status.h"
#include "gpu/backends/gles/gl_caller.h"
#include "gpu/backends/gles/gl_commands.h"
#include "gpu/backends/gles/gl_context.h"
#include "gpu/backends/gles/gl_device_info.h"
#include "gpu/backends/gles/gl_error.h"
#include "gpu/backends/gles/gl_memory.h"
#include "gpu/backends/gles/gl_pipeline.h"
#include "gpu/backends/gles/gl_thread.h"
#include "gpu/backends/gles/gl_timer.h"
#include "gpu/device/launch_checks.h"
#include "gpu/device/own_objects.h"
#include "gpu/languages/glsl_language.h"

namespace tern::gpu {
namespace {

constexpr GLuint64 kStepNanoseconds = 1000 * 1000;

class GlDevice : public Device {
 public:
  GlDevice(std::shared_ptr<GlContext> context, DeviceInfo info)
      : context_(std::move(context)), info_(std::move(info)) {}

  const DeviceInfo& info() const override { return info_; }
  const Language& language() const override { return language_; }

  absl::StatusOr<std::shared_ptr<Buffer>> CreateBuffer(int64_t bytes) override {
    TERN_RETURN_IF_ERROR(CheckBufferSize(bytes, info_));
    TERN_ASSIGN_OR_RETURN(std::shared_ptr<Buffer> buffer, GlBuffer::Create(context_, bytes, info_));
    return buffer;
  }

  absl::Status Upload(const BufferRange& to, const void* from, int64_t bytes) override {
    TERN_ASSIGN_OR_RETURN(const GlBuffer* buffer, CheckRange<GlBuffer>(to, bytes, context_.get()));
    if (bytes == 0) return absl::OkStatus();
    auto upload = [&] { return buffer->Upload(to.offset, from, bytes); };
    return buffer->imported() ? RunAfterCaller(upload) : context_->Run(upload);
  }

  absl::Status Download(const BufferRange& from, void* to, int64_t bytes) override {
    TERN_ASSIGN_OR_RETURN(const GlBuffer* buffer,
                          CheckRange<GlBuffer>(from, bytes, context_.get()));
    if (bytes == 0) return absl::OkStatus();
    if (submitted_) TERN_RETURN_IF_ERROR(Wait());
    auto download = [&] { return buffer->Download(from.offset, to, bytes); };
    return buffer->imported() ? RunAfterCaller(download) : context_->Run(download);
  }

  absl::StatusOr<BufferRange> Import(const SharedBuffer& given) override {
    if (!context_->shares()) return Device::Import(given);
    if (given.number == 0 || given.number > std::numeric_limits<GLuint>::max())
      return Invalid("there is no buffer ", given.number);
    const CallerFence fence(*context_);
    if (!fence.in_group()) {
      return absl::FailedPreconditionError(
          "the context that is current on this thread shares no buffers with the device");
    }
    BufferRange range;
    TERN_RETURN_IF_ERROR(context_->Run([&]() -> absl::Status {
      TERN_RETURN_IF_ERROR(fence.Wait());
      TERN_RETURN_IF_ERROR(Wait());
      TERN_ASSIGN_OR_RETURN(std::shared_ptr<GlBuffer> buffer,
                            GlBuffer::Import(context_, static_cast<GLuint>(given.number)));
      range = {buffer, 0, buffer->bytes()};
      return absl::OkStatus();
    }));
    return range;
  }

  absl::StatusOr<std::shared_ptr<Pipeline>> Compile(const ProgramSource& source) override {
    TERN_ASSIGN_OR_RETURN(std::shared_ptr<Pipeline> pipeline, GlPipeline::Build(context_, source));
    return pipeline;
  }

  absl::StatusOr<std::shared_ptr<Pipeline>> Load(const ProgramSource& source,
                                                 const ProgramBinary& binary) override {
    TERN_ASSIGN_OR_RETURN(std::shared_ptr<Pipeline> pipeline,
                          GlPipeline::Load(context_, source, binary));
    return pipeline;
  }

  absl::StatusOr<std::unique_ptr<Commands>> Record(const std::vector<Launch>& launches) override {
    TERN_ASSIGN_OR_RETURN(std::unique_ptr<Commands> commands,
                          GlCommands::Record(context_, info_, launches));
    return commands;
  }

  absl::Status Submit(Commands& commands) override {
    TERN_ASSIGN_OR_RETURN(GlCommands * mine, CheckCommands<GlCommands>(commands, context_.get()));
    submitted_ = true;
    return RunAfterCaller([&] { return mine->Submit(); });
  }

  absl::StatusOr<std::vector<LaunchTime>> RunTimed(Commands& commands) override {
    TERN_ASSIGN_OR_RETURN(GlCommands * mine, CheckCommands<GlCommands>(commands, context_.get()));
    std::vector<LaunchTime> times;
    TERN_RETURN_IF_ERROR(RunAfterCaller([&]() -> absl::Status {
      TERN_ASSIGN_OR_RETURN(const std::unique_ptr<GlTimer> timer,
                            GlTimer::Create(context_->gl(), mine->size()));
      TERN_RETURN_IF_ERROR(mine->Submit(timer.get()));
      TERN_RETURN_IF_ERROR(Wait());
      TERN_ASSIGN_OR_RETURN(times, timer->Times());
      return absl::OkStatus();
    }));
    return times;
  }

  // In steps: others use the thread between them, and a lost context may never signal its fence.
  absl::Status Wait() override {
    submitted_ = false;
    const GlFunctions& gl = context_->gl();
    GLsync fence = nullptr;
    GLenum state = GL_TIMEOUT_EXPIRED;
    absl::Status status;
    while (state == GL_TIMEOUT_EXPIRED && status.ok()) {
      status = context_->Run([&]() -> absl::Status {
        if (fence == nullptr) fence = gl.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        TERN_RETURN_IF_ERROR(GlCheck(gl, "glFenceSync"));
        state = gl.ClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, kStepNanoseconds);
        if (state != GL_TIMEOUT_EXPIRED) gl.DeleteSync(fence);
        TERN_RETURN_IF_ERROR(GlCheck(gl, "glClientWaitSync"));
        if (state == GL_WAIT_FAILED) return absl::InternalError("glClientWaitSync: failed");
        return absl::OkStatus();
      });
    }
    return status;
  }

  // All queues share the context and its one order; each knows whether its own work was waited for.
  std::shared_ptr<Queue> NewQueue() override { return std::make_shared<GlDevice>(context_, info_); }

  bool lost() const override { return context_->lost(); }

 private:
  // A task that comes after what the application asked for on the calling thread.
  absl::Status RunAfterCaller(const std::function<absl::Status()>& task) {
    const CallerFence fence(*context_);
    return context_->Run([&]() -> absl::Status {
      TERN_RETURN_IF_ERROR(fence.Wait());
      return task();
    });
  }

  std::atomic<bool> submitted_ = false;  // since the last wait
  const std::shared_ptr<GlContext> context_;
  const DeviceInfo info_;
  const GlslLanguage language_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<Device>> OpenGlesDevice(const GlFunctions& functions,
                                                       const GlesOptions& options) {
  ForeignContext share;
  if (options.share_current) {
    TERN_ASSIGN_OR_RETURN(share, CurrentContext(functions));
  }
  TERN_ASSIGN_OR_RETURN(std::shared_ptr<GlContext> context, GlContext::Create(functions, share));
  DeviceInfo info;
  TERN_RETURN_IF_ERROR(context->Run([&] {
    info = ReadGlDeviceInfo(functions);
    return absl::OkStatus();
  }));
  if (options.minimum_limits) LowerToMinimum(info);
  return std::make_shared<GlDevice>(std::move(context), std::move(info));
}

absl::StatusOr<std::shared_ptr<Device>> OpenGlesDevice(const GlesOptions& options) {
  // Another thread loads: EGL's last error on this one is the application's.
  GlThread loader;
  if (!loader.alive()) return Unavailable(kNoThread);
  absl::StatusOr<GlFunctions> functions;
  loader.Run([&] { functions = LoadGlFunctions(EglLibraryNames(), GlesLibraryNames()); });
  if (!functions.ok()) return functions.status();
  return OpenGlesDevice(*functions, options);
}

}  // namespace tern::gpu
