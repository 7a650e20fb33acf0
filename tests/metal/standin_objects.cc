// SPDX-License-Identifier: Apache-2.0
#include "metal/standin_objects.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <set>
#include <thread>

#include "base/clock.h"
#include "base/status.h"
#include "gpu/backends/host/host_device.h"
#include "metal/standin.h"

namespace tern::metal_standin {
namespace {

constexpr UInteger kSlots = 31;
constexpr UInteger kMaxBytes = 4096;

gpu::DeviceInfo HostInfo() {
  gpu::DeviceInfo info = gpu::HostDeviceInfo();
  info.max_buffers = kSlots;
  info.max_group_items = 1024;
  info.max_group = {1024, 1024, 1024};
  info.local_memory_bytes = 32 << 10;
  info.max_slice_width = 4;
  info.buffer_alignment = 64;
  return info;
}

// Command buffers run one after the other on a thread of their own. Only those of one queue keep
// their order: of several that may begin it is the youngest that does, so that whoever relies on
// another order without an event computes wrong numbers.
class Gpu {
 public:
  void Take(CommandBuffer* buffer) {
    const std::lock_guard lock(mutex_);
    if (!started_) {
      started_ = true;
      std::thread([this] { Loop(); }).detach();
    }
    waiting_.push_back(buffer);
    ++held_;
    changed_.notify_all();
  }

  void WaitUntilIdle() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return held_ == 0; });
  }

 private:
  [[noreturn]] void Loop() {
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !waiting_.empty(); });
      }
      while (TheSettings().holds) std::this_thread::yield();
      CommandBuffer* const next = Next();
      next->Run();
      Release(IdOf(next));
      const std::lock_guard lock(mutex_);
      --held_;
      changed_.notify_all();
    }
  }

  CommandBuffer* Next() {
    const std::lock_guard lock(mutex_);
    std::set<const Queue*> queues;
    std::vector<CommandBuffer*> may_begin;
    for (CommandBuffer* const buffer : waiting_) {
      const bool first = queues.insert(buffer->queue).second;
      if (first && buffer->MayBegin()) may_begin.push_back(buffer);
    }
    if (may_begin.empty()) Fail("no command buffer can begin: their events are not signaled");
    // The oldest has its turn, too: an aggressive thread commits empty work again and again.
    const bool oldest = may_begin.size() == 1 || passed_over_ == kMaxPassedOver;
    passed_over_ = oldest ? 0 : passed_over_ + 1;
    CommandBuffer* const next = oldest ? may_begin.front() : may_begin.back();
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), next));
    return next;
  }

  static constexpr int kMaxPassedOver = 8;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<CommandBuffer*> waiting_;
  int held_ = 0;  // waiting, running, or not released yet
  int passed_over_ = 0;
  bool started_ = false;
};

Gpu& TheGpu() {
  static auto* const gpu = new Gpu;  // its thread never ends
  return *gpu;
}

}  // namespace

void WaitUntilIdle() { TheGpu().WaitUntilIdle(); }

namespace {

double Seconds() { return static_cast<double>(NowNanos()) * 1e-9; }

std::string Size(const MetalSize& size) {
  return StrCat(size.width, " x ", size.height, " x ", size.depth);
}

gpu::Int3 Int3Of(const MetalSize& size) {
  return {static_cast<int>(size.width), static_cast<int>(size.height),
          static_cast<int>(size.depth)};
}

Buffer* BufferOf(Device* device, Id id) {
  auto* const buffer = As<Buffer>(id);
  if (buffer->device != device) Fail("a buffer of another device");
  return buffer;
}

}  // namespace

Device::Device()
    : Object("MTLDevice"),
      host(gpu::OpenHostDevice(HostInfo())),
      name(TheSettings().name),
      unified_memory(TheSettings().unified_memory) {}

void CommandBuffer::CheckEncodable(const char* what) {
  if (Status() >= gpu::metal::kCommitted)
    Fail(StrCat(what, " of a command buffer that is committed"));
  if (encoding) Fail(StrCat(what, " while another encoder is open"));
}

