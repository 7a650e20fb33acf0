// SPDX-License-Identifier: Apache-2.0
// SignalDelay (custom), INT16: frames [..., n] -> the same, delay_length samples later. Rows are
// signals of their own, which begin with zeros and go on in the next run.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/signal/signal_options.h"
#include "ops/signal/signal_state.h"

namespace tern {
namespace {

class SignalDelay : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SignalDelay"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  int64_t delay_ = 0;
  std::vector<int16_t> samples_;  // the kept ones of a row, and the new ones
};

Status SignalDelay::Prepare(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const FlexMap map, OptionsOf(call));
  TERN_ASSIGN_OR_RETURN(delay_, NeededOption(map, "delay_length", 0, kMaxSamples));
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteInt16, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteInt16, "output"));
  Shape shape = ShapeOf(call.input(0));
  if (shape.empty()) return Invalid("the input must have one dimension or more");
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), shape));
  shape.back() = delay_;
  return SetState(call, {{kTfLiteInt16, shape}});
}

Status SignalDelay::Eval(const OpCall& call) {
  TfLiteTensor* state = State(call, 0);
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  TERN_RETURN_IF_ERROR(CheckData(state, "state"));
  const int64_t samples = Dim(call.input(0), Rank(call.input(0)) - 1);
  samples_.resize(static_cast<size_t>(delay_ + samples));
  const auto* in = Data<int16_t>(call.input(0));
  auto* out = MutableData<int16_t>(call.output(0));
  auto* kept = MutableData<int16_t>(state);
  for (int64_t left = Elements(call.input(0)); left > 0; left -= samples) {
    std::copy_n(kept, delay_, samples_.begin());
    std::copy_n(in, samples, samples_.begin() + delay_);
    std::copy_n(samples_.begin(), samples, out);
    std::copy_n(samples_.begin() + samples, delay_, kept);
    in += samples;
    out += samples;
    kept += delay_;
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration SignalDelayRegistration(OpForm form) {
  return MakeRegistration<SignalDelay>(form);
}

}  // namespace tern
