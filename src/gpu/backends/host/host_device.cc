// SPDX-License-Identifier: Apache-2.0
// Submit runs everything before it returns. Groups without barriers are plain loops, shared by two
// threads when there are many; groups with barriers get a thread per work-item.
#include "gpu/backends/host/host_device.h"

#include <stdlib.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <thread>

#include "base/clock.h"
#include "base/status.h"
#include "base/subnormals.h"
#include "gpu/backends/host/group_barrier.h"
#include "gpu/backends/host/host_compile.h"
#include "gpu/device/launch_checks.h"
#include "gpu/languages/metal_language.h"

namespace tern::gpu {
namespace {

constexpr int64_t kAlignment = 64;           // of the widest slice
constexpr uint32_t kItemsForThreads = 2048;  // fewer are not worth a second thread

// Exactly as long as asked for, so that address sanitizers see every access beyond it.
class HostBuffer : public Buffer {
 public:
  explicit HostBuffer(int64_t bytes) : bytes_(bytes) {
    if (posix_memalign(&data_, kAlignment, static_cast<size_t>(bytes)) != 0) data_ = nullptr;
    // All ones is not a number as float and as half: reading what nobody wrote shows.
    if (data_ != nullptr) std::memset(data_, 0xFF, static_cast<size_t>(bytes));
  }
  ~HostBuffer() override { free(data_); }
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;

  char* data() const { return static_cast<char*>(data_); }
  int64_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  int64_t bytes_;
};

struct HostPipeline : Pipeline {
  HostProgram program;
  size_t buffers = 0, uniforms = 0;
  bool has_barrier = false, has_locals = false;
};

struct HostLaunch {
  std::string label;
  std::shared_ptr<HostPipeline> pipeline;
  std::vector<std::shared_ptr<Buffer>> owners;
  std::vector<void*> buffers;
  std::vector<uint32_t> uniforms;
  uint32_t group[3] = {1, 1, 1};
  uint32_t groups[3] = {1, 1, 1};

