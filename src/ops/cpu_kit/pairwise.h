// SPDX-License-Identifier: Apache-2.0
// The base of ops with two broadcast operands: checks, the result's shape, and the loop over pairs.
#ifndef TERN_OPS_CPU_KIT_PAIRWISE_H_
#define TERN_OPS_CPU_KIT_PAIRWISE_H_

#include <algorithm>
#include <vector>

#include "ops/cpu_kit/element_types.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/rules_kit/broadcast.h"

namespace tern {

class Pairwise : public Op {
 public:
  using Op::Op;
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 protected:
  // Types, options and quantization; operands are there.
  virtual Status Check(const OpCall& call) = 0;
  // Operands have data, and the result has elements.
  virtual Status Run(const OpCall& call, ThreadPool* pool) const = 0;

  // out = function(a, b) for each pair, computed with the numbers of A and stored as R.
  template <class A, class R, class F>
  void ForEachPair(const OpCall& call, ThreadPool* pool, const F& function) const {
    const A* a = Data<A>(call.input(0));
    const A* b = Data<A>(call.input(1));
    R* out = MutableData<R>(call.output(0));
    const int64_t step_a = walk_.steps.back()[0], step_b = walk_.steps.back()[1];
    const auto make = [&](const A& x, const A& y) {
      return Stored<R>::Store(function(Stored<A>::Load(x), Stored<A>::Load(y)));
    };
    ParallelFor(pool, Elements(call.output(0)), 4, [&](int64_t begin, int64_t end) {
      walk_.ForEachPiece(begin, end, [&](int64_t at, const auto& offsets, int64_t count) {
        const A *x = a + offsets[0], *y = b + offsets[1];
        R* z = out + at;
        if (step_a == 1 && step_b == 1) {
          for (int64_t i = 0; i < count; ++i) z[i] = make(x[i], y[i]);
        } else if (step_b == 0) {
          const A second = *y;
          for (int64_t i = 0; i < count; ++i) z[i] = make(x[i * step_a], second);
        } else {
          for (int64_t i = 0; i < count; ++i) z[i] = make(x[i * step_a], y[i * step_b]);
        }
      });
    });
  }

  // Computes pairs by rows: row(a, a_moves, b, b_moves, out, count), where an operand moves by one
  // or stays. A short row that repeats is copied after itself to make a long one.
  template <class A, class R, class Row>
  void ForEachRow(const OpCall& call, ThreadPool* pool, const Row& row) const {
    const A* a = Data<A>(call.input(0));
    const A* b = Data<A>(call.input(1));
    R* out = MutableData<R>(call.output(0));
    const bool a_moves = walk_.steps.back()[0] != 0, b_moves = walk_.steps.back()[1] != 0;
    const int repeated = RepeatedOperand();
    ParallelFor(pool, Elements(call.output(0)), 1, [&](int64_t begin, int64_t end) {
      if (repeated < 0) {
        walk_.ForEachPiece(begin, end, [&](int64_t at, const auto& offsets, int64_t count) {
          row(a + offsets[0], a_moves, b + offsets[1], b_moves, out + at, count);
        });
      } else {
        RowsOfRepeated(repeated, a, b, out, begin, end, row);
      }
    });
  }

  BroadcastWalk walk_;

 private:
  static constexpr int64_t kLongRow = 512;

  // The operand whose last row is short and serves many rows of the other one; -1: none.
  int RepeatedOperand() const;

  template <class A, class R, class Row>
  void RowsOfRepeated(int repeated, const A* a, const A* b, R* out, int64_t begin, int64_t end,
                      const Row& row) const {
    const int64_t period = walk_.sizes.back();
    const int64_t block = period * walk_.sizes[walk_.sizes.size() - 2];
    const int64_t longest = std::min(kLongRow / period * period, block);
    std::vector<A> copies(static_cast<size_t>(longest + period));
    for (int64_t at = begin, block_end = 0; at < end;) {
      const auto offsets = walk_.OffsetsAt(at);
      const int64_t phase = at % period;
      if (at >= block_end) {
        block_end = (at / block + 1) * block;
        const A* from = (repeated == 0 ? a : b) + offsets[repeated] - phase;
        for (int64_t i = 0; i < longest + period; i += period) {
          std::copy_n(from, period, copies.begin() + i);
        }
      }
      const int64_t count = std::min({longest, end - at, block_end - at});
      const A* short_row = copies.data() + phase;
      row(repeated == 0 ? short_row : a + offsets[0], true,
          repeated == 1 ? short_row : b + offsets[1], true, out + at, count);
      at += count;
    }
  }
};

// Errors: operands of different types. The result takes their type, whatever the model declares.
Status TakeOneType(const OpCall& call);

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_PAIRWISE_H_
