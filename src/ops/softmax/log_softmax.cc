// SPDX-License-Identifier: Apache-2.0
// LOG_SOFTMAX over the last axis of a tensor of rank 1 or more: x - max - log(sum of exp(x - max)).
// FLOAT32, and 8-bit integers in fixed point.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/cpu_registry.h"
#include "ops/fixed_point.h"
#include "ops/op_kit.h"
#include "ops/quantized.h"
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
  Status PrepareQuantized(const OpCall& call);

  DifferenceScaling scaling_;
  Multiplier back_;  // from differences in fixed point to quantized ones
};

Status LogSoftmax::PrepareQuantized(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  if (input->type != kTfLiteInt8 && input->type != kTfLiteUInt8) {
    return Unsupported("type ", TypeText(input->type), " is not supported yet (input)");
  }
  TERN_ASSIGN_OR_RETURN(const Quantization in, QuantizationOf(input, "input"));
  TERN_ASSIGN_OR_RETURN(const Quantization out, QuantizationOf(call.output(0), "output"));
  const int32_t zero_point = TypeRange(input->type).max;
  if (out.zero_point != zero_point || out.scale != 16.0f / 256) {
    return Invalid("the output's quantization must be (", 16.0f / 256, ", ", zero_point,
                   "), it is (", out.scale, ", ", out.zero_point, ")");
  }
  scaling_ = DifferenceScaling::Of(in.scale, 1);
  const Multiplier& m = scaling_.multiplier;
  back_ = m.value == 0 ? Multiplier{} : MakeMultiplier(std::ldexp(1.0, 31 - m.shift) / m.value);
  return OkStatus();
}

Status LogSoftmax::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  const TfLiteTensor* input = call.input(0);
  TERN_RETURN_IF_ERROR(CheckSameType(input, call.output(0), "input and output"));
  if (Rank(input) < 1) return Invalid("input must have rank 1 or more");
  if (input->type != kTfLiteFloat32) TERN_RETURN_IF_ERROR(PrepareQuantized(call));
  return call.SetShape(call.output(0), ShapeOf(input));
}

void FloatRow(const float* in, int64_t count, float* out) {
  const float max = *std::max_element(in, in + count);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += double{std::exp(in[i] - max)};
  const auto log_sum = static_cast<float>(std::log(sum));
  for (int64_t i = 0; i < count; ++i) out[i] = in[i] - max - log_sum;
}

template <class T>
void BytesRow(const T* in, int64_t count, const DifferenceScaling& scaling, const Multiplier& back,
              T* out) {
  constexpr int32_t kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  const int32_t max = *std::max_element(in, in + count);
  const int32_t sum = SumOfExponentials(in, count, max, scaling);
  const int32_t log_sum = fixed::LogFromOne<kDifferenceBits, kSumBits>(sum);
  // Below this the fixed-point number itself would end.
  const int32_t lowest = Scale(fixed::Add(log_sum, std::numeric_limits<int32_t>::min()), back);
  const int32_t least = std::max(scaling.least - 1, lowest);
  for (int64_t i = 0; i < count; ++i) {
    const int32_t difference = in[i] - max;
    if (difference <= least) {
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
  const TfLiteTensor* input = call.input(0);
  if (Elements(input) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const int64_t count = Dim(input, Rank(input) - 1);
  TfLiteTensor* output = call.output(0);
  ParallelFor(Pool(call), Elements(input) / count, 8 * count, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin * count; at < end * count; at += count) {
      if (input->type == kTfLiteFloat32) {
        FloatRow(Data<float>(input) + at, count, MutableData<float>(output) + at);
      } else if (input->type == kTfLiteInt8) {
        BytesRow(Data<int8_t>(input) + at, count, scaling_, back_,
                 MutableData<int8_t>(output) + at);
      } else {
        BytesRow(Data<uint8_t>(input) + at, count, scaling_, back_,
                 MutableData<uint8_t>(output) + at);
      }
    }
  });
  return OkStatus();
}

}  // namespace

TfLiteRegistration LogSoftmaxRegistration(OpForm form) {
  return MakeRegistration<LogSoftmax>(form);
}

}  // namespace tern
