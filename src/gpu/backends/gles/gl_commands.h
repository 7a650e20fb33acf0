// SPDX-License-Identifier: Apache-2.0
// Recorded launches: OpenGL ES has no command buffers, so these are lists of checked arguments.
#ifndef TERN_GPU_BACKENDS_GLES_GL_COMMANDS_H_
#define TERN_GPU_BACKENDS_GLES_GL_COMMANDS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/backends/gles/gl_context.h"
#include "gpu/backends/gles/gl_memory.h"
#include "gpu/backends/gles/gl_pipeline.h"
#include "gpu/backends/gles/gl_timer.h"
#include "gpu/device/device.h"

namespace tern::gpu {

class GlCommands : public Commands {
 public:
  static absl::StatusOr<std::unique_ptr<GlCommands>> Record(
      const std::shared_ptr<GlContext>& context, const DeviceInfo& info,
      const std::vector<Launch>& launches);

  bool belongs_to(const GlContext* context) const { return context_.get() == context; }

  size_t size() const { return launches_.size(); }

  // Starts all launches. Buffers of the application are looked at first and let go of at the end. A
  // timer is stamped between launches.
  absl::Status Submit(GlTimer* timer = nullptr);

 private:
  struct BoundRange {
    std::shared_ptr<Buffer> keep;  // owns `buffer`
    const GlBuffer* buffer = nullptr;
    int64_t offset = 0, bytes = 0;
    GLuint texture = 0;  // of its texels, which is bound instead
  };
  struct Recorded {
    std::string label;
    std::shared_ptr<Pipeline> keep;  // owns `pipeline`
    const GlPipeline* pipeline = nullptr;
    std::vector<BoundRange> ranges;
    std::vector<uint32_t> uniform_words;
    std::array<GLuint, 3> groups = {1, 1, 1};
  };

  explicit GlCommands(std::shared_ptr<GlContext> context) : context_(std::move(context)) {}
  absl::Status Add(const Launch& launch, const DeviceInfo& info);
  absl::Status AddRanges(const Launch& launch, const DeviceInfo& info, Recorded& to);
  // The texture of a range that is read by texels; there is one for all launches.
  absl::StatusOr<GLuint> TextureOf(const BoundRange& range, const BufferParam& param,
                                   const DeviceInfo& info);
  absl::Status CheckForeign() const;
  absl::Status Start(const Recorded& launch) const;
  void LetGo() const;

  const std::shared_ptr<GlContext> context_;
  std::vector<Recorded> launches_;
  std::set<const GlBuffer*> foreign_;  // kept by the launches
  GLuint slots_ = 0;                   // of the launch that binds most
  // By buffer, offset, bytes and element.
  std::map<std::tuple<const GlBuffer*, int64_t, int64_t, Element>, GlHandle> textures_;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_BACKENDS_GLES_GL_COMMANDS_H_
