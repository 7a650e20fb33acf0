// SPDX-License-Identifier: Apache-2.0
// The memory of a plan on a device: where each tensor lies, and the constants.
#ifndef TERN_GPU_DEVICE_DEVICE_MEMORY_H_
#define TERN_GPU_DEVICE_DEVICE_MEMORY_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/desc/plan.h"
#include "gpu/device/buffer_store.h"
#include "gpu/device/device.h"

namespace tern::gpu {

// An input or output of a plan, by its number.
struct Io {
  bool is_output = false;
  int number = 0;
  auto operator<=>(const Io&) const = default;
};
inline Io Input(int i) { return {false, i}; }
inline Io Output(int i) { return {true, i}; }

// "input 0".
std::string NameOf(Io io);
absl::StatusOr<TensorId> FindIo(const Plan& plan, Io io);

// Memory of the user that stands for inputs and outputs. It holds the row-major elements of the
// tensor, FLOAT32 or INT32, and may be longer.
using IoMemory = std::map<Io, BufferRange>;

// The place of each tensor of a plan, by its id.
using TensorRanges = std::vector<BufferRange>;

// Puts the user's memory in the place of inputs and outputs. Errors: it is too short, or an output
// overlaps another input or output.
absl::Status PlaceGiven(const Plan& plan, const IoMemory& given, TensorRanges* ranges);

class DeviceMemory {
 public:
  // Buffers of the right size come out of the store, and go back at the end; constants that already
  // lie in one are not uploaded again.
  DeviceMemory(std::shared_ptr<Device> device, std::shared_ptr<BufferStore> store)
      : device_(std::move(device)), store_(std::move(store)) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Allocates all tensors that the user gives no memory for, and uploads the constants, a piece at
  // a time. To be called once.
  absl::StatusOr<TensorRanges> Allocate(const Plan& plan, const IoMemory& given,
                                        const FillConstant& fill, Queue& queue);

  int64_t bytes() const { return bytes_; }  // without the user's

 private:
  struct Owned {
    std::shared_ptr<Buffer> buffer;
    int64_t bytes = 0;
    uint64_t content = 0;  // hash of the constants in it
  };

  std::shared_ptr<Buffer> Own(std::shared_ptr<Buffer> buffer, int64_t bytes, uint64_t content = 0);
  absl::StatusOr<std::shared_ptr<Buffer>> Create(int64_t bytes);
  // A buffer of Plan::constants.
  absl::StatusOr<std::shared_ptr<Buffer>> Constants(const Plan& plan, size_t number,
                                                    const FillConstant& fill, Queue& queue);

  const std::shared_ptr<Device> device_;
  const std::shared_ptr<BufferStore> store_;
  std::vector<Owned> owned_;
  int64_t bytes_ = 0;
};

}  // namespace tern::gpu

#endif  // TERN_GPU_DEVICE_DEVICE_MEMORY_H_
