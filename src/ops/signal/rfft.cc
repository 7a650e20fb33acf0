// SPDX-License-Identifier: Apache-2.0
// SignalRfft (custom), INT16, INT32 and FLOAT32: frames [..., n] with n <= fft_length, an even
// product of 2, 3 and 5 -> their spectra [..., fft_length + 2], real and imaginary parts in turn.
// Zeros fill the frames. SignalIrfft: the way back, [..., fft_length + 2] -> [..., fft_length].
// Integer spectra are divided by fft_length, and so are the frames of SignalIrfft in every type.
// The option T, the type, is what the operands say, too.
#include <cstdint>
#include <memory>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/signal/real_fourier.h"
#include "ops/signal/signal_options.h"

namespace tern {
namespace {

constexpr int64_t kShortestTransform = 4, kLongestTransform = 1 << 20;

bool IsProductOf235(int64_t v) {
  for (const int factor : {2, 3, 5}) {
    while (v % factor == 0) v /= factor;
  }
  return v == 1;
}

class SignalFourier : public Op {
 public:
  using Op::Op;
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 protected:
  virtual bool forward() const = 0;

 private:
  template <class T>
  void Run(const OpCall& call, std::unique_ptr<RealFourier<T>>& transform) const;

  int64_t length_ = 0;
  // Only the transform of the operands' type exists.
  std::unique_ptr<RealFourier<int16_t>> of_int16_;
  std::unique_ptr<RealFourier<int32_t>> of_int32_;
  std::unique_ptr<RealFourier<float>> of_float_;
};

class SignalRfft : public SignalFourier {
 public:
  using SignalFourier::SignalFourier;
  const char* name() const override { return "SignalRfft"; }

 protected:
  bool forward() const override { return true; }
};

class SignalIrfft : public SignalFourier {
 public:
  using SignalFourier::SignalFourier;
  const char* name() const override { return "SignalIrfft"; }

 protected:
  bool forward() const override { return false; }
};

Status SignalFourier::Prepare(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const FlexMap map, OptionsOf(call));
  TERN_ASSIGN_OR_RETURN(length_,
                        NeededOption(map, "fft_length", kShortestTransform, kLongestTransform));
  if (length_ % 2 != 0 || !IsProductOf235(length_)) {
    return Invalid("fft_length must be an even product of 2, 3 and 5 (", length_, ")");
  }
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  const TfLiteTensor* input = call.input(0);
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), input->type, "output"));
  Shape shape = ShapeOf(input);
  if (shape.empty()) return Invalid("the input must have one dimension or more");
  if (forward() ? shape.back() > length_ : shape.back() != length_ + 2) {
    return Invalid(forward() ? "a frame may have at most fft_length samples"
                             : "a spectrum must have fft_length + 2 numbers",
                   " (", shape.back(), ", fft_length ", length_, ")");
  }
  of_int16_.reset();
  of_int32_.reset();
  of_float_.reset();
  const auto length = static_cast<size_t>(length_);
  const int direction = forward() ? 1 : -1;
  switch (input->type) {
    case kTfLiteInt16:
      of_int16_ = std::make_unique<RealFourier<int16_t>>(length, direction);
      break;
    case kTfLiteInt32:
      of_int32_ = std::make_unique<RealFourier<int32_t>>(length, direction);
      break;
    case kTfLiteFloat32:
      of_float_ = std::make_unique<RealFourier<float>>(length, direction);
      break;
    default:
      return Unsupported("type ", TypeText(input->type), " is not supported (input)");
  }
  shape.back() = forward() ? length_ + 2 : length_;
  return call.SetShape(call.output(0), shape);
}

template <class T>
void SignalFourier::Run(const OpCall& call, std::unique_ptr<RealFourier<T>>& transform) const {
  if (transform == nullptr) return;
  const int last = Rank(call.input(0)) - 1;
  const int64_t in_step = Dim(call.input(0), last), out_step = Dim(call.output(0), last);
  const int64_t frames = Elements(call.output(0)) / out_step;
  for (int64_t i = 0; i < frames; ++i) {
    const T* in = Data<T>(call.input(0)) + i * in_step;
    T* out = MutableData<T>(call.output(0)) + i * out_step;
    if (forward()) {
      transform->Forward(in, static_cast<size_t>(in_step), out);
    } else {
      transform->Backward(in, out);
    }
  }
}

Status SignalFourier::Eval(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  Run(call, of_int16_);
  Run(call, of_int32_);
  Run(call, of_float_);
  return OkStatus();
}

}  // namespace

TfLiteRegistration SignalRfftRegistration(OpForm form) {
  return MakeRegistration<SignalRfft>(form);
}
TfLiteRegistration SignalIrfftRegistration(OpForm form) {
  return MakeRegistration<SignalIrfft>(form);
}

}  // namespace tern
