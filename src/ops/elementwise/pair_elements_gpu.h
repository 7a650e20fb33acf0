// SPDX-License-Identifier: Apache-2.0
// Arithmetic on two quantized operands in integers, as the CPU computes it.
#ifndef TERN_OPS_ELEMENTWISE_PAIR_ELEMENTS_GPU_H_
#define TERN_OPS_ELEMENTWISE_PAIR_ELEMENTS_GPU_H_

#include "gpu/graph/graph.h"
#include "tensorflow/lite/core/c/builtin_op_data.h"

namespace tern::gpu {

// Whether the node, a row of table.inc with two operands, computes with elements.
bool PairsElements(const Graph& graph, const Node& node);

// The steps of such a node from input 0.
Epilogue ElementPairSteps(const Graph& graph, const Node& node, TfLiteFusedActivation activation);

}  // namespace tern::gpu

#endif  // TERN_OPS_ELEMENTWISE_PAIR_ELEMENTS_GPU_H_
