// SPDX-License-Identifier: Apache-2.0
// AudioSpectrogram (custom), FLOAT32: samples [n, channels] -> [channels, frames, bins], the
// magnitudes (or their squares) of the Fourier transforms of frames of window_size samples,
// `stride` apart, under a periodic Hann window. A transform has the next power of two of
// window_size points and half of that plus one bins.
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/flex_map.h"
#include "ops/cpu_kit/fourier.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/options.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class AudioSpectrogram : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "AudioSpectrogram"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  // One frame, whose samples are `step` elements apart.
  void Transform(const float* samples, int64_t step, float* out) const;

  int64_t stride_ = 1;
  bool squared_ = false;
  std::vector<double> window_;
  RowTransform transform_{2};
};

Status AudioSpectrogram::Prepare(const OpCall& call) {
  constexpr int64_t kLongestWindow = 1 << 20;
  TERN_ASSIGN_OR_RETURN(const FlexMap map, OptionsOf(call));
  TERN_ASSIGN_OR_RETURN(const int64_t size, IntegerOption(map, "window_size", 0));
  TERN_ASSIGN_OR_RETURN(stride_, IntegerOption(map, "stride", 0));
  TERN_ASSIGN_OR_RETURN(const int64_t squared, IntegerOption(map, "magnitude_squared", 0));
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteFloat32, "samples"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteFloat32, "output"));
  TERN_RETURN_IF_ERROR(CheckRank(call.input(0), 2, "samples"));
  if (size < 2 || size > kLongestWindow) {
    return Invalid("window_size must lie in 2..", kLongestWindow, " (", size, ")");
  }
  if (stride_ < 1) return Invalid("stride must be positive (", stride_, ")");
  squared_ = squared != 0;
  window_.resize(static_cast<size_t>(size));
  for (size_t i = 0; i < window_.size(); ++i) {
    const double turns = static_cast<double>(i) / static_cast<double>(size);
    window_[i] = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * turns);
  }
  transform_ = RowTransform(std::bit_ceil(window_.size()));
  const int64_t samples = Dim(call.input(0), 0), channels = Dim(call.input(0), 1);
  const int64_t frames = samples < size ? 0 : (samples - size) / stride_ + 1;
  return call.SetShape(call.output(0), {channels, frames, static_cast<int64_t>(transform_.kept())});
}

void AudioSpectrogram::Transform(const float* samples, int64_t step, float* out) const {
  std::vector<double> frame(window_.size());
  for (size_t i = 0; i < frame.size(); ++i) {
    frame[i] = double{samples[static_cast<int64_t>(i) * step]} * window_[i];
  }
  ComplexArray bins(transform_.kept()), other(transform_.kept());
  transform_(frame.data(), frame.size(), bins, other);
  for (size_t i = 0; i < transform_.kept(); ++i) {
    const auto square =
        static_cast<float>(bins.real[i] * bins.real[i] + bins.imaginary[i] * bins.imaginary[i]);
    out[i] = squared_ ? square : std::sqrt(square);
  }
}

Status AudioSpectrogram::Eval(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "samples"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const int64_t channels = Dim(call.input(0), 1), frames = Dim(call.output(0), 1);
  const auto kept = static_cast<int64_t>(transform_.kept());
  ParallelFor(Pool(call), channels * frames, 16 * kept, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t channel = i / frames, first = i % frames * stride_;
      Transform(Data<float>(call.input(0)) + first * channels + channel, channels,
                MutableData<float>(call.output(0)) + i * kept);
    }
  });
  return OkStatus();
}

}  // namespace

TfLiteRegistration AudioSpectrogramRegistration(OpForm form) {
  return MakeRegistration<AudioSpectrogram>(form);
}

}  // namespace tern
