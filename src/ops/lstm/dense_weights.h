// SPDX-License-Identifier: Apache-2.0
// Sparse weights of an LSTM cell, as the dense tensors that its arithmetic takes.
#ifndef TERN_OPS_LSTM_DENSE_WEIGHTS_H_
#define TERN_OPS_LSTM_DENSE_WEIGHTS_H_

#include <map>
#include <vector>

#include "ops/lstm/lstm_operands.h"

namespace tern {

class DenseWeights {
 public:
  // Lets the operands point to dense tensors where they point to sparse ones. Those live as long
  // as this; elements are made once.
  Status Replace(LstmOperands& operands);
  void Forget() { tensors_.clear(); }

 private:
  struct Dense {
    TfLiteTensor tensor{};
    std::vector<float> floats;
    std::vector<int8_t> bytes;
  };
  StatusOr<const TfLiteTensor*> DenseOf(const TfLiteTensor& sparse);

  std::map<const TfLiteSparsity*, Dense> tensors_;  // by what tells one tensor from the others
};

}  // namespace tern

#endif  // TERN_OPS_LSTM_DENSE_WEIGHTS_H_
