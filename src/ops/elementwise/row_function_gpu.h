// SPDX-License-Identifier: Apache-2.0
// The rows of table.inc with one operand as functions of floats, for tables of results.
#ifndef TERN_OPS_ELEMENTWISE_ROW_FUNCTION_GPU_H_
#define TERN_OPS_ELEMENTWISE_ROW_FUNCTION_GPU_H_

#include <optional>
#include <vector>

#include "gpu/graph/graph.h"
#include "ops/elementwise/parameters.h"

namespace tern::gpu {

// The C++ expression of a row with the constants of a node.
struct RowFunction {
  int builtin = -1;
  elementwise::Constants constants;

  // Nothing where the node is no such row or lacks its options.
  static std::optional<RowFunction> Of(const Node& node);
  float operator()(float v) const;
};

// The results of a row for all elements, where they come from a table.
std::optional<std::vector<float>> RowResults(const Graph& graph, const Node& node);

}  // namespace tern::gpu

#endif  // TERN_OPS_ELEMENTWISE_ROW_FUNCTION_GPU_H_
