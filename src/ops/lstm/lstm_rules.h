// SPDX-License-Identifier: Apache-2.0
// An LSTM cell with gates of its own matrices, for the CPU and the GPU form: where a node holds its
// operands, which of them there are, and their shapes.
#ifndef TERN_OPS_LSTM_LSTM_RULES_H_
#define TERN_OPS_LSTM_LSTM_RULES_H_

#include "base/tensor/shape_math.h"

namespace tern {

// The order in which nodes list what belongs to gates.
enum LstmGateIndex { kInputGate, kForgetGate, kCandidate, kOutputGate, kLstmGates };

// Positions of a cell's operands among the inputs of a node; groups follow each other there. -1:
// the op has no such operands.
struct LstmLayout {
  int weights, recurrent, peephole, bias, projection, projection_bias, output_state, cell_state,
      norm, aux_weights;

  // Of one gate. The candidate has no peephole, and none is left out for it.
  int PeepholeOf(int gate) const {
    return gate == kCandidate ? -1 : peephole + (gate == kOutputGate ? 2 : gate);
  }
};
inline constexpr LstmLayout kLstmLayout = {1, 5, 9, 12, 16, 17, 18, 19, 20, -1};

// BIDIRECTIONAL_SEQUENCE_LSTM: both cells, and the auxiliary input.
inline constexpr int kBidirectionalLstmInputs = 48;
inline constexpr int kLstmAux = 39;
inline constexpr LstmLayout kForwardLstm = {1, 5, 9, 12, 16, 17, 35, 36, -1, 40};
inline constexpr LstmLayout kBackwardLstm = {18, 22, 26, 29, 33, 34, 37, 38, -1, 44};

// Which optional parts a cell has, and its sizes.
struct LstmSizes {
  bool coupled = false;  // no input gate: it lets in what the forget gate drops
  bool peephole = false, norm = false;
  bool diagonal = false;  // recurrent matrices are given by their diagonals
  int64_t batch = 0, inputs = 0, aux_inputs = 0, cells = 0, outputs = 0;

  bool Uses(int gate) const { return gate != kInputGate || !coupled; }
  bool HasPeephole(int gate) const { return Uses(gate) && peephole && gate != kCandidate; }
  bool HasNorm(int gate) const { return Uses(gate) && norm; }

  Shape Weights() const { return {cells, inputs}; }
  size_t RecurrentRank() const { return diagonal ? 1 : 2; }
  Shape Recurrent() const { return diagonal ? Shape{cells} : Shape{cells, outputs}; }
  Shape AuxWeights() const { return {cells, aux_inputs}; }
  Shape PerCell() const { return {cells}; }  // bias, peephole and norm of a gate
  Shape Projection() const { return {outputs, cells}; }
  Shape ProjectionBias() const { return {outputs}; }
  Shape OutputState() const { return {batch, outputs}; }
  Shape CellState() const { return {batch, cells}; }
};

}  // namespace tern

#endif  // TERN_OPS_LSTM_LSTM_RULES_H_
