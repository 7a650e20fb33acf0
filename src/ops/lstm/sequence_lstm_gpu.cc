// SPDX-License-Identifier: Apache-2.0
// UNIDIRECTIONAL_SEQUENCE_LSTM and BIDIRECTIONAL_SEQUENCE_LSTM on the GPU.
#include "base/status.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/lstm/full_lstm_gpu.h"
#include "ops/lstm/state_sequence_gpu.h"

namespace tern::gpu {
namespace {

// How many numbers a cell gives at a step.
absl::StatusOr<int64_t> OutputsOf(const Node& node, const Lowering& lower, int recurrent) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* matrix, lower.Input(node, recurrent + kOutputGate));
  if (matrix->dims.empty()) return lower.Unsupported(node, "a matrix is a scalar");
  return matrix->dims.back();
}

absl::Status LowerUnidirectional(const Node& node, Lowering& lower) {
  const auto& p = node.Get<TfLiteUnidirectionalSequenceLSTMParams>();
  FullLstmRun run{p.activation, p.cell_clip, p.proj_clip, true, p.time_major};
  run.diagonal = p.diagonal_recurrent_tensors;
  TERN_ASSIGN_OR_RETURN(const int64_t size, OutputsOf(node, lower, run.at.recurrent));
  TERN_RETURN_IF_ERROR(CheckRows(node, lower, 0, size));
  return LowerFullLstm(node, lower, run);
}

bool HasAuxWeights(const Node& node, const Lowering& lower) {
  for (int i = 0; i < 2 * kLstmGates; ++i) {
    if (lower.Has(node, kForwardLstm.aux_weights + i)) return true;
  }
  return false;
}

absl::Status LowerBidirectional(const Node& node, Lowering& lower) {
  if (node.inputs.size() != size_t{kBidirectionalLstmInputs}) {
    return lower.Unsupported(node,
                             StrCat("wrong number of operands (", node.inputs.size(), ", ",
                                    kBidirectionalLstmInputs, ")"),
                             {Reason::kOperands});
  }
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  if (input->quantized) return lower.Unsupported(node, "a quantized input", {Reason::kTensorType});
  const auto& p = node.Get<TfLiteBidirectionalSequenceLSTMParams>();
  const bool aux = lower.Has(node, kLstmAux), weighed = HasAuxWeights(node, lower);
  if (weighed && !aux)
    return lower.Unsupported(node, "aux weights without an aux input", {Reason::kOperands});
  FullLstmRun forward{p.activation, p.cell_clip, p.proj_clip, true, p.time_major};
  forward.at = kForwardLstm;
  if (weighed) forward.aux = kLstmAux;
  FullLstmRun backward = forward;
  backward.at = kBackwardLstm;
  backward.backward = true;
  if (aux && !weighed) {
    TERN_ASSIGN_OR_RETURN(const GraphTensor* in, lower.Input(node, 0));
    TERN_ASSIGN_OR_RETURN(const GraphTensor* other, lower.Input(node, kLstmAux));
    const Shape a = ShapeOf(*in), b = ShapeOf(*other);
    if (a.size() != 3 || b.size() != 3 || a[0] != b[0] || a[1] != b[1]) {
      return lower.Unsupported(
          node, StrCat("inputs of the shapes ", ShapeText(a), " and ", ShapeText(b)));
    }
    backward.input = kLstmAux;
  }
  TERN_ASSIGN_OR_RETURN(const int64_t first, OutputsOf(node, lower, forward.at.recurrent));
  TERN_ASSIGN_OR_RETURN(const int64_t second, OutputsOf(node, lower, backward.at.recurrent));
  const int outputs = p.merge_outputs ? 1 : 2;
  if (p.merge_outputs) {
    TERN_RETURN_IF_ERROR(CheckRows(node, lower, 0, first + second));
    backward.channel = first;
  } else {
    TERN_RETURN_IF_ERROR(CheckRows(node, lower, 0, first));
    TERN_RETURN_IF_ERROR(CheckRows(node, lower, 1, second));
    backward.output = 1;
  }
  forward.next_output = outputs;
  forward.next_cell = outputs + 1;
  backward.next_output = outputs + 2;
  backward.next_cell = outputs + 3;
  TERN_RETURN_IF_ERROR(LowerFullLstm(node, lower, forward));
  return LowerFullLstm(node, lower, backward);
}

std::vector<int> BidirectionalStates(const Node& node) {
  if (node.inputs.size() != size_t{kBidirectionalLstmInputs}) return {};
  return {kForwardLstm.output_state, kForwardLstm.cell_state, kBackwardLstm.output_state,
          kBackwardLstm.cell_state};
}

}  // namespace

GpuOp UnidirectionalSequenceLstmGpu() {
  return {.lower = LowerUnidirectional, .traits = {.states = FullLstmStates}};
}
GpuOp BidirectionalSequenceLstmGpu() {
  return {.lower = LowerBidirectional, .traits = {.states = BidirectionalStates}};
}

}  // namespace tern::gpu