  uint32_t items() const { return group[0] * group[1] * group[2]; }
  uint32_t group_count() const { return groups[0] * groups[1] * groups[2]; }
};

struct HostCommands : Commands {
  std::vector<HostLaunch> launches;
};

absl::StatusOr<char*> Address(const BufferRange& range, int64_t bytes) {
  const auto* buffer = dynamic_cast<const HostBuffer*>(range.buffer.get());
  if (buffer == nullptr) return Invalid("the range has no buffer of this device");
  TERN_RETURN_IF_ERROR(CheckWithin(range, bytes, buffer->bytes()));
  return buffer->data() + range.offset;
}

// BARRIER and the local arrays of a program belong to one launch at a time.
std::mutex& LocalMemory() {
  static std::mutex mutex;
  return mutex;
}

// Like every device, it sees subnormal numbers as it likes, whatever the caller's processor does.
void RunPlain(const HostLaunch& launch) {
  const SubnormalMode mode(/*flushes=*/false);
  const HostPipeline& pipeline = *launch.pipeline;
  std::unique_lock<std::mutex> lock(LocalMemory(), std::defer_lock);
  if (pipeline.has_locals) lock.lock();
  auto run = [&](uint32_t first, uint32_t last) {
    pipeline.program.run_groups(launch.buffers.data(), launch.uniforms.data(), launch.group,
                                launch.groups, first, last);
  };
  const uint32_t count = launch.group_count();
  if (pipeline.has_locals || count < 2 || uint64_t{count} * launch.items() < kItemsForThreads)
    return run(0, count);
  std::thread second(run, count / 2, count);
  run(0, count / 2);
  second.join();
}

// One thread per work-item walks through all groups.
absl::Status RunWithBarriers(const HostLaunch& launch) {
  const SubnormalMode mode(/*flushes=*/false);
  const HostProgram& program = launch.pipeline->program;
  const std::lock_guard<std::mutex> lock(LocalMemory());
  *program.barrier = &GroupBarrier::WaitOfThisThread;
  GroupBarrier barrier(launch.items());
  auto run = [&](uint32_t item) {
    barrier.Enter();
    const uint32_t* size = launch.group;
    const uint32_t local[3] = {item % size[0], item / size[0] % size[1], item / size[0] / size[1]};
    for (uint32_t group = 0; group < launch.group_count(); ++group) {
      const uint32_t place[3] = {group % launch.groups[0],
                                 group / launch.groups[0] % launch.groups[1],
                                 group / launch.groups[0] / launch.groups[1]};
      uint32_t ids[9];
      for (int axis = 0; axis < 3; ++axis) {
        ids[axis] = place[axis] * size[axis] + local[axis];
        ids[3 + axis] = local[axis];
        ids[6 + axis] = place[axis];
      }
      program.run_item(launch.buffers.data(), launch.uniforms.data(), ids);
      barrier.FinishGroup();
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t item = 1; item < launch.items(); ++item) threads.emplace_back(run, item);
  run(0);
  for (std::thread& thread : threads) thread.join();
  if (!barrier.diverged()) return absl::OkStatus();
  return Invalid(launch.label, ": some work-items of a group ended before a BARRIER of the others");
}

class HostDevice : public Device {
 public:
  explicit HostDevice(DeviceInfo info) : info_(std::move(info)) {}

  const DeviceInfo& info() const override { return info_; }
  const Language& language() const override { return language_; }

  absl::StatusOr<std::shared_ptr<Buffer>> CreateBuffer(int64_t bytes) override {
    TERN_RETURN_IF_ERROR(CheckBufferSize(bytes, info_));
    auto buffer = std::make_shared<HostBuffer>(bytes);
    if (buffer->data() == nullptr) return TooLarge("out of memory (", bytes, " bytes)");
    return buffer;
  }

  absl::Status Upload(const BufferRange& to, const void* from, int64_t bytes) override {
    TERN_ASSIGN_OR_RETURN(char* const data, Address(to, bytes));
    if (bytes > 0) std::memcpy(data, from, static_cast<size_t>(bytes));
    return absl::OkStatus();
  }

  absl::Status Download(const BufferRange& from, void* to, int64_t bytes) override {
    TERN_ASSIGN_OR_RETURN(const char* const data, Address(from, bytes));
    if (bytes > 0) std::memcpy(to, data, static_cast<size_t>(bytes));
    return absl::OkStatus();
  }

  absl::StatusOr<std::shared_ptr<Pipeline>> Compile(const ProgramSource& source) override {
    TERN_ASSIGN_OR_RETURN(const HostProgram program, CompileForHost(source));
    auto pipeline = std::make_shared<HostPipeline>();
    pipeline->program = program;
    pipeline->buffers = source.signature.buffers.size();
    pipeline->uniforms = source.signature.uniforms.size();
    pipeline->has_barrier = source.has_barrier;
    pipeline->has_locals = !source.signature.locals.empty();
    return pipeline;
  }

  absl::StatusOr<std::unique_ptr<Commands>> Record(const std::vector<Launch>& launches) override {
    auto commands = std::make_unique<HostCommands>();
    for (const Launch& launch : launches) {
      absl::StatusOr<HostLaunch> made = Prepare(launch);
      if (!made.ok()) return WithPrefix(made.status(), launch.label);
      commands->launches.push_back(*std::move(made));
    }
    return commands;
  }

  absl::Status Submit(Commands& commands) override { return RunTimed(commands).status(); }

  absl::StatusOr<std::vector<LaunchTime>> RunTimed(Commands& commands) override {
    auto* mine = dynamic_cast<HostCommands*>(&commands);
    if (mine == nullptr) return Invalid("the commands belong to another device");
    std::vector<LaunchTime> times;
    const int64_t zero = NowNanos();
    for (const HostLaunch& launch : mine->launches) {
      const int64_t start = times.empty() ? zero : NowNanos();
      if (launch.pipeline->has_barrier) {
        TERN_RETURN_IF_ERROR(RunWithBarriers(launch));
      } else {
        RunPlain(launch);
      }
      times.push_back({start - zero, NowNanos() - start});
    }
    return times;
  }

  absl::Status Wait() override { return absl::OkStatus(); }

 private:
  absl::StatusOr<HostLaunch> Prepare(const Launch& launch) const {
    HostLaunch made;
    made.label = launch.label;
    made.pipeline = std::dynamic_pointer_cast<HostPipeline>(launch.pipeline);
    if (made.pipeline == nullptr) return Invalid("no program of this device");
    TERN_RETURN_IF_ERROR(
        CheckArgumentCount(launch, made.pipeline->buffers, made.pipeline->uniforms));
    made.uniforms = launch.uniform_words;
    for (const BufferRange& range : launch.buffers) {
      TERN_RETURN_IF_ERROR(CheckArgument(range, info_));
      TERN_ASSIGN_OR_RETURN(char* const data, Address(range, range.bytes));
      made.owners.push_back(range.buffer);
      made.buffers.push_back(data);
    }
    TERN_ASSIGN_OR_RETURN(const Int3 counts, CountGroups(launch, info_));
    int64_t groups = 1;
    for (int axis = 0; axis < 3; ++axis) {
      made.group[axis] = static_cast<uint32_t>(launch.group[axis]);
      made.groups[axis] = static_cast<uint32_t>(counts[axis]);
      groups *= counts[axis];
      if (groups > INT32_MAX) return TooLarge("too many groups (", groups, ")");
    }
    TERN_RETURN_IF_ERROR(CheckGroupItems(launch, info_.max_group_items));
    return made;
  }

  const DeviceInfo info_;
  const MetalLanguage language_;
};

}  // namespace

DeviceInfo HostDeviceInfo() {
  DeviceInfo info;
  info.api = "host";
  info.name = "host compiler";
  info.vendor = "tern";
  info.driver = "1";
  info.compute_units = 2;
  info.native_vector_width = 4;
  info.max_slice_width = 16;
  info.max_buffers = 8;
  info.half_math = true;
  info.max_group_items = 128;
  info.max_group = {128, 128, 64};
  info.local_memory_bytes = 16 << 10;
  info.buffer_alignment = kAlignment;
  return info;
}

char* HostMemory(const Buffer& buffer) { return dynamic_cast<const HostBuffer&>(buffer).data(); }

std::shared_ptr<Device> OpenHostDevice(DeviceInfo info) {
  return std::make_shared<HostDevice>(std::move(info));
}

}  // namespace tern::gpu
