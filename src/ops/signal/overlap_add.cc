// SPDX-License-Identifier: Apache-2.0
// SignalOverlapAdd (custom), INT16 (saturated) and FLOAT32: frames [..., frames, frame_size] that
// lie frame_step samples apart -> their sums [..., frames * frame_step], as far as no later frame
// changes them. Rows are signals of their own, which go on in the next run. The option T, the type,
// is what the operands say, too.
#include <algorithm>
#include <cstdint>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/signal/signal_options.h"
#include "ops/signal/signal_state.h"

namespace tern {
namespace {

class SignalOverlapAdd : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SignalOverlapAdd"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  template <class T>
  void Run(const OpCall& call) const;

  int64_t step_ = 0;
};

Status SignalOverlapAdd::Prepare(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const FlexMap map, OptionsOf(call));
  TERN_ASSIGN_OR_RETURN(step_, NeededOption(map, "frame_step", 1, kMaxSamples));
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  const TfLiteType type = call.input(0)->type;
  if (type != kTfLiteInt16 && type != kTfLiteFloat32) {
    return Unsupported("type ", TypeText(type), " is not supported (input)");
  }
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), type, "output"));
  Shape shape = ShapeOf(call.input(0));
  if (shape.size() < 2) {
    return Invalid("the input must have two dimensions or more (", ShapeText(shape), ")");
  }
  const int64_t size = shape.back(), frames = shape[shape.size() - 2];
  if (step_ > size) {
    return Invalid("frame_step may be at most the size of a frame (", step_, ", ", size, ")");
  }
  shape.pop_back();
  shape.back() = frames * step_;
  TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), shape));
  shape.back() = size;
  return SetState(call, {{type, shape}});
}

int16_t Sum(int16_t a, int16_t b) {
  return static_cast<int16_t>(std::clamp(int32_t{a} + b, INT16_MIN, INT16_MAX));
}
float Sum(float a, float b) { return a + b; }

template <class T>
void SignalOverlapAdd::Run(const OpCall& call) const {
  const int rank = Rank(call.input(0));
  const int64_t size = Dim(call.input(0), rank - 1), frames = Dim(call.input(0), rank - 2);
  const int64_t rows = Elements(State(call, 0)) / size;
  const T* in = Data<T>(call.input(0));
  T* out = MutableData<T>(call.output(0));
  for (int64_t row = 0; row < rows; ++row) {
    T* sums = MutableData<T>(State(call, 0)) + row * size;
    for (int64_t frame = 0; frame < frames; ++frame) {
      for (int64_t i = 0; i < size; ++i) sums[i] = Sum(sums[i], in[i]);
      std::copy_n(sums, step_, out);
      std::copy(sums + step_, sums + size, sums);
      std::fill_n(sums + size - step_, step_, T{0});
      in += size;
      out += step_;
    }
  }
}

Status SignalOverlapAdd::Eval(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  TERN_RETURN_IF_ERROR(CheckData(State(call, 0), "state"));
  if (call.input(0)->type == kTfLiteInt16) {
    Run<int16_t>(call);
  } else {
    Run<float>(call);
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration SignalOverlapAddRegistration(OpForm form) {
  return MakeRegistration<SignalOverlapAdd>(form);
}

}  // namespace tern
