// SPDX-License-Identifier: Apache-2.0
// Checks of the objects that callers hand to a device, for backends whose objects belong to a
// context: the device made them, and the sizes fit.
#ifndef TERN_GPU_DEVICE_OWN_OBJECTS_H_
#define TERN_GPU_DEVICE_OWN_OBJECTS_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "base/status.h"
#include "gpu/device/device.h"
#include "gpu/device/launch_checks.h"

namespace tern::gpu {

// The buffer of a range of which `bytes` bytes are to be used.
template <class OwnBuffer, class Context>
absl::StatusOr<OwnBuffer*> CheckRange(const BufferRange& range, int64_t bytes,
                                      const Context* context) {
  auto* buffer = dynamic_cast<OwnBuffer*>(range.buffer.get());
  if (buffer == nullptr || !buffer->belongs_to(context))
    return Invalid("the range has no buffer of this device");
  TERN_RETURN_IF_ERROR(CheckWithin(range, bytes, buffer->bytes()));
  return buffer;
}

// The program of a launch that has as many arguments as it takes.
template <class OwnPipeline, class Context>
absl::StatusOr<OwnPipeline*> CheckProgram(const Launch& launch, const Context* context) {
  auto* pipeline = dynamic_cast<OwnPipeline*>(launch.pipeline.get());
  if (pipeline == nullptr || !pipeline->belongs_to(context))
    return Invalid("no program of this device");
  TERN_RETURN_IF_ERROR(CheckArgumentCount(launch, pipeline->buffers(), pipeline->uniforms()));
  return pipeline;
}

// The commands as this device recorded them.
template <class OwnCommands, class Context>
absl::StatusOr<OwnCommands*> CheckCommands(Commands& commands, const Context* context) {
  auto* own = dynamic_cast<OwnCommands*>(&commands);
  if (own == nullptr || !own->belongs_to(context))
    return Invalid("the commands belong to another device");
  return own;
}

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_OWN_OBJECTS_H_
