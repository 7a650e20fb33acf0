// SPDX-License-Identifier: Apache-2.0
// Copies on the GPU, driven by the destination: every element of the written tensor knows where it
// comes from.
#ifndef TERN_OPS_GPU_KIT_GATHER_GPU_H_
#define TERN_OPS_GPU_KIT_GATHER_GPU_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "gpu/lower/lowering.h"
#include "ops/rules_kit/view.h"

namespace tern::gpu {

// Inside the region begin .. begin + size of the destination, the element at coordinates k is
// source element offset + sum((k - begin) * stride). All vectors have the rank of the destination;
// strides may be 0 or negative.
struct Gather {
  std::vector<int64_t> dims, begin, size, stride;
  int64_t offset = 0;
};

// Ranks after joining axes that a gather treats alike; copy_elements.kernel takes up to this many.
inline constexpr int kMaxGatherRank = 12;

// Whether each size of `from`, from the last on, is 1 or that of `to`.
bool CanBroadcast(const std::vector<int64_t>& from, const std::vector<int64_t>& to);
// The operand repeated along its axes of size 1 (right-aligned) until it has the shape `to`.
Gather BroadcastGather(const std::vector<int64_t>& from, const std::vector<int64_t>& to);
// All elements in the same row-major order.
Gather ReshapeGather(int64_t elements);
// The elements of a view, in its order.
Gather ViewGather(const View& view);
// The whole source, placed at `begin` of a larger destination.
Gather PlaceGather(const std::vector<int64_t>& from, const std::vector<int64_t>& to,
                   const std::vector<int64_t>& begin);

// Treatment of destination elements outside the region. kAppend: parts are written one after the
// other, in the order of their channels; elements before the region keep their values, those of its
// last slices after it become anything.
enum class Outside { kFill, kAppend };

// One end of a copy: an operand or result of the node by its number, or a temporary. Of an INT64
// operand `word` is copied, without one what the node makes.
struct CopyEnd {
  int number = 0;
  TensorId temp = -1;
  std::optional<int> int64_half = std::nullopt;
};

// Whole slices move at once where the channels of both sides allow it, else single elements.
absl::Status EmitCopy(const Node& node, Lowering& lower, const CopyEnd& from, const Gather& gather,
                      const CopyEnd& to, Outside outside, double fill);
// Writes output 0 of the node from its input.
absl::Status EmitGather(const Node& node, Lowering& lower, int input, const Gather& gather,
                        Outside outside, double fill);
// Writes a temporary of the same number of elements as the destination.
absl::Status EmitGatherToTemp(const Node& node, Lowering& lower, const CopyEnd& from,
                              const Gather& gather, TensorId temp);
// Writes an output that holds a view of an operand; the view's shape must be the output's.
absl::Status EmitView(const Node& node, Lowering& lower, const CopyEnd& from, const Viewed& viewed,
                      int output);

// The number of a constant operand of one element; of INT64 the half that the node computes.
absl::StatusOr<double> FillValue(const Node& node, const Lowering& lower, int input);

// The whole source box moved by an offset in whole slices.
struct SliceShift {
  int x = 0, y = 0, slice = 0, batch = 0;
};
absl::Status EmitSliceCopy(const Node& node, Lowering& lower, int input, const SliceShift& shift,
                           Outside outside, double fill);

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_GATHER_GPU_H_
