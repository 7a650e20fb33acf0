// SPDX-License-Identifier: Apache-2.0
// Constants go to the device in pieces, so that the host never has all of them.
#include "gpu/device/device_memory.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "base/status.h"

namespace tern::gpu {
namespace {

bool Overlap(const BufferRange& a, const BufferRange& b) {
  return a.buffer == b.buffer && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

// Calls use(offset, piece) for all pieces of the constants in a buffer of Plan::constants. Returns
// their hash, which is never 0.
template <typename Use>
absl::StatusOr<uint64_t> EachPiece(const Plan& plan, size_t number, const FillConstant& fill,
                                   Use use) {
  constexpr int64_t kPieceBytes = 256 << 10;
  std::vector<std::byte> piece;
  uint64_t hash = 1;
  for (const PlanTensor& tensor : plan.tensors) {
    if (tensor.role != Role::kConstant || static_cast<size_t>(tensor.buffer) != number) continue;
    const int64_t slice_bytes = BytesOf(tensor.desc.element, plan.tuning.slice_width);
    const int64_t max = kPieceBytes / slice_bytes, slices = tensor.bytes / slice_bytes;
    for (int64_t first = 0; first < slices; first += max) {
      piece.resize(static_cast<size_t>(std::min(max, slices - first) * slice_bytes));
      fill(tensor, first, piece);
      const int64_t offset = tensor.offset + first * slice_bytes;
      hash = CombineHash(hash, static_cast<uint64_t>(offset));
      hash = CombineHash(hash, HashBulk(piece.data(), piece.size()));
      TERN_RETURN_IF_ERROR(use(offset, piece));
    }
  }
  return hash == 0 ? 1 : hash;
}

}  // namespace

std::string NameOf(Io io) { return StrCat(io.is_output ? "output " : "input ", io.number); }

absl::StatusOr<TensorId> FindIo(const Plan& plan, Io io) {
  const std::vector<TensorId>& ids = io.is_output ? plan.outputs : plan.inputs;
  if (io.number >= 0 && io.number < static_cast<int>(ids.size())) return ids[io.number];
  return Invalid("there is no ", NameOf(io), " (", ids.size(), " in all)");
}

absl::Status PlaceGiven(const Plan& plan, const IoMemory& given, TensorRanges* ranges) {
  std::map<TensorId, BufferRange> placed;
  for (const auto& [io, range] : given) {
    TERN_ASSIGN_OR_RETURN(const TensorId id, FindIo(plan, io));
    const PlanTensor& tensor = plan.tensors[id];
    if (range.buffer == nullptr || range.bytes < tensor.bytes)
      return Invalid(NameOf(io), " needs ", tensor.bytes, " bytes, its memory has ", range.bytes);
    if (tensor.io_conversion != IoConversion::kAsIs || BitsOf(tensor.desc.element) != 32)
      return Unsupported(NameOf(io), ": memory of the user for another type than 32 bits");
    if (tensor.bytes == 0) continue;
    if (!placed.emplace(id, BufferRange{range.buffer, range.offset, tensor.bytes}).second)
      return Invalid(NameOf(io), " has two memories");
  }
  for (const auto& one : given) {
    const Io io = one.first;
    const auto mine = placed.find(*FindIo(plan, io));
    if (!io.is_output || mine == placed.end()) continue;
    for (const auto& other : placed) {
      if (other.first != mine->first && Overlap(other.second, mine->second))
        return Invalid(NameOf(io), " shares its memory with another input or output");
    }
  }
  for (const auto& [id, range] : placed) (*ranges)[id] = range;
  return absl::OkStatus();
}

DeviceMemory::~DeviceMemory() {
  for (Owned& own : owned_) store_->Put(device_, std::move(own.buffer), own.bytes, own.content);
}

absl::StatusOr<TensorRanges> DeviceMemory::Allocate(const Plan& plan, const IoMemory& given,
                                                    const FillConstant& fill, Queue& queue) {
  TensorRanges ranges(plan.tensors.size());
  TERN_RETURN_IF_ERROR(PlaceGiven(plan, given, &ranges));
  std::vector<std::shared_ptr<Buffer>> arenas, constants;
  for (const int64_t bytes : plan.arenas) {
    TERN_ASSIGN_OR_RETURN(arenas.emplace_back(), Create(bytes));
  }
  for (size_t number = 0; number < plan.constants.size(); ++number) {
    TERN_ASSIGN_OR_RETURN(constants.emplace_back(), Constants(plan, number, fill, queue));
  }
  std::shared_ptr<Buffer> nothing;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const PlanTensor& tensor = plan.tensors[i];
    BufferRange& range = ranges[i];
    if (range.buffer != nullptr) continue;  // the user's
    if (tensor.bytes <= 0) {
      // Tensors without elements still need something to bind.
      if (nothing == nullptr) {
        TERN_ASSIGN_OR_RETURN(nothing, Create(1));
      }
      range = {nothing, 0, 1};
    } else if (tensor.inside >= 0) {
      const BufferRange& whole = ranges[static_cast<size_t>(tensor.inside)];
      range = {whole.buffer, whole.offset + tensor.offset, tensor.bytes};
    } else if (tensor.role == Role::kTemp || tensor.role == Role::kConstant) {
      const auto& buffers = tensor.role == Role::kTemp ? arenas : constants;
      const auto number = static_cast<size_t>(tensor.buffer);
      // A temporary that no dispatch touches has no place.
      range = {number < buffers.size() ? buffers[number] : nullptr, tensor.offset, tensor.bytes};
    } else {
      TERN_ASSIGN_OR_RETURN(std::shared_ptr<Buffer> own, Create(tensor.bytes));
      range = {std::move(own), 0, tensor.bytes};
    }
  }
  return ranges;
}

std::shared_ptr<Buffer> DeviceMemory::Own(std::shared_ptr<Buffer> buffer, int64_t bytes,
                                          uint64_t content) {
  owned_.push_back({buffer, bytes, content});
  bytes_ += bytes;
  return buffer;
}

absl::StatusOr<std::shared_ptr<Buffer>> DeviceMemory::Create(int64_t bytes) {
  const int64_t limit = device_->info().max_buffer_bytes;
  if (bytes > limit) return TooLarge("a buffer of ", bytes, " bytes, the device allows ", limit);
  std::shared_ptr<Buffer> buffer = store_->Take(*device_, bytes);
  if (buffer != nullptr) return Own(std::move(buffer), bytes);
  absl::StatusOr<std::shared_ptr<Buffer>> made = device_->CreateBuffer(bytes);
  // The free buffers of the store may hold the memory that is missing.
  if (!made.ok() && store_->Clear()) made = device_->CreateBuffer(bytes);
  if (!made.ok()) return made.status();
  return Own(*std::move(made), bytes);
}

// The hash is only worth its time where a buffer may have these constants already.
absl::StatusOr<std::shared_ptr<Buffer>> DeviceMemory::Constants(const Plan& plan, size_t number,
                                                                const FillConstant& fill,
                                                                Queue& queue) {
  const int64_t bytes = plan.constants[number];
  if (store_->HasContent(*device_, bytes)) {
    const auto nothing = [](int64_t, const auto&) { return absl::OkStatus(); };
    TERN_ASSIGN_OR_RETURN(const uint64_t content, EachPiece(plan, number, fill, nothing));
    std::shared_ptr<Buffer> found = store_->Take(*device_, bytes, content);
    if (found != nullptr) return Own(std::move(found), bytes, content);
  }
  TERN_ASSIGN_OR_RETURN(std::shared_ptr<Buffer> buffer, Create(bytes));
  const auto upload = [&](int64_t offset, const std::vector<std::byte>& piece) {
    const auto count = static_cast<int64_t>(piece.size());
    return queue.Upload({buffer, offset, count}, piece.data(), count);
  };
  TERN_ASSIGN_OR_RETURN(owned_.back().content, EachPiece(plan, number, fill, upload));
  return buffer;
}

}  // namespace tern::gpu
