// SPDX-License-Identifier: Apache-2.0
// LOG_SOFTMAX over the last axis of a tensor of rank 1 or more: x - max - log(sum of exp(x - max)).
// FLOAT32, and 8-bit integers in fixed point.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "cpu/float_rows.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/cpu_kit/rows.h"
#include "ops/cpu_registry.h"
#include "ops/rules_kit/fixed_point.h"
#include "ops/softmax/softmax_scaling.h"

namespace tern {
namespace {

constexpr int kResultBits = 4;  // the output's scale is 16 / 256

class LogSoftmax : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "LOG_SOFTMAX"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  DifferenceScaling scaling_;
  ExpTable exponentials_;
  Multiplier back_;  // from differences in fixed point to quantized ones
};

Status LogSoftmax::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  TERN_ASSIGN_OR_RETURN(const bool bytes, CheckRows(call));
  const TfLiteTensor* input = call.input(0);
  if (bytes) {
    TERN_ASSIGN_OR_RETURN(const Quantization in,
                          ReadRowQuantization(call, {16.0f / 256, TypeRange(input->type).max}));
    scaling_ = DifferenceScaling::Of(in.scale, 1);
    exponentials_ = ExpTable::Of(scaling_);
    back_ = scaling_.Back();
  }
  return call.SetShape(call.output(0), ShapeOf(input));
}

void ReferenceLogSoftmaxRow(const float* in, float* out, int64_t count) {
  const float max = *std::max_element(in, in + count);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += double{std::exp(in[i] - max)};
  const auto log_sum = static_cast<float>(std::log(sum));
  for (int64_t i = 0; i < count; ++i) out[i] = in[i] - max - log_sum;
}

template <class T>
void BytesRow(const T* in, int64_t count, const DifferenceScaling& scaling, const ExpTable& table,
              const Multiplier& back, T* out) {
  constexpr auto kLow = int32_t{std::numeric_limits<T>::min()};
  constexpr auto kHigh = int32_t{std::numeric_limits<T>::max()};
  const T max = *std::max_element(in, in + count);
  const int32_t sum = SumOfExponentials(in, count, max, table);
  const int32_t log_sum = fixed::LogFromOne<kDifferenceBits, kSumBits>(sum);
  // Below this the fixed-point number itself would end.
  const int32_t lowest = Scale(fixed::Add(log_sum, std::numeric_limits<int32_t>::min()), back);
  const int32_t min = std::max(scaling.min - 1, lowest);
  for (int64_t i = 0; i < count; ++i) {
    const int32_t difference = int32_t{in[i]} - int32_t{max};
    if (difference <= min) {
      out[i] = static_cast<T>(kLow);
      continue;
    }
    const int32_t v = RoundingShiftRight(fixed::Subtract(scaling.Scaled(difference), log_sum),
                                         31 - kDifferenceBits - kResultBits) +
                      kHigh;
    out[i] = static_cast<T>(std::clamp(v, kLow, kHigh));
  }
}

Status LogSoftmax::Eval(const OpCall& call) {
  const LogSoftmaxRow optimized = fast() ? FastLogSoftmax() : nullptr;
  const LogSoftmaxRow form = optimized != nullptr ? optimized : &ReferenceLogSoftmaxRow;
  return EvalRows(call, Pool(call), 8, [&]<class T>(const T* in, int64_t count, T* out) {
    if constexpr (std::is_same_v<T, float>) {
      form(in, out, count);
    } else {
      BytesRow(in, count, scaling_, exponentials_, back_, out);
    }
  });
}

}  // namespace

TfLiteRegistration LogSoftmaxRegistration(OpForm form) {
  return MakeRegistration<LogSoftmax>(form);
}

}  // namespace tern
