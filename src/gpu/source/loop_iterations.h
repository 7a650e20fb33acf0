// SPDX-License-Identifier: Apache-2.0
// Counts the loop iterations of a kernel from its text.
#ifndef TERN_GPU_SOURCE_LOOP_ITERATIONS_H_
#define TERN_GPU_SOURCE_LOOP_ITERATIONS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "gpu/desc/dispatch.h"
#include "gpu/desc/plan_tensor.h"
#include "gpu/source/expression.h"

namespace tern::gpu {

// The maximum iterations of one work-item in all loops of a text before its expansion. Leaving a
// loop counts as an iteration, as it does for drivers that count; sums stop at 2^31. Names are
// those that expressions see and what is known at launch. An error names the line of a loop whose
// end is neither known nor said by @rounds.
absl::StatusOr<int64_t> LoopIterations(std::string_view kernel, std::string_view text,
                                       const Names& names);

// Counts for the kernel of a dispatch, with its defines, integer uniforms and sizes of tensors.
absl::StatusOr<int64_t> LoopIterations(const std::vector<PlanTensor>& tensors,
                                       const Dispatch& dispatch, int slice_width);

}  // namespace tern::gpu

#endif  // TERN_GPU_SOURCE_LOOP_ITERATIONS_H_
