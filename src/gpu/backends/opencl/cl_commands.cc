// SPDX-License-Identifier: Apache-2.0
// All checks are made when recording; submitting only enqueues.
#include "gpu/backends/opencl/cl_commands.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/status.h"
#include "gpu/backends/opencl/cl_error.h"
#include "gpu/backends/opencl/cl_memory.h"
#include "gpu/backends/opencl/cl_pipeline.h"
#include "gpu/device/launch_checks.h"
#include "gpu/device/own_objects.h"

namespace tern::gpu {

absl::StatusOr<std::unique_ptr<ClCommands>> ClCommands::Record(
    std::shared_ptr<ClContext> context, const DeviceInfo& info,
    const std::vector<Launch>& launches) {
  std::unique_ptr<ClCommands> commands(new ClCommands(std::move(context)));
  for (const Launch& launch : launches) {
    const absl::Status status = commands->Add(launch, info);
    if (!status.ok()) return WithPrefix(status, launch.label);
  }
  return commands;
}

ClCommands::~ClCommands() {
  if (images_.empty() || events_.empty() || !context_->Check().ok()) return;
  const cl_event last = events_.back().get();
  constexpr int kAttempts = 2;  // the first may fail for want of memory
  for (int i = 0; i < kAttempts; ++i) {
    if (context_->cl().WaitForEvents(1, &last) == CL_SUCCESS) return;
  }
  for (auto& [key, image] : images_) image.Abandon();  // a launch may still read it
}

absl::Status ClCommands::Add(const Launch& launch, const DeviceInfo& info) {
  TERN_ASSIGN_OR_RETURN(const ClPipeline* const pipeline,
                        CheckProgram<const ClPipeline>(launch, context_.get()));
  Recorded recorded;
  recorded.label = launch.label;
  recorded.pipeline = launch.pipeline;
  TERN_ASSIGN_OR_RETURN(recorded.kernel, pipeline->CreateKernel());
  TERN_RETURN_IF_ERROR(SetSizes(launch, info, recorded));
  TERN_RETURN_IF_ERROR(SetArguments(launch, info, recorded));
  launches_.push_back(std::move(recorded));
  return absl::OkStatus();
}

absl::Status ClCommands::SetSizes(const Launch& launch, const DeviceInfo& info,
                                  Recorded& to) const {
  TERN_ASSIGN_OR_RETURN(const Int3 groups, CountGroups(launch, info));
  for (int axis = 0; axis < 3; ++axis) {
    const int64_t global = int64_t{groups[axis]} * launch.group[axis];
    if (global > INT32_MAX)
      return TooLarge("grid (", launch.grid[axis], ", limit ", INT32_MAX, ")");
    to.local[axis] = static_cast<size_t>(launch.group[axis]);
    to.global[axis] = static_cast<size_t>(global);
  }
  // A kernel that needs many registers may allow less than the device does.
  size_t allowed = 0;
  TERN_RETURN_IF_ERROR(ClStatus(context_->cl().GetKernelWorkGroupInfo(
                                    to.kernel.get(), context_->device(), CL_KERNEL_WORK_GROUP_SIZE,
                                    sizeof(allowed), &allowed, nullptr),
                                "clGetKernelWorkGroupInfo"));
  return CheckGroupItems(launch, std::min<uint64_t>(allowed, info.max_group_items));
}

absl::Status ClCommands::SetArguments(const Launch& launch, const DeviceInfo& info, Recorded& to) {
  cl_uint index = 0;
  const auto set = [&](size_t bytes, const void* value) {
    const cl_int code = context_->cl().SetKernelArg(to.kernel.get(), index, bytes, value);
    return ClStatus(code, StrCat("clSetKernelArg ", index++));
  };
  if (static_cast<int>(launch.buffers.size()) > info.max_buffers)
    return TooLarge("too many buffers (", launch.buffers.size(), ", limit ", info.max_buffers, ")");
  int texel_buffers = 0;
  for (size_t i = 0; i < launch.buffers.size(); ++i) {
    const BufferRange& range = launch.buffers[i];
    const BufferParam& param = static_cast<const ClPipeline&>(*to.pipeline).buffer(i);
    TERN_RETURN_IF_ERROR(CheckArgument(range, info));
    TERN_ASSIGN_OR_RETURN(ClBuffer * buffer,
                          CheckRange<ClBuffer>(range, range.bytes, context_.get()));
    to.buffers.push_back(range.buffer);
    if (param.texels) {
      if (++texel_buffers > info.max_texel_buffers)
        return TooLarge("too many texel buffers (", texel_buffers, ", limit ",
                        info.max_texel_buffers, ")");
      TERN_ASSIGN_OR_RETURN(const cl_mem image, ImageOf(*buffer, param.element, info));
      const cl_int first = static_cast<cl_int>(range.offset / BytesOf(param.element, 4));
      TERN_RETURN_IF_ERROR(set(sizeof(image), &image));
      TERN_RETURN_IF_ERROR(set(sizeof(first), &first));
      continue;
    }
    const cl_mem memory = buffer->memory();
    const cl_ulong offset = static_cast<cl_ulong>(range.offset);
    TERN_RETURN_IF_ERROR(set(sizeof(memory), &memory));
    TERN_RETURN_IF_ERROR(set(sizeof(offset), &offset));
  }
  for (const uint32_t word : launch.uniform_words) TERN_RETURN_IF_ERROR(set(sizeof(word), &word));
  return absl::OkStatus();
}

absl::StatusOr<cl_mem> ClCommands::ImageOf(const ClBuffer& buffer, Element element,
                                           const DeviceInfo& info) {
  const int64_t texels = buffer.bytes() / BytesOf(element, 4);
  if (texels > info.max_texels)
    return TooLarge("too many texels (", texels, ", limit ", info.max_texels, ")");
  ClHandle<cl_mem>& image = images_[{&buffer, element}];
  if (image.get() == nullptr) {
    TERN_ASSIGN_OR_RETURN(image, buffer.Texels(element));
  }
  return image.get();
}

absl::Status ClCommands::Enqueue(cl_command_queue queue, Events wanted) {
  const ClFunctions& cl = context_->cl();
  events_.clear();
  for (const Recorded& launch : launches_) {
    // The queue is in order.
    const bool last_reader = !images_.empty() && &launch == &launches_.back();
    cl_event event = nullptr;
    cl_event* const to = wanted == Events::kOfAll || last_reader ? &event : nullptr;
    const cl_int code =
        cl.EnqueueNDRangeKernel(queue, launch.kernel.get(), 3, nullptr, launch.global.data(),
                                launch.local.data(), 0, nullptr, to);
    if (code != CL_SUCCESS) {
      if (!images_.empty()) (void)cl.Finish(queue);  // no event tells when those before have ended
      return ClStatus(code, StrCat(launch.label, ": clEnqueueNDRangeKernel"));
    }
    if (to != nullptr) events_.emplace_back(event, cl.ReleaseEvent);
  }
  return absl::OkStatus();
}

absl::Status ClCommands::Submit(cl_command_queue queue) {
  TERN_RETURN_IF_ERROR(Enqueue(queue, Events::kOfLastReader));
  return ClStatus(context_->cl().Flush(queue), "clFlush");
}

absl::StatusOr<std::vector<LaunchTime>> ClCommands::RunTimed(cl_command_queue after) {
  const ClFunctions& cl = context_->cl();
  TERN_ASSIGN_OR_RETURN(const cl_command_queue queue, context_->TimingQueue());
  // The queues know nothing of each other.
  TERN_RETURN_IF_ERROR(ClStatus(cl.Finish(after), "clFinish"));
  TERN_RETURN_IF_ERROR(Enqueue(queue, Events::kOfAll));
  TERN_RETURN_IF_ERROR(ClStatus(cl.Finish(queue), "clFinish"));
  const auto read = [&](const ClHandle<cl_event>& event,
                        cl_profiling_info which) -> absl::StatusOr<cl_ulong> {
    cl_ulong time = 0;
    TERN_RETURN_IF_ERROR(
        ClStatus(cl.GetEventProfilingInfo(event.get(), which, sizeof(time), &time, nullptr),
                 "clGetEventProfilingInfo"));
    return time;
  };
  std::vector<LaunchTime> times;
  cl_ulong zero = 0;
  for (const ClHandle<cl_event>& event : events_) {
    TERN_ASSIGN_OR_RETURN(const cl_ulong start, read(event, CL_PROFILING_COMMAND_START));
    TERN_ASSIGN_OR_RETURN(const cl_ulong end, read(event, CL_PROFILING_COMMAND_END));
    if (times.empty()) zero = start;
    times.push_back(LaunchTime::Between(zero, start, end));
  }
  events_.clear();  // all have ended
  return times;
}

}  // namespace tern::gpu
