// SPDX-License-Identifier: Apache-2.0
// Elementwise operations on the GPU: epilogue ops of a producer, or a dispatch of their own. For
// the rows of table.inc and for other folders' operations.
#ifndef TERN_OPS_ELEMENTWISE_ELEMENTWISE_GPU_H_
#define TERN_OPS_ELEMENTWISE_ELEMENTWISE_GPU_H_

#include "ops/gpu_kit/gpu_op.h"

namespace tern::gpu {

using StepsFunction = absl::StatusOr<Epilogue> (*)(const Graph& graph, const Node& node);

// The expressions of an operation on two operands of one type, over v and w.
struct PairText {
  const char* reals = nullptr;  // FLOAT32, FLOAT16, and BOOL as 0 and 1
  const char* ints = nullptr;   // INT32 and UINT32
  unsigned types = kFloats;     // that the operands may have
  bool is_bool = false;         // the result is BOOL
  bool same_shapes = false;     // nothing is broadcast
  // Null, or what is wrong with this number in a constant second operand.
  const char* (*refusal)(int32_t) = nullptr;
};

// Returns the expressions of a row of table.inc; `builtin` is one of its rows.
PairText TextOfRow(int builtin);

// The steps from input 0 of the node, with the fused activation. An error says what the node has
// that the GPU does not take.
absl::StatusOr<Epilogue> PairSteps(const Graph& graph, const Node& node, const PairText& text,
                                   TfLiteFusedActivation activation);

// Two operands and the shape of what they make.
absl::Status CheckPair(const Graph& graph, const Node& node, bool same_shapes);

// One operand and one result of the types given.
absl::Status CheckSingle(const Graph& graph, const Node& node, unsigned types);

// A dispatch that runs the steps on input 0; at most the first one has an operand, input 1.
absl::Status LowerSteps(const Node& node, Lowering& lower, const absl::StatusOr<Epilogue>& steps);

// `lower` calls LowerSteps with what `steps` gives.
GpuOp ElementwiseOp(LowerFunction lower, StepsFunction steps, unsigned types);

}  // namespace tern::gpu

#endif  // TERN_OPS_ELEMENTWISE_ELEMENTWISE_GPU_H_
