// SPDX-License-Identifier: Apache-2.0
// An LSTM cell with float activations, and float or 8-bit weights.
#ifndef TERN_OPS_LSTM_FLOAT_LSTM_H_
#define TERN_OPS_LSTM_FLOAT_LSTM_H_

#include <vector>

#include "ops/lstm/lstm_operands.h"

namespace tern {

class FloatLstm {
 public:
  // `operands` are of one of the float forms, and outlive this.
  static StatusOr<FloatLstm> Make(const LstmOperands& operands, const LstmOptions& options);

  // All steps of all sequences; the states are the operands' tensors.
  void Run(const SequenceRun<float>& run, ThreadPool* pool) const;

 private:
  struct Scratch {
    std::vector<float> gates[kLstmGates];
    std::vector<float> hidden;
    ProductInput input, aux, recurrent, projected;
  };

  FloatLstm(const LstmOperands& operands, const LstmOptions& options)
      : operands_(&operands), options_(options) {}

  void Set(const float* values, int64_t size, ProductInput& row) const;
  void AddPeephole(int g, const float* cell, std::vector<float>& to) const;
  // Computes the gate, with its activation, into scratch.gates[g].
  void ComputeGate(int g, const float* cell, Scratch& scratch) const;
  void Step(const float* input, const float* aux, float* output, float* cell,
            Scratch& scratch) const;
  void ComputeOutput(float* output, Scratch& scratch) const;

  const LstmOperands* operands_;
  LstmOptions options_;
  MixedMatrix weights_[kLstmGates], recurrent_[kLstmGates], aux_[kLstmGates], peephole_[kLstmGates];
  MixedMatrix projection_;
};

}  // namespace tern

#endif  // TERN_OPS_LSTM_FLOAT_LSTM_H_
