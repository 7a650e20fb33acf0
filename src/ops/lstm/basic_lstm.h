// SPDX-License-Identifier: Apache-2.0
// The basic kernel of LSTM: one matrix for all gates, in the order input gate, candidate, forget
// gate, output gate. Inputs: 0 input [B, I], 1 activation [B, O], 2 weights [4 O, I + O], 3 bias
// [4 O], 4 state [B, O]. Outputs: 0 the new activation, 1 the new state, 2 input and activation
// side by side, 3 what goes into the gates. Inputs 1 and 4 get the new values if they are
// variables.
#ifndef TERN_OPS_LSTM_BASIC_LSTM_H_
#define TERN_OPS_LSTM_BASIC_LSTM_H_

#include "ops/cpu_kit/op_kit.h"

namespace tern {

Status PrepareBasicLstm(const OpCall& call);
Status EvalBasicLstm(const OpCall& call, bool fast, ThreadPool* pool);

}  // namespace tern

#endif  // TERN_OPS_LSTM_BASIC_LSTM_H_
