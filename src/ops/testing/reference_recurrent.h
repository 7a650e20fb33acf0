// SPDX-License-Identifier: Apache-2.0
// Recurrent cells on values with error bounds: each gate a product of matrices, its function, and
// what the gates let through, put together from the other references.
#ifndef TERN_OPS_TESTING_REFERENCE_RECURRENT_H_
#define TERN_OPS_TESTING_REFERENCE_RECURRENT_H_

#include <cmath>
#include <utility>
#include <vector>

#include "ops/testing/reference_elementwise.h"
#include "ops/testing/reference_sums.h"
#include "ops/testing/reference_tensor.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern::testing {

class RefCell {
 public:
  explicit RefCell(const Rounding& rounding) : rounding_(rounding) {}

  // c' = logistic(i) tanh(g) + logistic(f) c
  RefTensor State(const RefTensor& i, const RefTensor& g, const RefTensor& f,
                  const RefTensor& c) const {
    return Sum(Product(Open(i), Bent(g)), Product(Open(f), c));
  }
  // h = logistic(o) tanh(c)
  RefTensor Result(const RefTensor& o, const RefTensor& c) const {
    return Product(Open(o), Bent(c));
  }
  RefTensor Rows(const RefTensor& x, const RefTensor& weights, const RefTensor* bias) const {
    RefTensor out({x.shape[0], weights.shape[0]});
    FullyConnectedRows(x, weights, bias, rounding_, out);
    return Kept(std::move(out));
  }
  // Adds the rounding error of a tensor that is stored in memory between two parts of a cell.
  RefTensor Kept(RefTensor t) const {
    for (size_t i = 0; i < t.value.size(); ++i) {
      t.error[i] += std::fabs(t.value[i]) * rounding_.storage;
    }
    return t;
  }
  RefTensor Sum(const RefTensor& a, const RefTensor& b) const { return Pair(a, b, false); }
  RefTensor Product(const RefTensor& a, const RefTensor& b) const { return Pair(a, b, true); }

 private:
  RefTensor Pair(const RefTensor& a, const RefTensor& b, bool multiply) const {
    RefTensor out(a.shape);
    Binary(a, b, multiply, rounding_, out);
    return out;
  }
  RefTensor Open(const RefTensor& x) const {
    RefTensor out(x.shape);
    Logistic(x, rounding_, out);
    return out;
  }
  RefTensor Bent(const RefTensor& x) const {
    RefTensor out(x.shape);
    ApplyRefFunction(*FindRefFunction(tflite::BuiltinOperator_TANH), x, rounding_, out);
    return out;
  }

  const Rounding& rounding_;
};

// Columns [first, first + count) of a matrix, or those of two matrices side by side.
inline RefTensor RefColumns(const RefTensor& x, int64_t first, int64_t count) {
  RefTensor out({x.shape[0], count});
  for (size_t i = 0; i < out.value.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const int64_t from = at / count * x.shape[1] + first + at % count;
    out.value[i] = x.value[from];
    out.error[i] = x.error[from];
  }
  return out;
}
inline RefTensor RefBeside(const RefTensor& a, const RefTensor& b) {
  RefTensor out({a.shape[0], a.shape[1] + b.shape[1]});
  Place(a, {0, 0}, out);
  Place(b, {0, a.shape[1]}, out);
  return out;
}

// LSTM with the basic kernel: operands x, h, weights, bias, c; results h, c, and two of scratch.
inline void BasicCell(const std::vector<const RefTensor*>& in, const Rounding& rounding,
                      std::vector<RefTensor>& outs) {
  const RefCell cell(rounding);
  const int64_t cells = outs[0].shape[1];
  outs[2] = RefBeside(*in[0], *in[1]);
  outs[3] = cell.Rows(outs[2], *in[2], in[3]);
  const auto gate = [&](int64_t i) { return RefColumns(outs[3], i * cells, cells); };
  outs[1] = cell.Kept(cell.State(gate(0), gate(1), gate(2), *in[4]));
  outs[0] = cell.Result(gate(3), outs[1]);
}

// UNIDIRECTIONAL_SEQUENCE_LSTM, time first, all gates, with or without peepholes.
inline void SequenceCell(const std::vector<const RefTensor*>& in, const Rounding& rounding,
                         RefTensor& out) {
  constexpr size_t kWeights = 1, kRecurrent = 5, kPeephole = 9, kBias = 12, kOutputState = 18,
                   kCellState = 19;
  const RefCell cell(rounding);
  const int64_t time = out.shape[0], batch = out.shape[1], inputs = in[0]->shape[2];
  RefTensor h = *in[kOutputState], c = *in[kCellState];
  for (int64_t t = 0; t < time; ++t) {
    RefTensor x({batch, inputs});
    for (size_t i = 0; i < x.value.size(); ++i) {
      x.value[i] = in[0]->value[t * batch * inputs + i];
      x.error[i] = in[0]->error[t * batch * inputs + i];
    }
    const auto gate = [&](size_t g, const RefTensor* peephole) {
      RefTensor z = cell.Sum(cell.Rows(x, *in[kWeights + g], in[kBias + g]),
                             cell.Rows(h, *in[kRecurrent + g], nullptr));
      return peephole == nullptr ? z : cell.Sum(z, cell.Product(c, *peephole));
    };
    c = cell.Kept(
        cell.State(gate(0, in[kPeephole]), gate(2, nullptr), gate(1, in[kPeephole + 1]), c));
    h = cell.Kept(cell.Result(gate(3, in[kPeephole + 2]), c));
    for (size_t i = 0; i < h.value.size(); ++i) {
      out.value[t * h.value.size() + i] = h.value[i];
      out.error[t * h.value.size() + i] = h.error[i];
    }
  }
}

}  // namespace tern::testing

#endif  // TERN_OPS_TESTING_REFERENCE_RECURRENT_H_
