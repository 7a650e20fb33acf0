// SPDX-License-Identifier: Apache-2.0
#include "gpu/backends/metal/metal_device.h"

#include <utility>
#include <vector>

#include "base/status.h"
#include "gpu/backends/metal/metal_commands.h"
#include "gpu/backends/metal/metal_device_info.h"
#include "gpu/backends/metal/metal_memory.h"
#include "gpu/backends/metal/metal_pipeline.h"
#include "gpu/device/launch_checks.h"
#include "gpu/device/own_objects.h"
#include "gpu/languages/metal_language.h"

namespace tern::gpu {
namespace {

class MetalDevice : public Device {
 public:
  explicit MetalDevice(std::shared_ptr<MetalContext> context)
      : context_(std::move(context)),
        info_(ReadMetalDeviceInfo(*context_)),
        shared_memory_(context_->say().unified_memory(context_->device())) {}

  const DeviceInfo& info() const override { return info_; }
  const Language& language() const override { return language_; }

  absl::StatusOr<std::shared_ptr<Buffer>> CreateBuffer(int64_t bytes) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_RETURN_IF_ERROR(CheckBufferSize(bytes, info_));
    return MetalBuffer::Create(context_, bytes, shared_memory_);
  }

  absl::Status Upload(const BufferRange& to, const void* from, int64_t bytes) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(MetalBuffer* const buffer,
                          CheckRange<MetalBuffer>(to, bytes, context_.get()));
    return bytes == 0 ? absl::OkStatus() : buffer->Upload(to.offset, from, bytes);
  }

  absl::Status Download(const BufferRange& from, void* to, int64_t bytes) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(MetalBuffer* const buffer,
                          CheckRange<MetalBuffer>(from, bytes, context_.get()));
    return bytes == 0 ? absl::OkStatus() : buffer->Download(from.offset, to, bytes);
  }

  // The number is the address of the object.
  absl::StatusOr<BufferRange> Import(const SharedBuffer& given) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(std::shared_ptr<MetalBuffer> buffer,
                          MetalBuffer::Import(context_, ObjectOf(given.number)));
    const int64_t bytes = buffer->bytes();
    return BufferRange{std::move(buffer), 0, bytes};
  }

  absl::StatusOr<std::shared_ptr<Pipeline>> Compile(const ProgramSource& source) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    return MetalPipeline::Build(context_, source);
  }

  absl::StatusOr<std::unique_ptr<Commands>> Record(const std::vector<Launch>& launches) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(std::unique_ptr<MetalCommands> commands,
                          MetalCommands::Record(context_, info_, launches));
    return commands;
  }

  absl::Status Submit(Commands& commands) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(MetalCommands* const mine,
                          CheckCommands<MetalCommands>(commands, context_.get()));
    return mine->Submit();
  }

  absl::Status SubmitInto(Commands& commands, uint64_t number) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(MetalCommands* const mine,
                          CheckCommands<MetalCommands>(commands, context_.get()));
    return mine->EncodeInto(ObjectOf(number));
  }

  absl::StatusOr<std::vector<LaunchTime>> RunTimed(Commands& commands) override {
    TERN_RETURN_IF_ERROR(context_->Check());
    TERN_ASSIGN_OR_RETURN(MetalCommands* const mine,
                          CheckCommands<MetalCommands>(commands, context_.get()));
    return mine->RunTimed();
  }

  absl::Status Wait() override {
    TERN_RETURN_IF_ERROR(context_->Check());
    return context_->WaitForAll();
  }

  bool lost() const override { return context_->lost(); }

 private:
  static Id ObjectOf(uint64_t number) {
    return reinterpret_cast<Id>(static_cast<uintptr_t>(number));
  }

  const std::shared_ptr<MetalContext> context_;
  const DeviceInfo info_;
  const bool shared_memory_;  // of processor and GPU
  const MetalLanguage language_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<Device>> OpenMetalDevice(const ObjcFunctions& objc, MetalWait wait) {
  const ObjcPool pool(objc);
  ObjcRef device = ObjcRef::Take(objc, objc.create_device());
  if (!device) return Unavailable("Metal: the system has no device");
  TERN_ASSIGN_OR_RETURN(std::shared_ptr<MetalContext> context,
                        MetalContext::Create(objc, std::move(device), wait));
  return std::make_shared<MetalDevice>(std::move(context));
}

absl::StatusOr<std::shared_ptr<Device>> OpenMetalDevice(MetalWait wait) {
  TERN_ASSIGN_OR_RETURN(const ObjcFunctions objc, LoadObjcFunctions());
  return OpenMetalDevice(objc, wait);
}

}  // namespace tern::gpu
