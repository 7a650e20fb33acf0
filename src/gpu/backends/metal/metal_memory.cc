// SPDX-License-Identifier: Apache-2.0
#include "gpu/backends/metal/metal_memory.h"

#include <cstring>
#include <vector>

#include "base/status.h"

namespace tern::gpu {
namespace {

// The GPU copies whole words; ranges begin at multiples of more, so nothing else is in the last.
UInteger WholeWords(int64_t bytes) { return (static_cast<UInteger>(bytes) + 3) / 4 * 4; }

}  // namespace

absl::StatusOr<std::shared_ptr<MetalBuffer>> MetalBuffer::Create(
    const std::shared_ptr<MetalContext>& context, int64_t bytes, bool shared) {
  const UInteger options = shared ? metal::kStorageShared : metal::kStoragePrivate;
  const Id buffer = context->say().new_buffer(context->device(), WholeWords(bytes), options);
  if (buffer == nullptr) return TooLarge("Metal: no memory for a buffer of ", bytes, " bytes");
  return std::shared_ptr<MetalBuffer>(
      new MetalBuffer(context, ObjcRef::Take(context->objc(), buffer), bytes, shared));
}

absl::StatusOr<std::shared_ptr<MetalBuffer>> MetalBuffer::Import(
    const std::shared_ptr<MetalContext>& context, Id buffer) {
  if (buffer == nullptr) return Invalid("the Metal buffer is nil");
  const MetalMessages& say = context->say();
  const ObjcPool pool(context->objc());
  if (say.buffer_device(buffer) != context->device())
    return Invalid("the Metal buffer is of another device");
  const bool shared = say.storage_mode(buffer) == metal::kModeShared;
  return std::shared_ptr<MetalBuffer>(
      new MetalBuffer(context, ObjcRef::Share(context->objc(), buffer),
                      static_cast<int64_t>(say.length(buffer)), shared));
}

std::shared_ptr<MetalSubmission> MetalBuffer::used_by() {
  const std::lock_guard lock(mutex_);
  return used_by_;
}

std::shared_ptr<MetalSubmission> MetalBuffer::WorkOnQueues(bool of_application) {
  std::shared_ptr<MetalSubmission> work = used_by();
  if (work != nullptr && work->of_application() != of_application) work.reset();
  return work;
}

void MetalBuffer::UsedBy(std::shared_ptr<MetalSubmission> submission) {
  const std::lock_guard lock(mutex_);
  used_by_ = std::move(submission);
}

// On the queue, after the work that is there.
absl::Status MetalBuffer::Copy(const MetalBuffer& from, int64_t from_offset, int64_t offset,
                               int64_t bytes) {
  const MetalMessages& say = context_->say();
  const ObjcPool pool(context_->objc());
  TERN_ASSIGN_OR_RETURN(const Id commands, context_->NewCommandBuffer());
  const Id encoder = say.blit_encoder(commands);
  if (encoder == nullptr) return Unavailable("Metal: no encoder for copies");
  say.copy(encoder, from.buffer(), static_cast<UInteger>(from_offset), buffer(),
           static_cast<UInteger>(offset), WholeWords(bytes));
  say.end_encoding(encoder);
  say.commit(commands);
  std::vector<ObjcRef> buffers;
  buffers.push_back(ObjcRef::Share(context_->objc(), commands));
  return MetalSubmission(std::move(buffers), false).Wait(*context_);
}

absl::Status MetalBuffer::Upload(int64_t offset, const void* from, int64_t bytes) {
  if (const auto work = used_by()) TERN_RETURN_IF_ERROR(work->Finish(*context_));
  if (!shared_) {
    TERN_ASSIGN_OR_RETURN(const std::shared_ptr<MetalBuffer> stage, Create(context_, bytes, true));
    TERN_RETURN_IF_ERROR(stage->Upload(0, from, bytes));
    return Copy(*stage, 0, offset, bytes);
  }
  auto* const memory = static_cast<char*>(context_->say().contents(buffer()));
  std::memcpy(memory + offset, from, static_cast<size_t>(bytes));
  return absl::OkStatus();
}

absl::Status MetalBuffer::Download(int64_t offset, void* to, int64_t bytes) {
  if (const auto work = used_by()) TERN_RETURN_IF_ERROR(work->Wait(*context_));
  if (!shared_) {
    TERN_ASSIGN_OR_RETURN(const std::shared_ptr<MetalBuffer> stage, Create(context_, bytes, true));
    TERN_RETURN_IF_ERROR(stage->Copy(*this, offset, 0, bytes));
    return stage->Download(0, to, bytes);
  }
  const auto* const memory = static_cast<const char*>(context_->say().contents(buffer()));
  std::memcpy(to, memory + offset, static_cast<size_t>(bytes));
  return absl::OkStatus();
}

}  // namespace tern::gpu
