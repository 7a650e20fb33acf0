// SPDX-License-Identifier: Apache-2.0
// FAKE_QUANT: float numbers moved to the nearest of those that some bits can stand for.
#include <algorithm>
#include <cmath>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/quantize/fake_quant_rules.h"

namespace tern {
namespace {

class FakeQuant : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "FAKE_QUANT"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  FakeNumbers numbers_;
};

Status FakeQuant::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteFloat32, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  TERN_ASSIGN_OR_RETURN(numbers_, FakeNumbersOf(call.params<TfLiteFakeQuantParams>()));
  return call.SetShape(call.output(0), ShapeOf(call.input(0)));
}

Status FakeQuant::Eval(const OpCall& call) {
  const TfLiteTensor* input = call.input(0);
  TERN_RETURN_IF_ERROR(CheckData(input, "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const float* in = Data<float>(input);
  float* out = MutableData<float>(call.output(0));
  const float scale = numbers_.scale, min = numbers_.min, max = numbers_.max;
  const float inverse = 1.0f / scale;
  ParallelFor(Pool(call), Elements(input), 4, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float v = std::min(max, std::max(min, in[i]));
      out[i] = std::round((v - min) * inverse) * scale + min;
    }
  });
  return OkStatus();
}

}  // namespace

TfLiteRegistration FakeQuantRegistration(OpForm form) { return MakeRegistration<FakeQuant>(form); }

}  // namespace tern
