// SPDX-License-Identifier: Apache-2.0
// An LSTM cell of any arithmetic, from Prepare to Eval.
#ifndef TERN_OPS_LSTM_LSTM_CELL_H_
#define TERN_OPS_LSTM_LSTM_CELL_H_

#include <optional>

#include "ops/lstm/dense_weights.h"
#include "ops/lstm/float_lstm.h"
#include "ops/lstm/integer_lstm.h"
#include "ops/lstm/lstm_operands.h"

namespace tern {

class LstmCell {
 public:
  Status Prepare(const OpCall& call, const LstmLayout& layout, const LstmInput& input,
                 const LstmOptions& options);

  // Of constants, for runs of this shape.
  void Pack(const OpCall& call, const SequenceShape& shape, ThreadPool* pool);

  // Where rows go; `backward` as in SequenceRun.
  struct Rows {
    SequenceShape shape;
    const TfLiteTensor* input;
    const TfLiteTensor* aux = nullptr;
    TfLiteTensor* output;
    int64_t output_offset = 0, output_stride = 0;
    bool backward = false;
  };
  Status Eval(const OpCall& call, const Rows& rows, ThreadPool* pool);

  int64_t outputs() const { return operands_.outputs; }
  LstmForm form() const { return operands_.form; }

 private:
  Status ReadWeights(const OpCall& call);

  LstmLayout layout_{};
  LstmInput input_{};
  LstmOptions options_;
  LstmOperands operands_;
  DenseWeights dense_;  // in the place of sparse operands
  FloatLstm float_;
  std::optional<IntegerLstm> integer_;  // kept from run to run when the weights are constant
};

}  // namespace tern

#endif  // TERN_OPS_LSTM_LSTM_CELL_H_
