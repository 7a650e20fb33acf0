// SPDX-License-Identifier: Apache-2.0
// A WHILE node with a constant trip count, as nodes that follow each other: the loop's state stays
// on the GPU. The condition must be one LESS of an integer that starts at a constant and a
// constant, and the body must add a constant to that integer.
#ifndef TERN_GPU_LEGALIZE_LOOPS_H_
#define TERN_GPU_LEGALIZE_LOOPS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "gpu/graph/graph.h"
#include "gpu/graph/op_traits.h"

namespace tern::gpu {

// More is left to the runtime: plans grow with each iteration, in memory and in planning time.
inline constexpr int64_t kMaxIterations = 1024;
inline constexpr int64_t kMaxLoopNodes = 4096;  // of all iterations

bool IsLoop(const Node& node);

// The status says what keeps a loop of the graph from being unrolled. The nodes of its body are
// checked when they are lowered.
absl::Status CheckLoop(const Graph& graph, const TraitsTable& traits, const Node& node);

// Replaces each loop by all its iterations, which write its outputs and have its number.
absl::Status UnrollLoops(Graph& graph);

// An error about a node of a loop's body as one about the loop: tensors within it mean nothing
// outside of it.
absl::Status OfLoop(const absl::Status& status);

}  // namespace tern::gpu

#endif  // TERN_GPU_LEGALIZE_LOOPS_H_
