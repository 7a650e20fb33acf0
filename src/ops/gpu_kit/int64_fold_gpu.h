// SPDX-License-Identifier: Apache-2.0
// Reductions and running results of INT64 numbers on the GPU.
#ifndef TERN_OPS_GPU_KIT_INT64_FOLD_GPU_H_
#define TERN_OPS_GPU_KIT_INT64_FOLD_GPU_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "gpu/lower/lowering.h"

namespace tern::gpu {

// As reduce.kernel and long_fold.kernel number them.
enum class ReduceOp { kAdd = 0, kLargest = 1, kSmallest = 2, kMultiply = 3 };

struct Int64Fold {
  ReduceOp combine = ReduceOp::kAdd;
  std::vector<bool> along = {};  // axes of the operand that it goes along
  int64_t divisor = 0;           // of the result, 0: none
  // Every element gets the result up to there; `along` is one axis.
  bool scan = false, reverse = false, exclusive = false;
};

// From operand 0 to the half of output 0 that the node makes; neither is empty.
absl::Status LowerInt64Fold(const Node& node, Lowering& lower, const Int64Fold& fold);

}  // namespace tern::gpu

#endif  // TERN_OPS_GPU_KIT_INT64_FOLD_GPU_H_
