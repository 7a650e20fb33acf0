// SPDX-License-Identifier: Apache-2.0
// The basic kernel of LSTM on the CPU.
#ifndef TERN_OPS_LSTM_BASIC_LSTM_H_
#define TERN_OPS_LSTM_BASIC_LSTM_H_

#include "cpu/matmul.h"
#include "ops/cpu_kit/integer_product.h"
#include "ops/cpu_kit/op_kit.h"

namespace tern {

class BasicLstm {
 public:
  Status Prepare(const OpCall& call);
  // Of constants.
  void Pack(const OpCall& call, bool fast, ThreadPool* pool);
  Status Eval(const OpCall& call, bool fast, ThreadPool* pool);

 private:
  const FloatMatrix* PackFloats(const OpCall& call, bool fast, ThreadPool* pool);
  const IntegerMatrix* PackBytes(const OpCall& call, const IntegerWeights& weights, bool fast,
                                 ThreadPool* pool);
  void FloatGates(const OpCall& call, bool fast, ThreadPool* pool);
  // `multiplier`: from sums to gates.
  void ByteGates(const OpCall& call, const IntegerWeights& weights, const Multiplier& multiplier,
                 bool fast, ThreadPool* pool);

  FloatProduct float_;
  IntegerProduct bytes_;
};

}  // namespace tern

#endif  // TERN_OPS_LSTM_BASIC_LSTM_H_
