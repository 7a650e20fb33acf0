// SPDX-License-Identifier: Apache-2.0
// A context on one device, and owners of the objects made from it.
#ifndef TERN_GPU_BACKENDS_OPENCL_CL_CONTEXT_H_
#define TERN_GPU_BACKENDS_OPENCL_CL_CONTEXT_H_

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/backends/opencl/cl_library.h"

namespace tern::gpu {

// The id of this process, for ClHandle and ClContext.
pid_t ClProcess();

// Owns one reference to an OpenCL object. In a forked child the object belongs to a driver whose
// threads are gone, so there it is left alone.
template <typename T>
class ClHandle {
 public:
  using Release = cl_int(CL_API_CALL*)(T);

  ClHandle() = default;
  ClHandle(T object, Release release) : object_(object), release_(release), process_(ClProcess()) {}
  ClHandle(ClHandle&& other) noexcept { *this = std::move(other); }
  ClHandle& operator=(ClHandle&& other) noexcept {
    std::swap(object_, other.object_);
    std::swap(release_, other.release_);
    std::swap(process_, other.process_);
    return *this;
  }
  ClHandle(const ClHandle&) = delete;
  ClHandle& operator=(const ClHandle&) = delete;
  ~ClHandle() {
    if (object_ != nullptr && process_ == ClProcess()) release_(object_);
  }

  T get() const { return object_; }
  // The object is never released.
  void Abandon() { object_ = nullptr; }

 private:
  T object_ = nullptr;
  Release release_ = nullptr;
  pid_t process_ = 0;
};

// Shared by everything that lives on the device, so it goes last.
class ClContext {
 public:
  static absl::StatusOr<std::shared_ptr<ClContext>> Create(const ClFunctions& functions,
                                                           cl_device_id device);

  // An error in a forked child, where the driver must not be called.
  absl::Status Check() const;

  const ClFunctions& cl() const { return functions_; }
  cl_device_id device() const { return device_; }
  cl_context context() const { return context_.get(); }

  // A new in-order queue. Unimplemented: the device has none that measures time.
  absl::StatusOr<ClHandle<cl_command_queue>> CreateQueue(
      cl_command_queue_properties properties) const;
  // Waits for the event `done` of a blocking call that returned `status`, and releases it. On Mesa
  // a blocking call can return early when another thread flushes the same queue.
  absl::Status WaitFor(cl_event done, const absl::Status& status) const;

  // A queue whose launches tell their times, made when it is asked for first.
  absl::StatusOr<cl_command_queue> TimingQueue();

 private:
  ClContext(const ClFunctions& functions, cl_device_id device)
      : functions_(functions), device_(device), process_(ClProcess()) {}

  const ClFunctions functions_;
  const cl_device_id device_;
  const pid_t process_;
  ClHandle<cl_context> context_;
  std::mutex timing_mutex_;
  ClHandle<cl_command_queue> timing_queue_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_OPENCL_CL_CONTEXT_H_
