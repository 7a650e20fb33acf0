// SPDX-License-Identifier: Apache-2.0
// BOOL is floats on the device, and INT64 two tensors of its 32-bit halves.
#include "gpu/device/io_convert.h"

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "base/status.h"

namespace tern::gpu {
namespace {

// The halves of INT64 elements.
struct Halves {
  explicit Halves(int64_t bytes)
      : low(static_cast<size_t>(bytes) / sizeof(int64_t)), high(low.size()) {}
  void Split(const void* data) {
    const auto* from = static_cast<const char*>(data);
    for (size_t i = 0; i < low.size(); ++i) {
      std::memcpy(&low[i], from + i * sizeof(int64_t), sizeof(int32_t));
      std::memcpy(&high[i], from + i * sizeof(int64_t) + sizeof(int32_t), sizeof(int32_t));
    }
  }
  void Join(void* data) const {
    auto* to = static_cast<char*>(data);
    for (size_t i = 0; i < low.size(); ++i) {
      std::memcpy(to + i * sizeof(int64_t), &low[i], sizeof(int32_t));
      std::memcpy(to + i * sizeof(int64_t) + sizeof(int32_t), &high[i], sizeof(int32_t));
    }
  }
  absl::Status CheckIndices(const std::string& name) const {
    for (size_t i = 0; i < low.size(); ++i) {
      if (high[i] != (low[i] < 0 ? -1 : 0))
        return Invalid("tensor '", name, "' holds an index beyond 32 bits (element ", i, ")");
    }
    return absl::OkStatus();
  }
  std::vector<int32_t> low, high;
};

// The tensor, where the caller's bytes are its own. It is row-major without padding.
absl::StatusOr<TensorId> TensorOf(const Plan& plan, Io io, int64_t bytes) {
  TERN_ASSIGN_OR_RETURN(const TensorId id, FindIo(plan, io));
  const int64_t wanted = plan.tensors[id].io_bytes;
  if (bytes == wanted) return id;
  return Invalid(NameOf(io), " has ", bytes, " bytes, the plan has ", wanted);
}

}  // namespace

absl::Status IoConverter::Write(Io io, const void* data, int64_t bytes) const {
  TERN_ASSIGN_OR_RETURN(const TensorId id, TensorOf(plan, io, bytes));
  if (bytes == 0) return absl::OkStatus();
  const PlanTensor& tensor = plan.tensors[id];
  if (tensor.io_conversion == IoConversion::kBools) {
    const auto* bools = static_cast<const uint8_t*>(data);
    std::vector<float> floats(static_cast<size_t>(bytes));
    for (size_t i = 0; i < floats.size(); ++i) floats[i] = bools[i] != 0 ? 1.0f : 0.0f;
    return queue.Upload(ranges[id], floats.data(), tensor.bytes);
  }
  if (tensor.io_conversion == IoConversion::kInt64Halves) {
    Halves halves(bytes);
    halves.Split(data);
    if (tensor.is_index) TERN_RETURN_IF_ERROR(halves.CheckIndices(tensor.name));
    TERN_RETURN_IF_ERROR(queue.Upload(ranges[id], halves.low.data(), tensor.bytes));
    return queue.Upload(ranges[tensor.high], halves.high.data(), tensor.bytes);
  }
  return queue.Upload(ranges[id], data, bytes);
}

absl::Status IoConverter::Read(Io io, void* data, int64_t bytes) const {
  TERN_ASSIGN_OR_RETURN(const TensorId id, TensorOf(plan, io, bytes));
  if (bytes == 0) return absl::OkStatus();
  const PlanTensor& tensor = plan.tensors[id];
  if (tensor.io_conversion == IoConversion::kBools) {
    std::vector<float> floats(static_cast<size_t>(bytes));
    TERN_RETURN_IF_ERROR(queue.Download(ranges[id], floats.data(), tensor.bytes));
    for (size_t i = 0; i < floats.size(); ++i) static_cast<uint8_t*>(data)[i] = floats[i] != 0.0f;
    return absl::OkStatus();
  }
  if (tensor.io_conversion == IoConversion::kInt64Halves) {
    Halves halves(bytes);
    TERN_RETURN_IF_ERROR(queue.Download(ranges[id], halves.low.data(), tensor.bytes));
    TERN_RETURN_IF_ERROR(queue.Download(ranges[tensor.high], halves.high.data(), tensor.bytes));
    halves.Join(data);
    return absl::OkStatus();
  }
  return queue.Download(ranges[id], data, bytes);
}

}  // namespace tern::gpu
