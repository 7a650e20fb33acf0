// SPDX-License-Identifier: Apache-2.0
// Axes that follow each other and share their fate are joined; the last of them is the run.
#include "ops/reduce/reduce_walk.h"

namespace tern {
namespace {

std::vector<JoinedAxis> Join(const Shape& shape, const std::vector<bool>& reduced) {
  std::vector<JoinedAxis> joined;
  const Shape strides = DenseStrides(shape);
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    if (!joined.empty() && joined.back().reduced == reduced[d]) {
      joined.back().size *= shape[d];
      joined.back().stride = strides[d];
    } else {
      joined.push_back({shape[d], strides[d], reduced[d]});
    }
  }
  return joined;
}

}  // namespace

OffsetList::OffsetList(const std::vector<JoinedAxis>& axes, bool reduced) : size_(1) {
  constexpr int64_t kLongestTable = 1 << 16;
  for (const JoinedAxis& axis : axes) {
    if (axis.reduced != reduced) continue;
    axes_.push_back(axis);
    size_ *= axis.size;
  }
  if (size_ > kLongestTable) return;
  std::vector<int64_t> table(static_cast<size_t>(size_));
  for (int64_t i = 0; i < size_; ++i) table[static_cast<size_t>(i)] = Computed(i);
  table_ = std::move(table);
}

int64_t OffsetList::Computed(int64_t i) const {
  int64_t offset = 0;
  for (size_t d = axes_.size(); d-- > 0; i /= axes_[d].size) {
    offset += i % axes_[d].size * axes_[d].stride;
  }
  return offset;
}

ReduceWalk::ReduceWalk(const Shape& input, const ReducedAxes& axes) {
  outputs_ = 1;
  for (const int64_t size : axes.output) outputs_ *= size;
  if (outputs_ == 0) return;
  std::vector<JoinedAxis> joined = Join(input, axes.reduced);
  if (!joined.empty()) {
    run_ = joined.back().size;
    run_is_kept_ = !joined.back().reduced;
    joined.pop_back();
  }
  kept_ = OffsetList(joined, false);
  if (run_ > 0) reduced_ = OffsetList(joined, true);
}

}  // namespace tern
