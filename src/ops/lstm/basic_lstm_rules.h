// SPDX-License-Identifier: Apache-2.0
// The basic kernel of LSTM, for the CPU and the GPU form: one matrix for all gates.
#ifndef TERN_OPS_LSTM_BASIC_LSTM_RULES_H_
#define TERN_OPS_LSTM_BASIC_LSTM_RULES_H_

#include "base/tensor/shape_math.h"

namespace tern::basic_lstm {

// The previous activation and state get the new values if they are variables.
enum Input { kInput, kPreviousActivation, kWeights, kBias, kPreviousState, kInputs };
// kJoined is input and activation side by side, kGates what goes into the gates.
enum Output { kActivation, kState, kJoined, kGates, kOutputs };
// Blocks of the rows of the weights and of what goes into the gates.
enum Gate { kInputGate, kCandidate, kForgetGate, kOutputGate, kGateCount };

struct Sizes {
  int64_t batch = 0, inputs = 0, cells = 0;

  int64_t Columns() const { return inputs + cells; }
  Shape State() const { return {batch, cells}; }  // and activation
  Shape Weights() const { return {kGateCount * cells, Columns()}; }
  Shape Bias() const { return {kGateCount * cells}; }
  Shape Joined() const { return {batch, Columns()}; }
  Shape Gates() const { return {batch, kGateCount * cells}; }
};

}  // namespace tern::basic_lstm

#endif  // TERN_OPS_LSTM_BASIC_LSTM_RULES_H_
