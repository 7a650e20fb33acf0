// SPDX-License-Identifier: Apache-2.0
// All checks are made when recording. The dispatches of an encoder run in order, each after the
// writes of those before.
#include "gpu/backends/metal/metal_commands.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/status.h"
#include "gpu/device/launch_checks.h"
#include "gpu/device/own_objects.h"

namespace tern::gpu {
namespace {

constexpr size_t kLaunchesOfABuffer = 8;  // where a thread waits actively

MetalSize SizeOf(const Int3& counts) {
  const auto one = [&counts](int axis) { return static_cast<UInteger>(counts[axis]); };
  return {one(0), one(1), one(2)};
}

}  // namespace

absl::StatusOr<std::unique_ptr<MetalCommands>> MetalCommands::Record(
    std::shared_ptr<MetalContext> context, const DeviceInfo& info,
    const std::vector<Launch>& launches) {
  std::unique_ptr<MetalCommands> commands(new MetalCommands(std::move(context)));
  for (const Launch& launch : launches) {
    const absl::Status status = commands->Add(launch, info);
    if (!status.ok()) return WithPrefix(status, launch.label);
  }
  return commands;
}

absl::Status MetalCommands::Add(const Launch& launch, const DeviceInfo& info) {
  TERN_ASSIGN_OR_RETURN(const MetalPipeline* const pipeline,
                        CheckProgram<const MetalPipeline>(launch, context_.get()));
  Recorded recorded;
  recorded.pipeline = std::static_pointer_cast<MetalPipeline>(launch.pipeline);
  TERN_ASSIGN_OR_RETURN(const Int3 groups, CountGroups(launch, info));
  TERN_RETURN_IF_ERROR(
      CheckGroupItems(launch, std::min<int64_t>(pipeline->max_items(), info.max_group_items)));
  recorded.groups = SizeOf(groups);
  recorded.group = SizeOf(launch.group);
  for (const BufferRange& range : launch.buffers) {
    TERN_RETURN_IF_ERROR(CheckArgument(range, info));
    TERN_RETURN_IF_ERROR(CheckRange<MetalBuffer>(range, range.bytes, context_.get()).status());
    auto buffer = std::static_pointer_cast<MetalBuffer>(range.buffer);
    if (std::find(used_.begin(), used_.end(), buffer) == used_.end()) used_.push_back(buffer);
    recorded.buffers.emplace_back(std::move(buffer), static_cast<UInteger>(range.offset));
  }
  recorded.uniform_words = launch.uniform_words;
  launches_.push_back(std::move(recorded));
  return absl::OkStatus();
}

absl::Status MetalCommands::Encode(Id command_buffer, size_t first, size_t last) const {
  const MetalMessages& say = context_->say();
  const Id encoder = say.compute_encoder(command_buffer);
  if (encoder == nullptr) return Unavailable("Metal: no encoder for kernels");
  for (size_t i = first; i < last; ++i) {
    const Recorded& launch = launches_[i];
    say.set_pipeline(encoder, launch.pipeline->state());
    UInteger slot = 0;
    for (const auto& [buffer, offset] : launch.buffers)
      say.set_buffer(encoder, buffer->buffer(), offset, slot++);
    if (!launch.uniform_words.empty()) {
      say.set_bytes(encoder, launch.uniform_words.data(),
                    launch.uniform_words.size() * sizeof(uint32_t), slot);
    }
    say.dispatch(encoder, launch.groups, launch.group);
  }
  say.end_encoding(encoder);
  return absl::OkStatus();
}

// By the processor: a command buffer that fails midway signals no event, and the queue would stand
// still behind the application's. Whether the work failed does not matter.
absl::Status MetalCommands::FinishOfApplication() {
  for (const std::shared_ptr<MetalBuffer>& buffer : used_) {
    const auto work = buffer->WorkOnQueues(/*of_application=*/true);
    if (work != nullptr) TERN_RETURN_IF_ERROR(work->Finish(*context_));
  }
  return absl::OkStatus();
}

absl::Status MetalCommands::OrderBefore(Id command_buffer) {
  for (const std::shared_ptr<MetalBuffer>& buffer : used_) {
    const auto work = buffer->WorkOnQueues(/*of_application=*/false);
    if (work == nullptr || work->IsDone(*context_)) continue;
    if (context_->FinishBefore(command_buffer)) break;  // all that the queue has
    TERN_RETURN_IF_ERROR(work->Finish(*context_));
  }
  return absl::OkStatus();
}

void MetalCommands::Use(const std::shared_ptr<MetalSubmission>& submission) {
  for (const std::shared_ptr<MetalBuffer>& buffer : used_) buffer->UsedBy(submission);
}

absl::StatusOr<std::shared_ptr<MetalSubmission>> MetalCommands::Commit(size_t launches_each) {
  TERN_RETURN_IF_ERROR(FinishOfApplication());
  const ObjcPool pool(context_->objc());
  std::vector<ObjcRef> buffers;
  for (size_t first = 0; first < launches_.size(); first += launches_each) {
    TERN_ASSIGN_OR_RETURN(const Id buffer, context_->NewCommandBuffer());
    TERN_RETURN_IF_ERROR(Encode(buffer, first, std::min(launches_.size(), first + launches_each)));
    buffers.push_back(ObjcRef::Share(context_->objc(), buffer));
    context_->say().commit(buffer);
  }
  auto submission = std::make_shared<MetalSubmission>(std::move(buffers), false);
  Use(submission);
  context_->Submitted(submission);
  return submission;
}

absl::Status MetalCommands::Submit() {
  if (launches_.empty()) return absl::OkStatus();
  const bool passive = context_->wait() == MetalWait::kPassive;
  return Commit(passive ? launches_.size() : kLaunchesOfABuffer).status();
}

absl::Status MetalCommands::EncodeInto(Id command_buffer) {
  if (command_buffer == nullptr) return Invalid("the Metal command buffer is nil");
  const MetalMessages& say = context_->say();
  const ObjcPool pool(context_->objc());
  if (say.command_buffer_device(command_buffer) != context_->device())
    return Invalid("the Metal command buffer is of another device");
  if (say.status(command_buffer) >= metal::kCommitted)
    return Invalid("the Metal command buffer was committed before");
  if (launches_.empty()) return absl::OkStatus();
  TERN_RETURN_IF_ERROR(OrderBefore(command_buffer));
  TERN_RETURN_IF_ERROR(Encode(command_buffer, 0, launches_.size()));
  std::vector<ObjcRef> buffers;
  buffers.push_back(ObjcRef::Share(context_->objc(), command_buffer));
  Use(std::make_shared<MetalSubmission>(std::move(buffers), true));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<LaunchTime>> MetalCommands::RunTimed() {
  std::vector<LaunchTime> times;
  if (launches_.empty()) return times;
  const MetalMessages& say = context_->say();
  TERN_ASSIGN_OR_RETURN(const std::shared_ptr<MetalSubmission> submission, Commit(1));
  TERN_RETURN_IF_ERROR(submission->Wait(*context_));
  double zero = 0.0;
  const auto nanos = [&zero](double seconds) {
    return static_cast<uint64_t>(std::llround(std::max(0.0, seconds - zero) * 1e9));
  };
  for (const ObjcRef& buffer : submission->buffers()) {
    const double start = say.gpu_start(buffer.get());
    if (times.empty()) zero = start;
    times.push_back(LaunchTime::Between(0, nanos(start), nanos(say.gpu_end(buffer.get()))));
  }
  return times;
}

}  // namespace tern::gpu
