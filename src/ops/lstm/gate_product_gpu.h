// SPDX-License-Identifier: Apache-2.0
// Parts that LSTM lowerings share: products of rows with a part of a constant matrix, and
// dispatches of elementwise steps over cells.
#ifndef TERN_OPS_LSTM_GATE_PRODUCT_GPU_H_
#define TERN_OPS_LSTM_GATE_PRODUCT_GPU_H_

#include <vector>

#include "gpu/lower/lowering.h"
#include "ops/gpu_kit/gather_gpu.h"

namespace tern::gpu {

// A step whose operand, if it has one, is a temporary (`temp` >= 0) or a tensor of the graph.
struct CellStep {
  EpilogueOp step;
  TensorId temp = -1;
};

inline constexpr char kLogisticOfV[] = "splat(1.0) / (splat(1.0) + exp(-v))";

// Rows [batch, columns] times `units` rows of the weights.
struct GateProduct {
  CopyEnd rows;     // an operand of rank 2, or a temporary of one time step
  int weights = 0;  // an operand: a constant with rows of `row_size` elements
  int64_t first_row = 0, row_size = 0, first_column = 0;
  int columns = 0, units = 0, batch = 0;
  int bias = -1;  // operand, from element `first_bias` on; -1: none
  int64_t first_bias = 0;
};

// Writes the product, and what the steps make of it, to a temporary {1, 1, batch, units}.
absl::Status EmitGateProduct(const Node& node, Lowering& lower, const GateProduct& product,
                             const std::vector<CellStep>& steps, TensorId to);

// Writes what the steps make, the first of which reads its operand, to a temporary or an output.
absl::Status EmitCellSteps(const Node& node, Lowering& lower, const std::vector<CellStep>& steps,
                           const Box& cells, const CopyEnd& to);

}  // namespace tern::gpu

#endif  // TERN_OPS_LSTM_GATE_PRODUCT_GPU_H_
