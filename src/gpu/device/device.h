// SPDX-License-Identifier: Apache-2.0
// The contract of a backend: memory, programs and recorded launches of one device. Implementations
// are safe to use from several threads at once; one Commands object is used by one thread at a
// time.
#ifndef TERN_GPU_DEVICE_DEVICE_H_
#define TERN_GPU_DEVICE_DEVICE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gpu/desc/device_info.h"
#include "gpu/source/language.h"

namespace tern::gpu {

class Buffer {
 public:
  virtual ~Buffer() = default;
};

// A program as its driver has built it. The bytes mean something to that driver alone.
struct ProgramBinary {
  uint32_t format = 0;  // the driver's number for their form; 0 where forms have no numbers
  uint32_t part = 0;  // which program it is, where the bytes are of several that were built at once
  // Shared by those; null: there is no binary.
  std::shared_ptr<const std::vector<uint8_t>> bytes;
};

class Pipeline {
 public:
  virtual ~Pipeline() = default;

  // Returns the binary for Device::Load. Some drivers build parts of a program at its first launch;
  // only later binaries have them. Unimplemented: the driver, or its API, gives no binaries.
  virtual absl::StatusOr<ProgramBinary> Binary() const {
    return absl::UnimplementedError("the driver gives no program binaries");
  }
};

// Launches with all arguments set, ready to be submitted any number of times.
class Commands {
 public:
  virtual ~Commands() = default;
};

// Part of a buffer; offsets are multiples of DeviceInfo::buffer_alignment.
struct BufferRange {
  std::shared_ptr<Buffer> buffer;
  int64_t offset = 0;
  int64_t bytes = 0;
};

// A buffer that the application made in the API that it shares with a device.
struct SharedBuffer {
  SharedBuffer(uint64_t its_number, int64_t its_bytes = 0)  // NOLINT(google-explicit-constructor)
      : number(its_number), bytes(its_bytes) {}

  uint64_t number;  // or handle, or address: its name in the API
  int64_t bytes;    // 0: the API tells
};

// The text of a program, and all else that Compile needs.
struct ProgramSource {
  std::string text;
  Signature signature;
  bool has_barrier = false;
};

struct Launch {
  std::string label;
  std::shared_ptr<Pipeline> pipeline;
  std::vector<BufferRange> buffers;     // in the order of the signature
  std::vector<uint32_t> uniform_words;  // in the order of the signature
  Int3 grid = {1, 1, 1};   // work-items; each axis >= 1, rounded up to whole groups by the backend
  Int3 group = {1, 1, 1};  // of the signature that the text was printed for: texts may have it
};

// When a launch ran, by the device's clock.
struct LaunchTime {
  int64_t start_nanos = 0;  // since the first launch of the submission began
  int64_t nanos = 0;

  // From readings of a clock; what lies before its predecessor in time counts as with it.
  static LaunchTime Between(uint64_t zero, uint64_t start, uint64_t end) {
    start = start < zero ? zero : start;
    end = end < start ? start : end;
    return {static_cast<int64_t>(start - zero), static_cast<int64_t>(end - start)};
  }
};

// Takes work in order: each copy and each launch sees the writes of those before. The work of two
// queues of a device may overlap; one sees the writes of the other that were waited for there. Work
// under way keeps what it uses: queue, commands and buffers may end before it has finished.
class Queue {
 public:
  virtual ~Queue() = default;

  // Copies between host memory and a range; both return when the host memory may be used again.
  virtual absl::Status Upload(const BufferRange& to, const void* from, int64_t bytes) = 0;
  virtual absl::Status Download(const BufferRange& from, void* to, int64_t bytes) = 0;

  // Returns before the launches have run; Download waits for them by itself.
  virtual absl::Status Submit(Commands& commands) = 0;
  // Submits into a command buffer of the application, which shares the API with this device, by its
  // number there. The application hands it to the GPU and waits for it. Error: the device shares
  // none, it is of another device, or was handed over before.
  virtual absl::Status SubmitInto(Commands& commands, uint64_t command_buffer);
  // Blocks until everything submitted so far to this queue has finished.
  virtual absl::Status Wait() = 0;
  // Submit and Wait in one: the time of each launch, in their order; none where the device lost
  // count. Unimplemented: the driver tells no times, and nothing was submitted.
  virtual absl::StatusOr<std::vector<LaunchTime>> RunTimed(Commands& commands);
};

// A device is itself a queue, for callers that need no other.
class Device : public Queue {
 public:
  virtual const DeviceInfo& info() const = 0;
  virtual const Language& language() const = 0;

  // Uninitialised memory of at least one byte.
  virtual absl::StatusOr<std::shared_ptr<Buffer>> CreateBuffer(int64_t bytes) = 0;
  // A whole buffer of the application. The application keeps owning it; its size must not change
  // while it is in use. A call of Submit, Upload or Download sees all commands that the
  // application's thread gave to the API before it. Error: the device shares nothing, or knows no
  // such buffer.
  virtual absl::StatusOr<BufferRange> Import(const SharedBuffer& buffer);

  // Builds a program; an error carries the driver's log. Callers go through ProgramCache.
  virtual absl::StatusOr<std::shared_ptr<Pipeline>> Compile(const ProgramSource& source) = 0;

  // Loads a pipeline from the bytes of Pipeline::Binary for an equal source on a device with equal
  // info(); the text is not read and may be missing. The bytes must be as they were given: drivers
  // trust them. An error where the driver does not take them any longer.
  virtual absl::StatusOr<std::shared_ptr<Pipeline>> Load(const ProgramSource& source,
                                                         const ProgramBinary& binary);

  // Compile for each source and Load for each binary, in their order: several at the same time, or
  // together where the driver is quicker so. A failure of one is not one of the others.
  using Pipelines = std::vector<absl::StatusOr<std::shared_ptr<Pipeline>>>;
  virtual Pipelines CompileAll(std::span<const ProgramSource> sources);
  virtual Pipelines LoadAll(std::span<const ProgramSource> sources,
                            std::span<const ProgramBinary> binaries);

  // Another queue for buffers and commands of this device. Null: there is none, the device serves.
  virtual std::shared_ptr<Queue> NewQueue() { return nullptr; }

  virtual absl::StatusOr<std::unique_ptr<Commands>> Record(const std::vector<Launch>& launches) = 0;

  // Whether the driver took the device away. Nothing on it works any more; a new one may.
  virtual bool lost() const { return false; }
};

inline absl::StatusOr<BufferRange> Device::Import(const SharedBuffer& /*buffer*/) {
  return absl::UnimplementedError("the device shares no buffers with the application");
}

inline absl::Status Queue::SubmitInto(Commands& /*commands*/, uint64_t /*command_buffer*/) {
  return absl::UnimplementedError("the device shares no command buffers with the application");
}

inline absl::StatusOr<std::vector<LaunchTime>> Queue::RunTimed(Commands& /*commands*/) {
  return absl::UnimplementedError("the driver tells no times of launches");
}

inline absl::StatusOr<std::shared_ptr<Pipeline>> Device::Load(const ProgramSource& /*source*/,
                                                              const ProgramBinary& /*binary*/) {
  return absl::UnimplementedError("the driver takes no program binaries");
}

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_DEVICE_H_
