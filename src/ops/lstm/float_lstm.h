// SPDX-License-Identifier: Apache-2.0
// An LSTM cell with float activations, and float or 8-bit weights.
#ifndef TERN_OPS_LSTM_FLOAT_LSTM_H_
#define TERN_OPS_LSTM_FLOAT_LSTM_H_

#include <vector>

#include "ops/lstm/lstm_operands.h"

namespace tern {

class FloatLstm {
 public:
  // `operands` are of one of the float forms, and outlive the runs. Packed weights stay.
  Status Set(const LstmOperands& operands, const LstmOptions& options);
  // The next run packs again.
  void Forget();

  // Packs the weights for runs of sequences of this shape, constants once. Returns the items of
  // each part of the batch.
  int64_t Pack(const SequenceShape& shape, ThreadPool* pool);
  // All steps of all sequences; the states are the operands' tensors.
  void Run(const SequenceRun<float>& run, ThreadPool* pool);

 private:
  // A run of some items of the batch. Its memory is kept for the next one.
  struct Part {
    const SequenceRun<float>* run = nullptr;
    float *output = nullptr, *cell = nullptr;  // their states
    ProductRows input, state;                  // of a block of steps; of a step
    std::vector<float> gates[kLstmGates];      // [steps of a block, items, cells]
    std::vector<float> hidden;                 // [items, cells]
    std::vector<float> copy;                   // rows of an input
  };

  // Computes the share of the inputs of some steps in the gates.
  void ReadInputs(int64_t first, int64_t steps, ThreadPool* pool, Part& part) const;
  // Adds the share of the states in gate g, `z` [items, cells], and activates it.
  void ComputeGate(int g, float* z, Part& part) const;
  void Step(int64_t step, Part& part) const;
  void ComputeOutput(Part& part) const;

  const LstmOperands* operands_ = nullptr;
  LstmOptions options_;
  MixedMatrix weights_[kLstmGates], recurrent_[kLstmGates], aux_[kLstmGates], peephole_[kLstmGates];
  MixedMatrix projection_;
  std::vector<Part> parts_;
};

}  // namespace tern

#endif  // TERN_OPS_LSTM_FLOAT_LSTM_H_
