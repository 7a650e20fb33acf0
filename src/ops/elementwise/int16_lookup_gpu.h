// SPDX-License-Identifier: Apache-2.0
// One-operand operations on INT16 elements that go through a table of results.
#ifndef TERN_OPS_ELEMENTWISE_INT16_LOOKUP_GPU_H_
#define TERN_OPS_ELEMENTWISE_INT16_LOOKUP_GPU_H_

#include "gpu/lower/lowering.h"

namespace tern::gpu {

// Whether node, one of the rows of table.inc with input 0, has a table where both ends are INT16.
bool MakesInt16Lookup(const Graph& graph, const Node& node);

// Results are numbers that elements of output 0 stand for, the same as on the CPU.
absl::Status LowerInt16Lookup(const Node& node, Lowering& lower);

}  // namespace tern::gpu

#endif  // TERN_OPS_ELEMENTWISE_INT16_LOOKUP_GPU_H_
