// SPDX-License-Identifier: Apache-2.0
// An LSTM cell with 8-bit activations and weights, 16-bit gates and cell state.
#ifndef TERN_OPS_LSTM_INTEGER_LSTM_H_
#define TERN_OPS_LSTM_INTEGER_LSTM_H_

#include <vector>

#include "ops/cpu_kit/integer_product.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/lstm/lstm_operands.h"

namespace tern {

class IntegerLstm {
 public:
  // Reads all quantization parameters; `operands` outlive this, and have data.
  static StatusOr<IntegerLstm> Make(const OpCall& call, const LstmOperands& operands,
                                    const LstmOptions& options);

  // Packs the weights for runs of sequences of this shape, constants once. Returns the items of
  // each part of the batch.
  int64_t Pack(const SequenceShape& shape, ThreadPool* pool);
  // All steps of all sequences; the states are the operands' tensors.
  void Run(const SequenceRun<int8_t>& run, ThreadPool* pool);

 private:
  // A matrix with what goes before and after its sums.
  struct Matrix {
    Matrix() = default;
    Matrix(const TfLiteTensor* weights, const TfLiteTensor* bias, int32_t zero_point, double scale);

    IntegerWeights weights{};
    int64_t columns = 0, depth = 0;
    const void* bias = nullptr;
    int32_t zero_point = 0;  // of the rows
    Multiplier multiplier;
    IntegerProduct product;
    const IntegerMatrix* packed = nullptr;
  };
  struct Gate {
    Matrix weights, recurrent;
    Multiplier peephole, norm;
    int32_t min_variance = 1;
  };
  struct Scales {
    Quantization input, state, hidden;
    float cell;
  };

  explicit IntegerLstm(const LstmOperands& operands) : operands_(&operands) {}
  Status ReadScales(const OpCall& call, const LstmOptions& options, Scales& scales);
  Status MakeGate(const OpCall& call, int g, const Scales& scales);
  // A run of some items of the batch. Its memory is kept for the next one.
  struct Part {
    const SequenceRun<int8_t>* run = nullptr;
    int8_t* state = nullptr;
    int16_t* cell = nullptr;
    std::vector<int16_t> gates[kLstmGates];  // [steps of a block, items, cells]
    std::vector<int32_t> sums;
    std::vector<int8_t> hidden, copy;  // [items, cells]; rows of the input
  };

  // For products with so many rows.
  void PackMatrix(Matrix& matrix, int64_t rows, ThreadPool* pool) const;
  // Gives each sum of the rows times the matrix, scaled, to use(position, value).
  template <class Use>
  void ForEachSum(const Matrix& matrix, const int8_t* rows, int64_t count, ThreadPool* pool,
                  std::vector<int32_t>& sums, const Use& use) const;
  // Adds the scaled sums.
  void AddProduct(const Matrix& matrix, const int8_t* rows, int64_t count, ThreadPool* pool,
                  std::vector<int32_t>& sums, int16_t* to) const;
  // Of a row of gate g.
  void Normalize(int g, int16_t* z) const;
  void AddPeepholes(int g, const Part& part, int16_t* z) const;
  void ComputeGate(int g, Part& part, int16_t* z) const;
  void Step(int64_t step, Part& part) const;
  void ComputeOutput(const int16_t* out, Part& part) const;

  const LstmOperands* operands_;
  Gate gates_[kLstmGates];
  Matrix projection_;
  Multiplier hidden_scale_;
  int cell_exponent_ = 0;  // the cell state's scale is 2^cell_exponent_
  int16_t cell_clip_ = 0;
  int32_t projection_clip_ = 0;
  int32_t hidden_zero_ = 0, state_zero_ = 0;
  bool fast_ = false;  // products are those of vectors
  std::vector<Part> parts_;
};

}  // namespace tern

#endif  // TERN_OPS_LSTM_INTEGER_LSTM_H_
