// SPDX-License-Identifier: Apache-2.0
// SignalFramer (custom), INT16: signals [..., n] -> frames [..., n / frame_step, frame_size] that
// overlap, and whether all of them are filled (BOOL, a scalar). Rows are signals of their own,
// which go on in the next run. With `prefill` each begins with zeros that complete its first frame;
// else frames that are not filled are zeros.
#include <algorithm>
#include <cstdint>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/signal/signal_options.h"
#include "ops/signal/signal_state.h"

namespace tern {
namespace {

class SignalFramer : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SignalFramer"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  void Push(const int16_t* step, int16_t* kept) const;

  int64_t size_ = 0, step_ = 0;
  int64_t kept_ = 0;    // samples of a row, of which the oldest are the next frame
  int32_t needed_ = 0;  // steps before frames are filled
};

Status SignalFramer::Prepare(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const FlexMap map, OptionsOf(call));
  TERN_ASSIGN_OR_RETURN(size_, NeededOption(map, "frame_size", 1, kMaxSamples));
  TERN_ASSIGN_OR_RETURN(step_, NeededOption(map, "frame_step", 1, kMaxSamples));
  TERN_ASSIGN_OR_RETURN(const int64_t prefill, NeededOption(map, "prefill", 0, 1));
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 2));
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteInt16, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteInt16, "output"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(1), kTfLiteBool, "validity"));
  Shape shape = ShapeOf(call.input(0));
  if (shape.empty() || shape.back() < step_ || shape.back() % step_ != 0) {
    return Invalid("the samples must be a multiple of frame_step (", ShapeText(shape), ", ", step_,
                   ")");
  }
  const int64_t whole_steps = (size_ + step_ - 1) / step_ * step_;
  kept_ = prefill != 0 ? std::max(size_, step_) : whole_steps;
  needed_ = prefill != 0 ? 0 : static_cast<int32_t>(whole_steps / step_);
  Shape state = shape;
  state.back() = kept_;
  shape.back() /= step_;
  shape.push_back(size_);
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), shape));
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(1), {}));
  return SetState(call, {{kTfLiteInt16, state}, {kTfLiteInt32, {1}}});
}

void SignalFramer::Push(const int16_t* step, int16_t* kept) const {
  std::copy(kept + step_, kept + kept_, kept);
  std::copy_n(step, step_, kept + kept_ - step_);
}

Status SignalFramer::Eval(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(1), "validity"));
  for (int i = 0; i < 2; ++i) TERN_RETURN_IF_ERROR(CheckData(State(call, i), "state"));
  const int64_t frames = Dim(call.input(0), Rank(call.input(0)) - 1) / step_;
  const int64_t rows = Elements(call.input(0)) / (frames * step_);
  const auto* in = Data<int16_t>(call.input(0));
  auto* out = MutableData<int16_t>(call.output(0));
  int32_t* steps = MutableData<int32_t>(State(call, 1));  // that have come, as far as it matters
  for (int64_t row = 0; row < rows; ++row) {
    int16_t* kept = MutableData<int16_t>(State(call, 0)) + row * kept_;
    for (int64_t frame = 0; frame < frames; ++frame) {
      Push(in, kept);
      if (*steps + frame + 1 >= needed_) {
        std::copy_n(kept, size_, out);
      } else {
        std::fill_n(out, size_, int16_t{0});
      }
      in += step_;
      out += size_;
    }
  }
  *MutableData<bool>(call.output(1)) = *steps + 1 >= needed_;
  *steps = static_cast<int32_t>(std::min<int64_t>(*steps + frames, needed_));
  return OkStatus();
}

}  // namespace

TfLiteRegistration SignalFramerRegistration(OpForm form) {
  return MakeRegistration<SignalFramer>(form);
}

}  // namespace tern
