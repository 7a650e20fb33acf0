// SPDX-License-Identifier: Apache-2.0
// Axes that follow each other and share their fate are joined; the last of them is the run.
#include "ops/reduce/reduce_walk.h"

namespace tern {
namespace {

struct Joined {
  int64_t size, stride;
  bool reduced;
};

std::vector<Joined> Join(const Shape& shape, const std::vector<bool>& reduced) {
  std::vector<Joined> joined;
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

// Offsets of all positions along the axes of one kind, the last of them fastest.
std::vector<int64_t> Offsets(const std::vector<Joined>& axes, bool reduced) {
  std::vector<int64_t> offsets = {0};
  for (const Joined& axis : axes) {
    if (axis.reduced != reduced) continue;
    std::vector<int64_t> next;
    next.reserve(offsets.size() * static_cast<size_t>(axis.size));
    for (const int64_t offset : offsets) {
      for (int64_t i = 0; i < axis.size; ++i) next.push_back(offset + i * axis.stride);
    }
    offsets = std::move(next);
  }
  return offsets;
}

}  // namespace

ReduceWalk::ReduceWalk(const Shape& input, const ReducedAxes& axes) {
  outputs_ = 1;
  for (const int64_t size : axes.output) outputs_ *= size;
  if (outputs_ == 0) return;
  std::vector<Joined> joined = Join(input, axes.reduced);
  if (!joined.empty()) {
    run_ = joined.back().size;
    run_is_kept_ = !joined.back().reduced;
    joined.pop_back();
  }
  kept_ = Offsets(joined, false);
  reduced_ = Offsets(joined, true);
}

}  // namespace tern
