// SPDX-License-Identifier: Apache-2.0
// SignalEnergy (custom): a spectrum [2 * bins] (INT16, real and imaginary parts in turn) -> the
// squares of its magnitudes [bins] (UINT32) from start_index to before end_index, and zeros
// outside.
#include <algorithm>
#include <cstdint>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/signal/signal_options.h"

namespace tern {
namespace {

class SignalEnergy : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SignalEnergy"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  int64_t begin_ = 0, end_ = 0;
};

Status SignalEnergy::Prepare(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const FlexMap map, OptionsOf(call));
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  const TfLiteTensor* input = call.input(0);
  TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteInt16, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteUInt32, "output"));
  TERN_RETURN_IF_ERROR(CheckRank(input, 1, "input"));
  if (Dim(input, 0) % 2 != 0) {
    return Invalid("a spectrum has pairs of numbers (", Dim(input, 0), ")");
  }
  const int64_t bins = Dim(input, 0) / 2;
  TERN_ASSIGN_OR_RETURN(end_, NeededOption(map, "end_index", 0, bins));
  TERN_ASSIGN_OR_RETURN(begin_, NeededOption(map, "start_index", 0, end_));
  return call.SetShape(call.output(0), {bins});
}

Status SignalEnergy::Eval(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const auto* in = Data<int16_t>(call.input(0));
  auto* out = MutableData<uint32_t>(call.output(0));
  std::fill_n(out, Dim(call.output(0), 0), 0u);
  for (int64_t i = begin_; i < end_; ++i) {
    const int32_t real = in[2 * i], imaginary = in[2 * i + 1];
    out[i] = static_cast<uint32_t>(real * real) + static_cast<uint32_t>(imaginary * imaginary);
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration SignalEnergyRegistration(OpForm form) {
  return MakeRegistration<SignalEnergy>(form);
}

}  // namespace tern
