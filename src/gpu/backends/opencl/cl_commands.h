// SPDX-License-Identifier: Apache-2.0
// Recorded launches: OpenCL has no command buffers of its own in version 1.2, so these are kernels
// with their arguments set.
#ifndef TERN_GPU_BACKENDS_OPENCL_CL_COMMANDS_H_
#define TERN_GPU_BACKENDS_OPENCL_CL_COMMANDS_H_

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/backends/opencl/cl_context.h"
#include "gpu/backends/opencl/cl_memory.h"
#include "gpu/device/device.h"

namespace tern::gpu {

class ClCommands : public Commands {
 public:
  static absl::StatusOr<std::unique_ptr<ClCommands>> Record(std::shared_ptr<ClContext> context,
                                                            const DeviceInfo& info,
                                                            const std::vector<Launch>& launches);

  // Waits for launches that read images: PoCL frees these at once.
  ~ClCommands() override;
  bool belongs_to(const ClContext* context) const { return context_.get() == context; }

  // Enqueues all launches and flushes.
  absl::Status Submit(cl_command_queue queue);
  // Queue::RunTimed after the work of the queue, in the one for that.
  absl::StatusOr<std::vector<LaunchTime>> RunTimed(cl_command_queue after);

 private:
  struct Recorded {
    std::string label;
    std::shared_ptr<Pipeline> pipeline;
    std::vector<std::shared_ptr<Buffer>> buffers;  // kernels do not keep their arguments alive
    ClHandle<cl_kernel> kernel;
    std::array<size_t, 3> global = {1, 1, 1};
    std::array<size_t, 3> local = {1, 1, 1};
  };

  explicit ClCommands(std::shared_ptr<ClContext> context) : context_(std::move(context)) {}
  absl::Status Add(const Launch& launch, const DeviceInfo& info);
  absl::Status SetArguments(const Launch& launch, const DeviceInfo& info, Recorded& to);
  // The image of a buffer that is read by texels; there is one for all launches.
  absl::StatusOr<cl_mem> ImageOf(const ClBuffer& buffer, Element element, const DeviceInfo& info);
  // Of which launches events are wanted.
  enum class Events { kOfAll, kOfLastReader };
  absl::Status Enqueue(cl_command_queue queue, Events wanted);
  absl::Status SetSizes(const Launch& launch, const DeviceInfo& info, Recorded& to) const;

  const std::shared_ptr<ClContext> context_;
  std::vector<Recorded> launches_;
  std::map<std::pair<const ClBuffer*, Element>, ClHandle<cl_mem>> images_;
  std::vector<ClHandle<cl_event>> events_;  // of launches that may still run, in order
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_OPENCL_CL_COMMANDS_H_
