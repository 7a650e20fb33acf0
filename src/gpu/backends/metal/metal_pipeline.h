// SPDX-License-Identifier: Apache-2.0
// A kernel of what Metal has compiled.
#ifndef TERN_GPU_BACKENDS_METAL_METAL_PIPELINE_H_
#define TERN_GPU_BACKENDS_METAL_METAL_PIPELINE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "gpu/backends/metal/metal_context.h"
#include "gpu/device/device.h"

namespace tern::gpu {

class MetalPipeline : public Pipeline {
 public:
  // Compiles without fast math, which would take all numbers for finite (docs/numbers.md). The
  // error of a text that does not compile carries the compiler's log.
  static absl::StatusOr<std::shared_ptr<Pipeline>> Build(
      const std::shared_ptr<MetalContext>& context, const ProgramSource& source);

  Id state() const { return state_.get(); }
  // Work-items that a group may have; fewer than the device allows where a kernel needs many
  // registers.
  int64_t max_items() const { return max_items_; }
  size_t buffers() const { return buffers_; }
  size_t uniforms() const { return uniforms_; }
  bool belongs_to(const MetalContext* context) const { return context_.get() == context; }

 private:
  MetalPipeline(std::shared_ptr<MetalContext> context, ObjcRef state, int64_t max_items,
                const Signature& signature)
      : context_(std::move(context)),
        state_(std::move(state)),
        max_items_(max_items),
        buffers_(signature.buffers.size()),
        uniforms_(signature.uniforms.size()) {}

  const std::shared_ptr<MetalContext> context_;
  const ObjcRef state_;
  const int64_t max_items_;
  const size_t buffers_, uniforms_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_METAL_METAL_PIPELINE_H_
