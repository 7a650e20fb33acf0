// SPDX-License-Identifier: Apache-2.0
// One-operand operations on INT16 elements in integers, as the CPU computes them.
#ifndef TERN_OPS_ELEMENTWISE_INT16_ELEMENTS_GPU_H_
#define TERN_OPS_ELEMENTWISE_INT16_ELEMENTS_GPU_H_

#include <optional>

#include "gpu/graph/graph.h"

namespace tern::gpu {

// Whether the node, a row of table.inc with one operand, is such an operation.
bool MakesInt16Elements(const Graph& graph, const Node& node);

// The steps of such a node; nothing where its options are missing.
std::optional<Epilogue> Int16ElementOps(const Graph& graph, const Node& node);

}  // namespace tern::gpu

#endif  // TERN_OPS_ELEMENTWISE_INT16_ELEMENTS_GPU_H_
