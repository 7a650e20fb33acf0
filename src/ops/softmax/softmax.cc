// SPDX-License-Identifier: Apache-2.0
// SOFTMAX over the last axis of a tensor of rank 1 or more: exp(beta * (x - max)) divided by the
// row's sum.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cpu/xnn_elementwise.h"
#include "ops/cpu_registry.h"
#include "ops/fast_input.h"
#include "ops/op_kit.h"

namespace tern {
namespace {

class Softmax : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SOFTMAX"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  bool EvalFast(const OpCall& call, int64_t rows, int64_t count, ThreadPool* pool);

  XnnOp op_;
  int64_t op_count_ = 0;
  FastInput input_;
};

Status Softmax::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const TfLiteTensor* input = call.input(0);
  TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteFloat32, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  if (Rank(input) < 1) return Invalid("input must have rank 1 or more");
  return call.SetShape(call.output(0), ShapeOf(input));
}

void SoftmaxRow(const float* in, int64_t count, float beta, float* out) {
  float max = in[0];
  for (int64_t i = 1; i < count; ++i) max = std::max(max, in[i]);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    out[i] = std::exp((in[i] - max) * beta);
    sum += double{out[i]};
  }
  for (int64_t i = 0; i < count; ++i) out[i] = static_cast<float>(double{out[i]} / sum);
}

// XNNPACK knows no beta, and infinities and NaN come out of it as something else than NaN.
bool Softmax::EvalFast(const OpCall& call, int64_t rows, int64_t count, ThreadPool* pool) {
  if (call.params<TfLiteSoftmaxParams>().beta != 1.0f) return false;
  const float* in = input_.Get(call.input(0));
  bool finite = true;
  for (int64_t i = 0; i < rows * count; ++i) {
    finite &= std::fabs(in[i]) <= std::numeric_limits<float>::max();
  }
  if (!finite) return false;
  if (!op_ || op_count_ != count) {
    op_ = CreateXnnSoftmax(static_cast<size_t>(count));
    op_count_ = count;
  }
  return op_ && RunXnnSoftmax(op_, rows, in, MutableData<float>(call.output(0)), pool);
}

Status Softmax::Eval(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  if (Elements(input) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const float beta = call.params<TfLiteSoftmaxParams>().beta;
  const int64_t count = Dim(input, Rank(input) - 1);
  const int64_t rows = Elements(input) / count;
  ThreadPool* pool = Pool(call);
  if (fast() && EvalFast(call, rows, count, pool)) return OkStatus();
  const float* in = Data<float>(input);
  float* out = MutableData<float>(call.output(0));
  ParallelFor(pool, rows, 8 * count, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      SoftmaxRow(in + row * count, count, beta, out + row * count);
    }
  });
  return OkStatus();
}

}  // namespace

TfLiteRegistration SoftmaxRegistration(OpForm form) { return MakeRegistration<Softmax>(form); }

}  // namespace tern
