// SPDX-License-Identifier: Apache-2.0
// LOCAL_RESPONSE_NORMALIZATION: x * (bias + alpha * sum of squares of near channels)^-beta.
#include <algorithm>
#include <cmath>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class LocalResponseNormalization : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "LOCAL_RESPONSE_NORMALIZATION"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
};

Status LocalResponseNormalization::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const TfLiteTensor* input = call.input(0);
  TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteFloat32, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  TERN_RETURN_IF_ERROR(CheckRank(input, 4, "input"));
  const int radius = call.params<TfLiteLocalResponseNormParams>().radius;
  if (radius < 0) return Invalid("radius must not be negative (", radius, ")");
  return call.SetShape(call.output(0), ShapeOf(input));
}

void ResponseRow(const float* in, int64_t count, const TfLiteLocalResponseNormParams& p,
                 float* out) {
  for (int64_t c = 0; c < count; ++c) {
    const int64_t first = std::max<int64_t>(c - p.radius, 0);
    const int64_t last = std::min<int64_t>(c + p.radius, count - 1);
    double sum = 0;
    for (int64_t i = first; i <= last; ++i) sum += double{in[i]} * double{in[i]};
    const double base = double{p.bias} + double{p.alpha} * sum;
    out[c] = static_cast<float>(double{in[c]} * std::pow(base, -double{p.beta}));
  }
}

Status LocalResponseNormalization::Eval(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  if (Elements(input) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const auto& params = call.params<TfLiteLocalResponseNormParams>();
  const int64_t count = Dim(input, 3);
  const float* in = Data<float>(input);
  float* out = MutableData<float>(call.output(0));
  const int64_t work = count * std::min<int64_t>(2 * int64_t{params.radius} + 1, count);
  ParallelFor(Pool(call), Elements(input) / count, work, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      ResponseRow(in + row * count, count, params, out + row * count);
    }
  });
  return OkStatus();
}

}  // namespace

TfLiteRegistration LocalResponseNormalizationRegistration(OpForm form) {
  return MakeRegistration<LocalResponseNormalization>(form);
}

}  // namespace tern
