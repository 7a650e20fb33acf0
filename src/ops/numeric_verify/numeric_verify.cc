// SPDX-License-Identifier: Apache-2.0
// NumericVerify (custom), which tools for quantization put beside tensors: what a quantized (or
// FLOAT16) tensor means and the float tensor that it stands for -> their difference. With
// log_if_failed and a tolerance of 0.1 or more it fails where they differ by more than that many
// scales; else it reports the differences.
#include <algorithm>
#include <cmath>

#include "base/flex_map.h"
#include "base/tensor/half.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/options.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class NumericVerify : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "NumericVerify"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  float Meant(const TfLiteTensor* t, int64_t i) const;

  Quantization quantization_;  // of halves what the model says, which may be nothing
  float tolerance_ = 0;
  bool may_fail_ = false;
};

Status NumericVerify::Prepare(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const FlexMap map, OptionsOf(call));
  TERN_ASSIGN_OR_RETURN(const double tolerance, RealOption(map, "tolerance", 0));
  TERN_ASSIGN_OR_RETURN(const int64_t log_if_failed, IntegerOption(map, "log_if_failed", 0));
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  const TfLiteTensor *input = call.input(0), *wanted = call.input(1);
  TERN_RETURN_IF_ERROR(CheckType(wanted, kTfLiteFloat32, "wanted values"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  if (IsQuantizedType(input->type)) {
    TERN_ASSIGN_OR_RETURN(quantization_, QuantizationOf(input, "input"));
  } else if (input->type == kTfLiteFloat16) {
    quantization_ = {input->params.scale, input->params.zero_point};
  } else {
    return Unsupported("type ", TypeText(input->type), " is not supported (input)");
  }
  if (Elements(input) != Elements(wanted)) {
    return Invalid("there must be a wanted value per element (", Elements(wanted), ", ",
                   Elements(input), ")");
  }
  tolerance_ = static_cast<float>(tolerance);
  may_fail_ = log_if_failed != 0 && tolerance_ >= 0.1;
  return call.SetShape(call.output(0), ShapeOf(input));
}

float NumericVerify::Meant(const TfLiteTensor* t, int64_t i) const {
  switch (t->type) {
    case kTfLiteInt8:
      return Dequantize(Data<int8_t>(t)[i], quantization_);
    case kTfLiteUInt8:
      return Dequantize(Data<uint8_t>(t)[i], quantization_);
    case kTfLiteInt16:
      return Dequantize(Data<int16_t>(t)[i], quantization_);
    default:
      return HalfToFloat(Data<uint16_t>(t)[i]);
  }
}

void Report(TfLiteContext* context, const float* differences, int64_t count,
            const Quantization& quantization) {
  double sum = 0, largest = 0, squares = 0;
  const auto n = static_cast<double>(std::max<int64_t>(count, 1));
  for (int64_t i = 0; i < count; ++i) {
    sum += differences[i];
    largest = std::max(largest, std::fabs(double{differences[i]}));
  }
  for (int64_t i = 0; i < count; ++i) {
    squares += (differences[i] - sum / n) * (differences[i] - sum / n);
  }
  context->ReportError(context, "std: %f, mean: %f, max_diff: %f (scale: %f, zero_point: %d).",
                       std::sqrt(squares / n), sum / n, largest, double{quantization.scale},
                       quantization.zero_point);
}

Status NumericVerify::Eval(const OpCall& call) {
  const TfLiteTensor *input = call.input(0), *wanted = call.input(1);
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(wanted, "wanted values"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  float* out = MutableData<float>(call.output(0));
  const float limit = tolerance_ * quantization_.scale;
  for (int64_t i = 0; i < Elements(input); ++i) {
    const float want = Data<float>(wanted)[i];
    out[i] = Meant(input, i) - want;
    if (may_fail_ && std::fabs(out[i]) > limit) {
      return Invalid("element ", i, " differs by ", std::fabs(out[i]), " (limit ", limit,
                     ", wanted ", want, ")");
    }
  }
  if (!may_fail_) Report(call.context(), out, Elements(input), quantization_);
  return OkStatus();
}

}  // namespace

TfLiteRegistration NumericVerifyRegistration(OpForm form) {
  return MakeRegistration<NumericVerify>(form);
}

}  // namespace tern
