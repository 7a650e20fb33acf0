// SPDX-License-Identifier: Apache-2.0
// Recorded launches. A command buffer of Metal runs once, so each run encodes them again.
#ifndef TERN_GPU_BACKENDS_METAL_METAL_COMMANDS_H_
#define TERN_GPU_BACKENDS_METAL_METAL_COMMANDS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/backends/metal/metal_memory.h"
#include "gpu/backends/metal/metal_pipeline.h"
#include "gpu/device/device.h"

namespace tern::gpu {

class MetalCommands : public Commands {
 public:
  static absl::StatusOr<std::unique_ptr<MetalCommands>> Record(
      std::shared_ptr<MetalContext> context, const DeviceInfo& info,
      const std::vector<Launch>& launches);

  // One command buffer; several, so that the GPU begins before all is encoded, where the context
  // does not wait passively.
  absl::Status Submit();
  // Into a command buffer of the application, which is neither committed nor waited for.
  absl::Status EncodeInto(Id command_buffer);
  // One command buffer for each launch: only these tell times.
  absl::StatusOr<std::vector<LaunchTime>> RunTimed();

  bool belongs_to(const MetalContext* context) const { return context_.get() == context; }

 private:
  struct Recorded {
    std::shared_ptr<MetalPipeline> pipeline;
    std::vector<std::pair<std::shared_ptr<MetalBuffer>, UInteger>> buffers;  // with offsets
    std::vector<uint32_t> uniform_words;
    MetalSize groups, group;
  };

  explicit MetalCommands(std::shared_ptr<MetalContext> context) : context_(std::move(context)) {}
  absl::Status Add(const Launch& launch, const DeviceInfo& info);
  absl::Status Encode(Id command_buffer, size_t first, size_t last) const;
  // Command buffers of so many launches each, committed.
  absl::StatusOr<std::shared_ptr<MetalSubmission>> Commit(size_t launches_each);
  // Between the work of the context's queue and that of the application's.
  absl::Status FinishOfApplication();
  absl::Status OrderBefore(Id command_buffer);
  void Use(const std::shared_ptr<MetalSubmission>& submission);

  const std::shared_ptr<MetalContext> context_;
  std::vector<Recorded> launches_;
  std::vector<std::shared_ptr<MetalBuffer>> used_;  // each buffer once
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_METAL_METAL_COMMANDS_H_
