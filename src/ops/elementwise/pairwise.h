// SPDX-License-Identifier: Apache-2.0
// What ops of two broadcast operands share: checks, the result's shape, and the loop over pairs.
#ifndef TERN_OPS_ELEMENTWISE_PAIRWISE_H_
#define TERN_OPS_ELEMENTWISE_PAIRWISE_H_

#include "ops/element_types.h"
#include "ops/elementwise/broadcast.h"

namespace tern {

class Pairwise : public Op {
 public:
  using Op::Op;
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool KnownAtPrepare(const OpCall& call) const override { return AllConstant(call); }

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

  BroadcastWalk walk_;
};

// Both operands have one type; the result takes it, whatever the model declares.
Status TakeOneType(const OpCall& call);

}  // namespace tern

#endif  // TERN_OPS_ELEMENTWISE_PAIRWISE_H_
