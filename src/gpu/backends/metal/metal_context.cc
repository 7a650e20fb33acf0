// SPDX-License-Identifier: Apache-2.0
// One in-order queue: a command buffer starts after those that were committed before.
#include "gpu/backends/metal/metal_context.h"

#include <unistd.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "base/status.h"

namespace tern::gpu {
namespace {

absl::Status FailureOf(MetalContext& context, Id command_buffer) {
  const MetalMessages& say = context.say();
  const Id error = say.error(command_buffer);
  const std::string text = context.ErrorText("Metal: a command buffer failed", error);
  switch (error == nullptr ? 0 : say.code(error)) {
    case metal::kErrorDeviceRemoved:
    case metal::kErrorAccessRevoked:
      context.Lose();
      return Unavailable(text);
    case metal::kErrorNotPermitted:  // an application in the background
    case metal::kErrorTimeout:
      return Unavailable(text);
    case metal::kErrorOutOfMemory:
      return TooLarge(text);
    default:
      return absl::InternalError(text);
  }
}

}  // namespace

bool MetalSubmission::IsDone(const MetalContext& context) const {
  return std::all_of(buffers_.begin(), buffers_.end(), [&context](const ObjcRef& buffer) {
    return context.say().status(buffer.get()) >= metal::kCompleted;
  });
}

absl::Status MetalSubmission::Finish(MetalContext& context) const {
  const ObjcPool pool(context.objc());
  const MetalMessages& say = context.say();
  for (const ObjcRef& buffer : buffers_) {
    if (of_application_ && say.status(buffer.get()) < metal::kCommitted)
      return absl::FailedPreconditionError(
          "the command buffer of the last run was not committed yet");
    if (say.status(buffer.get()) < metal::kCompleted) context.WaitFor(buffer.get());
  }
  return absl::OkStatus();
}

absl::Status MetalSubmission::Wait(MetalContext& context) const {
  TERN_RETURN_IF_ERROR(Finish(context));
  const ObjcPool pool(context.objc());
  for (const ObjcRef& buffer : buffers_) {
    if (context.say().status(buffer.get()) == metal::kFailed)
      return FailureOf(context, buffer.get());
  }
  return absl::OkStatus();
}

MetalContext::MetalContext(const ObjcFunctions& objc, ObjcRef device, ObjcRef queue,
                           ObjcRef idle_queue, MetalWait wait)
    : objc_(objc),
      say_(objc_),
      device_(std::move(device)),
      queue_(std::move(queue)),
      idle_queue_(std::move(idle_queue)),
      wait_(wait),
      process_(getpid()) {}

absl::StatusOr<std::shared_ptr<MetalContext>> MetalContext::Create(const ObjcFunctions& objc,
                                                                   ObjcRef device, MetalWait wait) {
  const MetalMessages say(objc);
  const ObjcPool pool(objc);
  ObjcRef queue = ObjcRef::Take(objc, say.new_queue(device.get()));
  ObjcRef idle;
  if (wait == MetalWait::kAggressive) idle = ObjcRef::Take(objc, say.new_queue(device.get()));
  if (!queue || (wait == MetalWait::kAggressive && !idle))
    return Unavailable("Metal: the device gives no command queue");
  return std::shared_ptr<MetalContext>(
      new MetalContext(objc, std::move(device), std::move(queue), std::move(idle), wait));
}

absl::Status MetalContext::Check() const {
  if (process_ != getpid()) return Unavailable("the process was forked after the GPU was set up");
  if (lost_) return Unavailable("Metal: the device is lost");
  return absl::OkStatus();
}

std::string MetalContext::Text(Id string) const {
  const char* const text = string == nullptr ? nullptr : say_.utf8(string);
  return text == nullptr ? "" : text;
}

Id MetalContext::NewString(const char* text) const {
  return say_.new_string(objc_.get_class("NSString"), text);
}

std::string MetalContext::ErrorText(std::string_view what, Id error) const {
  if (error == nullptr) return StrCat(what, " without a reason");
  return StrCat(what, ": ", Text(say_.text(error)));
}

absl::StatusOr<Id> MetalContext::NewCommandBuffer() const {
  const Id buffer = say_.command_buffer(queue_.get());
  if (buffer == nullptr) return Unavailable("Metal: the queue gives no command buffer");
  return buffer;
}

void MetalContext::Submitted(std::shared_ptr<MetalSubmission> submission) {
  const std::lock_guard lock(mutex_);
  last_ = std::move(submission);
}

absl::Status MetalContext::WaitForAll() {
  std::shared_ptr<MetalSubmission> last;
  {
    const std::lock_guard lock(mutex_);
    last = last_;
  }
  return last == nullptr ? absl::OkStatus() : last->Wait(*this);
}

// The signal has a command buffer of its own, as one that fails midway gives none.
bool MetalContext::FinishBefore(Id command_buffer) const {
  const ObjcRef event = ObjcRef::Take(objc_, say_.new_event(device()));
  const Id last = event ? say_.command_buffer(queue()) : nullptr;
  if (last == nullptr) return false;
  say_.encode_signal(last, event.get(), 1);
  say_.commit(last);
  say_.encode_wait(command_buffer, event.get(), 1);
  return true;
}

void MetalContext::WaitFor(Id command_buffer) {
  if (wait_ == MetalWait::kPassive) return say_.wait(command_buffer);
  ObjcRef idle;
  while (say_.status(command_buffer) < metal::kCompleted) {
    if (wait_ == MetalWait::kAggressive &&
        (!idle || say_.status(idle.get()) >= metal::kCompleted)) {
      const ObjcPool pool(objc_);
      idle = ObjcRef::Share(objc_, say_.command_buffer(idle_queue_.get()));
      if (idle) say_.commit(idle.get());
    }
    std::this_thread::yield();
  }
}

}  // namespace tern::gpu