Event* CommandBuffer::EventOf(Id event, const char* what) {
  CheckEncodable(what);
  auto* const found = As<Event>(event);
  if (found->device != device) Fail("an event of another device");
  used.push_back(Retain(event));
  return found;
}

void CommandBuffer::Signal(Id id, UInteger value) {
  Event* const event = EventOf(id, "encodeSignalEvent");
  if (event->encoded.exchange(value) >= value)
    Fail(StrCat("signal of ", value, ", which is no more than the event's last"));
  signals_.emplace_back(event, value);
}

void CommandBuffer::WaitFor(Id id, UInteger value) {
  waits_.emplace_back(EventOf(id, "encodeWaitForEvent"), value);
}

bool CommandBuffer::MayBegin() const {
  return std::all_of(waits_.begin(), waits_.end(),
                     [](const auto& wait) { return wait.first->value >= wait.second; });
}

int CommandBuffer::Status() {
  const std::lock_guard lock(mutex_);
  return status_;
}

void CommandBuffer::Commit() {
  if (encoding) Fail("commit while an encoder is open");
  {
    const std::lock_guard lock(mutex_);
    if (status_ >= gpu::metal::kCommitted) Fail("commit of a command buffer that is committed");
    status_ = gpu::metal::kCommitted;
  }
  for (const auto& [event, value] : waits_) {
    if (event->committed < value)
      Fail(StrCat("commit of a wait for ", value, ", which nothing that is committed signals"));
  }
  for (const auto& [event, value] : signals_) event->committed = value;
  ++TheCounts().commits;
  Retain(IdOf(this));
  TheGpu().Take(this);
}

void CommandBuffer::Run() {
  start = Seconds();
  absl::Status status;
  const int code = TheSettings().next_error.exchange(0);
  if (code == 0) {
    for (const auto& step : work) {
      if (status.ok()) status = step();
    }
  }
  end = Seconds();
  if (code != 0) error = IdOf(new Error(StrCat("planted error ", code), code));
  if (!status.ok()) error = IdOf(new Error(std::string(Message(status)), 1));
  // A GPU that stops midway does not come to the signals.
  if (error == nullptr) {
    for (const auto& [event, value] : signals_) event->value = value;
  }
  work.clear();
  for (const Id id : used) Release(id);
  used.clear();
  Finish(error != nullptr ? gpu::metal::kFailed : gpu::metal::kCompleted);
}

void CommandBuffer::Finish(int status) {
  const std::lock_guard lock(mutex_);
  status_ = status;
  changed_.notify_all();
}

void CommandBuffer::Wait() {
  std::unique_lock lock(mutex_);
  if (status_ < gpu::metal::kCommitted) Fail("wait for a command buffer that is not committed");
  changed_.wait(lock, [this] { return status_ >= gpu::metal::kCompleted; });
}

void CommandBuffer::End() {
  if (encoding) Fail("the last reference to a command buffer went while its encoder is open");
  for (const Id id : used) Release(id);
  used.clear();
  if (error != nullptr) Release(error);
  Release(IdOf(queue));
  OfDevice::End();
}

void Encoder::End() {
  if (open) Fail("the last reference to an encoder went before endEncoding");
  Release(IdOf(into));
  OfDevice::End();
}

void Encoder::CheckOpen(const char* what) const {
  if (!open) Fail(StrCat(what, " after endEncoding"));
}

void Encoder::EndEncoding() {
  CheckOpen("endEncoding");
  open = false;
  into->encoding = false;
}

void ComputeEncoder::SetBuffer(Id id, UInteger offset, UInteger index) {
  CheckOpen("setBuffer");
  if (index >= kSlots) Fail(StrCat("buffer index ", index, ", limit ", kSlots));
  Buffer* const buffer = BufferOf(device, id);
  if (offset % 4 != 0) Fail(StrCat("buffer offset ", offset, " is no multiple of 4"));
  if (offset >= buffer->length)
    Fail(StrCat("buffer offset ", offset, " of a buffer of ", buffer->length, " bytes"));
  bound_[index] = {buffer, offset, {}};
  into->used.push_back(Retain(id));
}

