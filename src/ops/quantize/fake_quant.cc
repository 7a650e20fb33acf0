// SPDX-License-Identifier: Apache-2.0
// FAKE_QUANT: float numbers moved to the nearest of those that some bits can stand for.
#include <algorithm>
#include <cmath>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

constexpr int kMostBits = 16;

class FakeQuant : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "FAKE_QUANT"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  float scale_ = 1, min_ = 0, max_ = 0;
};

// The range moves so that 0 is one of the numbers.
Status FakeQuant::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteFloat32, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  const auto& params = call.params<TfLiteFakeQuantParams>();
  if (params.narrow_range) return Unsupported("narrow_range is not supported yet");
  if (params.num_bits < 2 || params.num_bits > kMostBits) {
    return Invalid("num_bits must be 2 to ", kMostBits, " (", params.num_bits, ")");
  }
  const auto steps = static_cast<float>((1 << params.num_bits) - 1);
  scale_ = (params.max - params.min) / steps;
  if (!(scale_ > 0) || !std::isfinite(scale_)) {
    return Invalid("max must be above min (", params.min, ", ", params.max, ")");
  }
  const float zero_point = -params.min / scale_;
  const float nudged = std::min(std::max(std::round(zero_point), 0.0f), steps);
  min_ = -nudged * scale_;
  max_ = (steps - nudged) * scale_;
  return call.SetShape(call.output(0), ShapeOf(call.input(0)));
}

Status FakeQuant::Eval(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const float* in = Data<float>(input);
  float* out = MutableData<float>(call.output(0));
  const float inverse = 1.0f / scale_;
  ParallelFor(Pool(call), Elements(input), 4, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float v = std::min(max_, std::max(min_, in[i]));
      out[i] = std::round((v - min_) * inverse) * scale_ + min_;
    }
  });
  return OkStatus();
}

}  // namespace

TfLiteRegistration FakeQuantRegistration(OpForm form) { return MakeRegistration<FakeQuant>(form); }

}  // namespace tern
