// SPDX-License-Identifier: Apache-2.0
// SOFTMAX over the last axis of a tensor of rank 1 or more: exp(beta * (x - max)) divided by the
// row's sum. FLOAT32, FLOAT16 and quantized integers.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/tensor/half.h"
#include "cpu/float_rows.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/softmax/softmax_quantized.h"

namespace tern {
namespace {

class Softmax : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SOFTMAX"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  SoftmaxRows quantized_;
};

Status Softmax::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const TfLiteTensor* input = call.input(0);
  if (Rank(input) < 1) return Invalid("input must have rank 1 or more (0)");
  if (input->type == kTfLiteFloat32 || input->type == kTfLiteFloat16) {
    TERN_RETURN_IF_ERROR(CheckSameType(input, call.output(0), "input and output"));
  } else {
    const float beta = call.params<TfLiteSoftmaxParams>().beta;
    TERN_ASSIGN_OR_RETURN(quantized_, QuantizedSoftmax(input, call.output(0), beta));
  }
  return call.SetShape(call.output(0), ShapeOf(input));
}

void ReferenceRow(const float* in, float* out, int64_t count, float beta) {
  float max = in[0];
  for (int64_t i = 1; i < count; ++i) max = std::max(max, in[i]);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    out[i] = std::exp((in[i] - max) * beta);
    sum += double{out[i]};
  }
  for (int64_t i = 0; i < count; ++i) out[i] = static_cast<float>(double{out[i]} / sum);
}

// A row of halves, by a form for floats.
void HalfRow(SoftmaxRow row, const uint16_t* in, int64_t count, float beta, uint16_t* out) {
  std::vector<float> values(static_cast<size_t>(count));
  const auto size = static_cast<size_t>(count);
  HalfToFloat({in, size}, values);
  row(values.data(), values.data(), count, beta);
  FloatToHalf(values, {out, size});
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
  const TfLiteType type = input->type;
  const SoftmaxRow optimized = fast() ? FastSoftmax() : nullptr;
  const SoftmaxRow form = optimized != nullptr ? optimized : &ReferenceRow;
  const void* in = input->data.raw_const;
  void* out = call.output(0)->data.raw;
  ParallelFor(pool, rows, 8 * count, [&](int64_t begin, int64_t end) {
    if (type != kTfLiteFloat32 && type != kTfLiteFloat16) {
      return quantized_(in, out, count, begin, end);
    }
    for (int64_t row = begin; row < end; ++row) {
      const int64_t at = row * count;
      if (type == kTfLiteFloat16) {
        HalfRow(form, Data<uint16_t>(input) + at, count, beta,
                MutableData<uint16_t>(call.output(0)) + at);
      } else {
        form(Data<float>(input) + at, MutableData<float>(call.output(0)) + at, count, beta);
      }
    }
  });
  return OkStatus();
}

}  // namespace

TfLiteRegistration SoftmaxRegistration(OpForm form) { return MakeRegistration<Softmax>(form); }

}  // namespace tern
