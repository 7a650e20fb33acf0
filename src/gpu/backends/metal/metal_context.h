// SPDX-License-Identifier: Apache-2.0
// A Metal device with its queue, shared by everything that lives on it, and the work that it was
// given.
#ifndef TERN_GPU_BACKENDS_METAL_METAL_CONTEXT_H_
#define TERN_GPU_BACKENDS_METAL_METAL_CONTEXT_H_

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/backends/metal/metal_messages.h"
#include "gpu/backends/metal/objc_runtime.h"

namespace tern::gpu {

class MetalContext;

// Command buffers that were handed to the queue together. Safe to use from several threads.
class MetalSubmission {
 public:
  // Of the application: committed by it, at some time.
  MetalSubmission(std::vector<ObjcRef> buffers, bool of_application)
      : buffers_(std::move(buffers)), of_application_(of_application) {}

  // Whether the GPU is done with it, with or without success.
  bool IsDone(const MetalContext& context) const;
  // Blocks until the GPU is done with it, with or without success. An error without waiting when
  // the application has not committed its command buffer.
  absl::Status Finish(MetalContext& context) const;
  // Waits; the error says what failed.
  absl::Status Wait(MetalContext& context) const;

  const std::vector<ObjcRef>& buffers() const { return buffers_; }
  bool of_application() const { return of_application_; }

 private:
  const std::vector<ObjcRef> buffers_;
  const bool of_application_;
};

// How a thread waits for the GPU.
enum class MetalWait {
  kPassive,     // it sleeps
  kActive,      // it asks again and again
  kAggressive,  // asks as well, and gives the GPU empty work, so that its clock stays high
};

class MetalContext {
 public:
  static absl::StatusOr<std::shared_ptr<MetalContext>> Create(const ObjcFunctions& objc,
                                                              ObjcRef device, MetalWait wait);

  // An error in a forked child, where the driver must not be called, and when the device is lost.
  absl::Status Check() const;

  const ObjcFunctions& objc() const { return objc_; }
  const MetalMessages& say() const { return say_; }
  Id device() const { return device_.get(); }
  Id queue() const { return queue_.get(); }
  MetalWait wait() const { return wait_; }
  bool lost() const { return lost_; }
  void Lose() { lost_ = true; }

  // A text of Foundation; empty for nil.
  std::string Text(Id string) const;
  // A string of Foundation, which lives until the innermost pool ends.
  Id NewString(const char* text) const;
  // "what: text of the error".
  std::string ErrorText(std::string_view what, Id error) const;

  // A new command buffer of the queue; it lives at least until the innermost pool ends.
  absl::StatusOr<Id> NewCommandBuffer() const;
  // Remembers what was committed last.
  void Submitted(std::shared_ptr<MetalSubmission> submission);
  // Has a command buffer of another queue begin after all that this queue has: what is encoded into
  // it from now on. False where the system has no events.
  bool FinishBefore(Id command_buffer) const;
  // Blocks until all that was submitted before has finished.
  absl::Status WaitForAll();
  // Blocks until one command buffer has finished, in the way that the context was made with.
  void WaitFor(Id command_buffer);

 private:
  MetalContext(const ObjcFunctions& objc, ObjcRef device, ObjcRef queue, ObjcRef idle_queue,
               MetalWait wait);

  const ObjcFunctions objc_;
  const MetalMessages say_;
  const ObjcRef device_, queue_;
  const ObjcRef idle_queue_;  // for empty work
  const MetalWait wait_;
  const pid_t process_;
  std::atomic<bool> lost_ = false;
  std::mutex mutex_;
  std::shared_ptr<MetalSubmission> last_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_METAL_METAL_CONTEXT_H_
