// SPDX-License-Identifier: Apache-2.0
// In-order queues: launches need no events, and reading waits for what was launched before.
#include "gpu/backends/opencl/cl_device.h"

#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

#include "base/status.h"
#include "gpu/backends/opencl/cl_commands.h"
#include "gpu/backends/opencl/cl_context.h"
#include "gpu/backends/opencl/cl_device_info.h"
#include "gpu/backends/opencl/cl_error.h"
#include "gpu/backends/opencl/cl_memory.h"
#include "gpu/backends/opencl/cl_pipeline.h"
#include "gpu/device/device_choice.h"
#include "gpu/device/launch_checks.h"
#include "gpu/device/own_objects.h"
#include "gpu/languages/opencl_language.h"

namespace tern::gpu {
namespace {

class ClDevice : public Device {
 public:
  ClDevice(std::shared_ptr<ClContext> context, ClHandle<cl_command_queue> queue, DeviceInfo info)
      : context_(std::move(context)), queue_(std::move(queue)), info_(std::move(info)) {}

  const DeviceInfo& info() const override { return info_; }
  const Language& language() const override { return language_; }

  absl::StatusOr<std::shared_ptr<Buffer>> CreateBuffer(int64_t bytes) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_RETURN_IF_ERROR(CheckBufferSize(bytes, info_));
    const bool host_memory = info_.device_class == DeviceClass::kCpu;
    TERN_ASSIGN_OR_RETURN(std::shared_ptr<Buffer> buffer,
                          ClBuffer::Create(context_, bytes, host_memory));
    return buffer;
  }

  absl::Status Upload(const BufferRange& to, const void* from, int64_t bytes) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(const ClBuffer* buffer, CheckRange<ClBuffer>(to, bytes, context_.get()));
    if (bytes == 0) return absl::OkStatus();
    cl_event done = nullptr;
    const cl_int code = context_->cl().EnqueueWriteBuffer(
        queue_.get(), buffer->memory(), CL_TRUE, static_cast<size_t>(to.offset),
        static_cast<size_t>(bytes), from, 0, nullptr, &done);
    return context_->WaitFor(done, ClStatus(code, "clEnqueueWriteBuffer"));
  }

  absl::Status Download(const BufferRange& from, void* to, int64_t bytes) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(const ClBuffer* buffer,
                          CheckRange<ClBuffer>(from, bytes, context_.get()));
    if (bytes == 0) return absl::OkStatus();
    cl_event done = nullptr;
    const cl_int code = context_->cl().EnqueueReadBuffer(
        queue_.get(), buffer->memory(), CL_TRUE, static_cast<size_t>(from.offset),
        static_cast<size_t>(bytes), to, 0, nullptr, &done);
    return context_->WaitFor(done, ClStatus(code, "clEnqueueReadBuffer"));
  }

  absl::StatusOr<std::shared_ptr<Pipeline>> Compile(const ProgramSource& source) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    return ClPipeline::Build(context_, source);
  }

  absl::StatusOr<std::shared_ptr<Pipeline>> Load(const ProgramSource& source,
                                                 const ProgramBinary& binary) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    return std::move(ClPipeline::LoadAll(context_, {&source, 1}, {&binary, 1}).front());
  }

  // The compilers of processors read long headers for each build, and build one at a time. Those of
  // GPUs do not, and each text has a thread. If a joint build fails, each text is built alone, for
  // its log.
  Pipelines CompileAll(std::span<const ProgramSource> sources) override {
    if (sources.size() > 1 && info_.device_class == DeviceClass::kCpu && context_->Check().ok()) {
      absl::StatusOr<Pipelines> built = ClPipeline::BuildAtOnce(context_, sources);
      if (built.ok()) return *std::move(built);
    }
    return Device::CompileAll(sources);
  }

  Pipelines LoadAll(std::span<const ProgramSource> sources,
                    std::span<const ProgramBinary> binaries) override {
    if (info_.device_class == DeviceClass::kCpu && context_->Check().ok())
      return ClPipeline::LoadAll(context_, sources, binaries);
    return Device::LoadAll(sources, binaries);
  }

  absl::StatusOr<std::unique_ptr<Commands>> Record(const std::vector<Launch>& launches) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(std::unique_ptr<Commands> commands,
                          ClCommands::Record(context_, info_, launches));
    return commands;
  }

  // Buffers and commands belong to the context, so another device over it takes them.
  std::shared_ptr<Queue> NewQueue() override {
    absl::StatusOr<ClHandle<cl_command_queue>> queue = context_->CreateQueue(0);
    if (!queue.ok()) return nullptr;  // slower, and the results are the same
    return std::make_shared<ClDevice>(context_, *std::move(queue), info_);
  }

  absl::Status Submit(Commands& commands) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(ClCommands * mine, CheckCommands<ClCommands>(commands, context_.get()));
    return mine->Submit(queue_.get());
  }

  absl::StatusOr<std::vector<LaunchTime>> RunTimed(Commands& commands) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(ClCommands * mine, CheckCommands<ClCommands>(commands, context_.get()));
    return mine->RunTimed(queue_.get());
  }

  absl::Status Wait() override {
    TERN_RETURN_IF_ERROR(context_->Check());
    return ClStatus(context_->cl().Finish(queue_.get()), "clFinish");
  }

 private:
  const std::shared_ptr<ClContext> context_;
  const ClHandle<cl_command_queue> queue_;
  const DeviceInfo info_;
  const OpenClLanguage language_;
};

absl::StatusOr<std::shared_ptr<Device>> OpenCandidate(const ClFunctions& functions,
                                                      cl_device_id id) {
  TERN_ASSIGN_OR_RETURN(std::shared_ptr<ClContext> context, ClContext::Create(functions, id));
  TERN_ASSIGN_OR_RETURN(ClHandle<cl_command_queue> queue, context->CreateQueue(0));
  return std::make_shared<ClDevice>(std::move(context), std::move(queue),
                                    ReadClDeviceInfo(functions, id));
}

}  // namespace

absl::StatusOr<std::shared_ptr<Device>> OpenClDevice(const ClFunctions& functions,
                                                     const std::string& choice) {
  TERN_ASSIGN_OR_RETURN(const std::vector<ClCandidate> all, ListClDevices(functions));
  std::vector<std::string> names;
  for (const ClCandidate& candidate : all) names.push_back(candidate.name);
  TERN_ASSIGN_OR_RETURN(const std::vector<size_t> chosen, ChooseDevices(names, choice, "OpenCL"));
  absl::Status first;
  for (const size_t i : chosen) {
    absl::StatusOr<std::shared_ptr<Device>> device = OpenCandidate(functions, all[i].device);
    if (device.ok()) return device;
    if (first.ok()) first = WithPrefix(device.status(), StrCat("OpenCL: ", names[i]));
  }
  return first;
}

absl::StatusOr<std::shared_ptr<Device>> OpenClDevice() {
  TERN_ASSIGN_OR_RETURN(const ClFunctions functions, LoadClFunctions(ClLibraryNames()));
  const char* choice = std::getenv("TERN_OPENCL_DEVICE");
  return OpenClDevice(functions, choice != nullptr ? choice : "");
}

}  // namespace tern::gpu