void ComputeEncoder::SetBytes(const void* bytes, UInteger length, UInteger index) {
  CheckOpen("setBytes");
  if (index >= kSlots) Fail(StrCat("buffer index ", index, ", limit ", kSlots));
  if (length == 0 || length > kMaxBytes)
    Fail(StrCat("setBytes of ", length, " bytes, limit ", kMaxBytes));
  Bound bound;
  bound.words.resize((length + 3) / 4);
  std::memcpy(bound.words.data(), bytes, length);
  bound_[index] = std::move(bound);
}

void ComputeEncoder::Dispatch(MetalSize groups, MetalSize group) {
  CheckOpen("dispatch");
  if (pipeline == nullptr) Fail("dispatch without a pipeline");
  if (groups.width * groups.height * groups.depth == 0) Fail(StrCat("grid of ", Size(groups)));
  const UInteger items = group.width * group.height * group.depth;
  const auto max = static_cast<UInteger>(device->host->info().max_group_items);
  if (items == 0 || items > max)
    Fail(StrCat("thread group of ", Size(group), ", limit ", max, " in all"));
  const gpu::Signature& signature = pipeline->signature;
  gpu::Launch launch;
  launch.label = "dispatch";
  launch.pipeline = pipeline->program;
  for (size_t i = 0; i < signature.buffers.size(); ++i) {
    const auto found = bound_.find(i);
    if (found == bound_.end() || found->second.buffer == nullptr)
      Fail(StrCat("no buffer at index ", i, ", which the kernel takes"));
    const Bound& bound = found->second;
    launch.buffers.push_back({bound.buffer->memory, static_cast<int64_t>(bound.offset),
                              static_cast<int64_t>(bound.buffer->length - bound.offset)});
  }
  if (!signature.uniforms.empty()) {
    const auto found = bound_.find(signature.buffers.size());
    if (found == bound_.end() || found->second.words.size() < signature.uniforms.size())
      Fail(StrCat("no ", 4 * signature.uniforms.size(), " bytes at index ",
                  signature.buffers.size(), ", which the kernel takes"));
    launch.uniform_words.assign(
        found->second.words.begin(),
        found->second.words.begin() + static_cast<std::ptrdiff_t>(signature.uniforms.size()));
  }
  launch.group = Int3Of(group);
  launch.grid = Int3Of(groups);
  for (int axis = 0; axis < 3; ++axis) launch.grid[axis] *= launch.group[axis];
  ++TheCounts().dispatches;
  into->used.push_back(Retain(IdOf(pipeline)));
  into->work.emplace_back([host = device->host, launch = std::move(launch)]() -> absl::Status {
    TERN_ASSIGN_OR_RETURN(const std::unique_ptr<gpu::Commands> commands, host->Record({launch}));
    return host->Submit(*commands);
  });
}

void BlitEncoder::Copy(Id from, UInteger from_offset, Id to, UInteger to_offset, UInteger size) {
  CheckOpen("copy");
  Buffer* const source = BufferOf(device, from);
  Buffer* const target = BufferOf(device, to);
  if (size == 0 || size % 4 != 0 || from_offset % 4 != 0 || to_offset % 4 != 0)
    Fail(StrCat("copy of ", size, " bytes from ", from_offset, " to ", to_offset,
                ": multiples of 4 are copied"));
  if (from_offset + size > source->length || to_offset + size > target->length)
    Fail(StrCat("copy of ", size, " bytes beyond a buffer"));
  ++TheCounts().copies;
  into->used.push_back(Retain(from));
  into->used.push_back(Retain(to));
  into->work.emplace_back([=] {
    std::memcpy(gpu::HostMemory(*target->memory) + to_offset,
                gpu::HostMemory(*source->memory) + from_offset, size);
    return absl::OkStatus();
  });
}

}  // namespace tern::metal_standin
