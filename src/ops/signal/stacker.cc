// SPDX-License-Identifier: Apache-2.0
// SignalStacker (custom), INT16: a frame [num_channels] -> the frame with stacker_left_context
// frames before it and stacker_right_context after it [num_channels * (left + 1 + right)], and
// whether there is one now (BOOL, a scalar; else zeros). The first frame stands for those before
// it. Of such stacks one comes out every stacker_step frames.
#include <algorithm>
#include <cstdint>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/signal/signal_options.h"
#include "ops/signal/signal_state.h"

namespace tern {
namespace {

constexpr int64_t kMaxFrames = 1 << 20;

class SignalStacker : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SignalStacker"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  int64_t channels_ = 0;
  int64_t frames_ = 0;  // in a stack
  int64_t left_ = 0, step_ = 0;
};

Status SignalStacker::Prepare(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const FlexMap map, OptionsOf(call));
  TERN_ASSIGN_OR_RETURN(channels_, NeededOption(map, "num_channels", 1, kMaxSamples));
  TERN_ASSIGN_OR_RETURN(left_, NeededOption(map, "stacker_left_context", 0, kMaxFrames));
  TERN_ASSIGN_OR_RETURN(const int64_t right,
                        NeededOption(map, "stacker_right_context", 0, kMaxFrames));
  frames_ = left_ + 1 + right;
  TERN_ASSIGN_OR_RETURN(step_, NeededOption(map, "stacker_step", 1, frames_));
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 2));
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteInt16, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteInt16, "output"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(1), kTfLiteBool, "validity"));
  TERN_RETURN_IF_ERROR(CheckChannels(call.input(0), channels_));
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), {channels_ * frames_}));
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(1), {}));
  // The last frames; how many of them are still to come out, and whether there has been one.
  return SetState(call, {{kTfLiteInt16, {channels_ * frames_}}, {kTfLiteInt32, {2}}});
}

Status SignalStacker::Eval(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(1), "validity"));
  for (int i = 0; i < 2; ++i) TERN_RETURN_IF_ERROR(CheckData(State(call, i), "state"));
  const auto* in = Data<int16_t>(call.input(0));
  auto *out = MutableData<int16_t>(call.output(0)), *stack = MutableData<int16_t>(State(call, 0));
  int32_t *waiting = MutableData<int32_t>(State(call, 1)), *begun = waiting + 1;
  const int64_t size = channels_ * frames_;
  if (*begun == 0) {
    for (int64_t i = 0; i < frames_; ++i) std::copy_n(in, channels_, stack + i * channels_);
    *waiting = static_cast<int32_t>(left_ + 1);
    *begun = 1;
  } else {
    std::copy(stack + channels_, stack + size, stack);
    std::copy_n(in, channels_, stack + size - channels_);
    ++*waiting;
  }
  const bool full = *waiting >= frames_;
  if (full) {
    std::copy_n(stack, size, out);
    *waiting -= static_cast<int32_t>(step_);
  } else {
    std::fill_n(out, size, int16_t{0});
  }
  *MutableData<bool>(call.output(1)) = full;
  return OkStatus();
}

}  // namespace

TfLiteRegistration SignalStackerRegistration(OpForm form) {
  return MakeRegistration<SignalStacker>(form);
}

}  // namespace tern
