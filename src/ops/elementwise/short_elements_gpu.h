// SPDX-License-Identifier: Apache-2.0
// One-operand operations on INT16 elements in whole numbers, as the CPU computes them.
#ifndef TERN_OPS_ELEMENTWISE_SHORT_ELEMENTS_GPU_H_
#define TERN_OPS_ELEMENTWISE_SHORT_ELEMENTS_GPU_H_

#include <optional>

#include "gpu/graph/graph.h"

namespace tern::gpu {

// Whether the node, a row of table.inc with one operand, is such an operation.
bool MakesShortElements(const Graph& graph, const Node& node);

// The steps of such a node; nothing where its options are missing.
std::optional<ElementwiseChain> ShortElementSteps(const Graph& graph, const Node& node);

}  // namespace tern::gpu

#endif  // TERN_OPS_ELEMENTWISE_SHORT_ELEMENTS_GPU_H_
