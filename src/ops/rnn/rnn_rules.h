// SPDX-License-Identifier: Apache-2.0
// Where nodes hold the operands of plain recurrent cells, for the CPU and the GPU forms.
#ifndef TERN_OPS_RNN_RNN_RULES_H_
#define TERN_OPS_RNN_RNN_RULES_H_

namespace tern {

// Positions of the operands among the inputs of a node: weights [units, inputs], recurrent
// [units, units], bias [units], state [batch, units] (a variable), aux weights [units, aux inputs]
// or -1.
struct RnnLayout {
  int weights, recurrent, bias, state, aux_weights;
};

// RNN and UNIDIRECTIONAL_SEQUENCE_RNN.
inline constexpr RnnLayout kRnnLayout = {1, 2, 3, 4, -1};
// BIDIRECTIONAL_SEQUENCE_RNN: both cells, and the auxiliary input.
inline constexpr RnnLayout kForwardRnn = {1, 2, 3, 4, 10};
inline constexpr RnnLayout kBackwardRnn = {5, 6, 7, 8, 11};
inline constexpr int kRnnAux = 9;

}  // namespace tern

#endif  // TERN_OPS_RNN_RNN_RULES_H_
