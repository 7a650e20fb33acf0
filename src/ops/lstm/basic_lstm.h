// SPDX-License-Identifier: Apache-2.0
// The basic kernel of LSTM on the CPU.
#ifndef TERN_OPS_LSTM_BASIC_LSTM_H_
#define TERN_OPS_LSTM_BASIC_LSTM_H_

#include "ops/cpu_kit/op_kit.h"

namespace tern {

Status PrepareBasicLstm(const OpCall& call);
Status EvalBasicLstm(const OpCall& call, bool fast, ThreadPool* pool);

}  // namespace tern

#endif  // TERN_OPS_LSTM_BASIC_LSTM_H_
