// SPDX-License-Identifier: Apache-2.0
// SignalWindow (custom), INT16: frames [..., n] and weights [n] -> each sample times its weight,
// shifted to the right by `shift` bits (towards minus infinity) and saturated.
#include <algorithm>
#include <cstdint>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/signal/signal_options.h"

namespace tern {
namespace {

class SignalWindow : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SignalWindow"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  int shift_ = 0;
};

Status SignalWindow::Prepare(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const FlexMap map, OptionsOf(call));
  TERN_ASSIGN_OR_RETURN(const int64_t shift, NeededOption(map, "shift", 0, 31));
  shift_ = static_cast<int>(shift);
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  const TfLiteTensor *input = call.input(0), *weights = call.input(1);
  TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteInt16, "input"));
  TERN_RETURN_IF_ERROR(CheckType(weights, kTfLiteInt16, "weights"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteInt16, "output"));
  TERN_RETURN_IF_ERROR(CheckRank(weights, 1, "weights"));
  if (Rank(input) < 1 || Dim(input, Rank(input) - 1) != Dim(weights, 0)) {
    return Invalid("a frame must have a sample per weight (", ShapeText(ShapeOf(input)), ", ",
                   Dim(weights, 0), ")");
  }
  return call.SetShape(call.output(0), ShapeOf(input));
}

Status SignalWindow::Eval(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(1), "weights"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const int64_t samples = Elements(call.input(0)), size = Dim(call.input(1), 0);
  const auto *in = Data<int16_t>(call.input(0)), *weights = Data<int16_t>(call.input(1));
  auto* out = MutableData<int16_t>(call.output(0));
  for (int64_t first = 0; first < samples; first += size) {
    for (int64_t i = 0; i < size; ++i) {
      const int32_t product = (int32_t{in[first + i]} * weights[i]) >> shift_;
      out[first + i] = static_cast<int16_t>(std::clamp(product, INT16_MIN, INT16_MAX));
    }
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration SignalWindowRegistration(OpForm form) {
  return MakeRegistration<SignalWindow>(form);
}

}  // namespace tern
