// SPDX-License-Identifier: Apache-2.0
// All checks are made when recording; submitting only calls the driver.
#include "gpu/backends/gles/gl_commands.h"

#include <algorithm>

#include "base/status.h"
#include "gpu/backends/gles/gl_error.h"
#include "gpu/device/launch_checks.h"
#include "gpu/device/own_objects.h"

namespace tern::gpu {
namespace {

absl::Status SetSizes(const Launch& launch, const DeviceInfo& info, std::array<GLuint, 3>& groups) {
  TERN_ASSIGN_OR_RETURN(const Int3 counts, CountGroups(launch, info));
  for (int axis = 0; axis < 3; ++axis) {
    const int limit = info.max_grid_groups[axis];
    if (counts[axis] > limit)
      return TooLarge("too many groups (", counts[axis], ", limit ", limit, ")");
    groups[axis] = static_cast<GLuint>(counts[axis]);
  }
  return CheckGroupItems(launch, info.max_group_items);
}

}  // namespace

absl::StatusOr<std::unique_ptr<GlCommands>> GlCommands::Record(
    const std::shared_ptr<GlContext>& context, const DeviceInfo& info,
    const std::vector<Launch>& launches) {
  std::unique_ptr<GlCommands> commands(new GlCommands(context));
  TERN_RETURN_IF_ERROR(context->Run([&]() -> absl::Status {
    for (const Launch& launch : launches) {
      const absl::Status status = commands->Add(launch, info);
      if (!status.ok()) return WithPrefix(status, launch.label);
    }
    return absl::OkStatus();
  }));
  return commands;
}

absl::Status GlCommands::Add(const Launch& launch, const DeviceInfo& info) {
  TERN_ASSIGN_OR_RETURN(GlPipeline* const pipeline,
                        CheckProgram<GlPipeline>(launch, context_.get()));
  Recorded recorded;
  recorded.label = launch.label;
  recorded.keep = launch.pipeline;
  recorded.pipeline = pipeline;
  recorded.uniform_words = launch.uniform_words;
  TERN_RETURN_IF_ERROR(SetSizes(launch, info, recorded.groups));
  TERN_RETURN_IF_ERROR(AddRanges(launch, info, recorded));
  if (launch.group != pipeline->group()) return Invalid("the program has groups of another size");
  launches_.push_back(std::move(recorded));
  return absl::OkStatus();
}

absl::Status GlCommands::AddRanges(const Launch& launch, const DeviceInfo& info, Recorded& to) {
  if (static_cast<int>(launch.buffers.size()) > info.max_buffers)
    return TooLarge("too many buffers (", launch.buffers.size(), ", limit ", info.max_buffers, ")");
  int texel_buffers = 0;
  for (size_t i = 0; i < launch.buffers.size(); ++i) {
    const BufferRange& range = launch.buffers[i];
    const BufferParam& param = to.pipeline->buffer(i);
    TERN_RETURN_IF_ERROR(CheckArgument(range, info));
    TERN_ASSIGN_OR_RETURN(const GlBuffer* buffer,
                          CheckRange<GlBuffer>(range, range.bytes, context_.get()));
    to.ranges.push_back({range.buffer, buffer, range.offset, range.bytes});
    if (param.texels) {
      if (++texel_buffers > info.max_texel_buffers)
        return TooLarge("too many texel buffers (", texel_buffers, ", limit ",
                        info.max_texel_buffers, ")");
      TERN_ASSIGN_OR_RETURN(to.ranges.back().texture, TextureOf(to.ranges.back(), param, info));
    }
    if (buffer->imported()) foreign_.insert(buffer);
  }
  slots_ = std::max(slots_, static_cast<GLuint>(to.ranges.size()));
  return absl::OkStatus();
}

absl::StatusOr<GLuint> GlCommands::TextureOf(const BoundRange& range, const BufferParam& param,
                                             const DeviceInfo& info) {
  GlHandle& texture = textures_[{range.buffer, range.offset, range.bytes, param.element}];
  if (texture.get() == 0) {
    TERN_ASSIGN_OR_RETURN(
        texture, range.buffer->TexelTexture(range.offset, range.bytes, param.element, info));
  }
  return texture.get();
}

absl::Status GlCommands::Submit(GlTimer* timer) {
  TERN_RETURN_IF_ERROR(CheckForeign());
  absl::Status status;
  if (timer != nullptr) timer->Stamp();
  // Launches of other commands may have written what is read.
  if (!textures_.empty()) context_->gl().MemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
  for (const Recorded& launch : launches_) {
    status = WithPrefix(Start(launch), launch.label);
    if (!status.ok()) break;
    if (timer != nullptr) timer->Stamp();
  }
  if (!foreign_.empty()) LetGo();
  context_->gl().Flush();
  TERN_RETURN_IF_ERROR(status);
  return GlCheck(context_->gl(), "glFlush");
}

absl::Status GlCommands::CheckForeign() const {
  for (const GlBuffer* buffer : foreign_) TERN_RETURN_IF_ERROR(buffer->CheckForeign());
  return absl::OkStatus();
}

// The application may use its buffers in any way next.
void GlCommands::LetGo() const {
  const GlFunctions& gl = context_->gl();
  gl.MemoryBarrier(GL_ALL_BARRIER_BITS);
  for (GLuint slot = 0; slot < slots_; ++slot) gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, slot, 0);
}

absl::Status GlCommands::Start(const Recorded& launch) const {
  const GlFunctions& gl = context_->gl();
  launch.pipeline->Use(launch.uniform_words);
  TERN_RETURN_IF_ERROR(GlCheck(gl, "glUseProgram"));
  GLuint slot = 0, unit = 0;
  for (const BoundRange& range : launch.ranges) {
    if (range.texture == 0) {
      range.buffer->Bind(slot++, range.offset, range.bytes);
    } else {
      gl.ActiveTexture(GL_TEXTURE0 + unit++);
      gl.BindTexture(GL_TEXTURE_BUFFER_EXT, range.texture);
    }
  }
  TERN_RETURN_IF_ERROR(GlCheck(gl, "glBindBufferRange"));
  gl.DispatchCompute(launch.groups[0], launch.groups[1], launch.groups[2]);
  gl.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT |
                   (textures_.empty() ? 0 : GL_TEXTURE_FETCH_BARRIER_BIT));
  return GlCheck(gl, "glDispatchCompute");
}

}  // namespace tern::gpu
