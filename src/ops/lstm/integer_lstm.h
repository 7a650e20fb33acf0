// SPDX-License-Identifier: Apache-2.0
// An LSTM cell with 8-bit activations and weights, 16-bit gates and cell state.
#ifndef TERN_OPS_LSTM_INTEGER_LSTM_H_
#define TERN_OPS_LSTM_INTEGER_LSTM_H_

#include <vector>

#include "ops/cpu_kit/quantized.h"
#include "ops/lstm/lstm_operands.h"

namespace tern {

class IntegerLstm {
 public:
  // Reads all quantization parameters; `operands` outlive this, and have data.
  static StatusOr<IntegerLstm> Make(const OpCall& call, const LstmOperands& operands,
                                    const LstmOptions& options);

  void Run(const SequenceRun<int8_t>& run, ThreadPool* pool) const;

 private:
  // A matrix with what goes before and after its sums.
  struct Product {
    const int8_t* weights = nullptr;
    int64_t columns = 0;
    std::vector<int32_t> start;  // the bias and what the input's zero point takes away
    Multiplier multiplier;
  };
  struct Gate {
    Product weights, recurrent;
    Multiplier peephole, norm;
    int32_t min_variance = 1;
  };
  struct Scratch {
    std::vector<int16_t> gates[kLstmGates], tanh;
    std::vector<int16_t> input, state;  // as products take them
    std::vector<int8_t> hidden;
  };
  struct Scales {
    Quantization input, state, hidden;
    float cell;
  };

  // One of the rows that a step computes together.
  struct RowOf {
    int64_t index, count;
  };

  explicit IntegerLstm(const LstmOperands& operands) : operands_(&operands) {}
  Status ReadScales(const OpCall& call, const LstmOptions& options, Scales& scales);
  Status MakeGate(const OpCall& call, int g, const Scales& scales);
  // Calls use(row, the scaled sum of the row) for each row of the matrix.
  template <class Use>
  void ForEachSum(const Product& product, const std::vector<int16_t>& v, const Use& use) const;
  void AddProduct(const Product& product, const std::vector<int16_t>& v,
                  std::vector<int16_t>& to) const;
  void Normalize(int g, std::vector<int16_t>& z) const;
  void AddPeephole(int g, const RowOf& row, const int16_t* cell, std::vector<int16_t>& z) const;
  void ComputeGate(int g, const RowOf& row, const int16_t* cell, Scratch& scratch) const;
  void UpdateCell(int16_t* cell, Scratch& scratch) const;
  void ComputeOutput(const int16_t* cell, int8_t* state, Scratch& scratch) const;
  void Step(const RowOf& row, const int8_t* input, int8_t* state, int16_t* cell,
            Scratch& scratch) const;

  const LstmOperands* operands_;
  Gate gates_[kLstmGates];
  Product projection_;
  Multiplier hidden_;
  int cell_exponent_ = 0;  // the cell state's scale is 2^cell_exponent_
  int16_t cell_clip_ = 0;
  int32_t projection_clip_ = 0;
  int32_t hidden_zero_ = 0, state_zero_ = 0;
  bool fast_ = false;  // products are those of vectors
};

}  // namespace tern

#endif  // TERN_OPS_LSTM_INTEGER_LSTM_H_
