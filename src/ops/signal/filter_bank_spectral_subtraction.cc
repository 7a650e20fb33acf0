// SPDX-License-Identifier: Apache-2.0
// SignalFilterBankSpectralSubtraction (custom): [num_channels] (UINT32) -> the channels without
// their noise, and the estimates of the noise, which are kept between runs and have smoothing_bits
// more bits. An estimate goes towards its channel by `smoothing` parts of
// 2^spectral_subtraction_bits, channels at odd places by alternate_smoothing; at least
// min_signal_remaining parts of a channel are left. With `clamping` an estimate above its channel
// falls to it at once. Overflow of 32 bits wraps.
#include <algorithm>
#include <cstdint>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/signal/signal_options.h"
#include "ops/signal/signal_state.h"

namespace tern {
namespace {

// Parts of 2^spectral_subtraction_bits.
struct Smoothing {
  uint32_t channel = 0, estimate = 0;
};

class SignalFilterBankSpectralSubtraction : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SignalFilterBankSpectralSubtraction"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  Status ReadOptions(const OpCall& call);
  uint32_t Subtract(uint32_t channel, const Smoothing& smoothing, uint32_t* estimate) const;

  Smoothing smoothing_[2];  // of channels at even and odd places
  uint32_t min_ = 0;
  int smoothing_bits_ = 0, part_bits_ = 0;
  bool clamping_ = false;
  int64_t channels_ = 0;
};

Status SignalFilterBankSpectralSubtraction::ReadOptions(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const FlexMap map, OptionsOf(call));
  const struct {
    const char* key;
    uint32_t* part;
  } parts[] = {{"smoothing", &smoothing_[0].channel},
               {"one_minus_smoothing", &smoothing_[0].estimate},
               {"alternate_smoothing", &smoothing_[1].channel},
               {"alternate_one_minus_smoothing", &smoothing_[1].estimate},
               {"min_signal_remaining", &min_}};
  for (const auto& [key, part] : parts) {
    TERN_ASSIGN_OR_RETURN(const int64_t value, NeededOption(map, key, 0, INT32_MAX));
    *part = static_cast<uint32_t>(value);
  }
  TERN_ASSIGN_OR_RETURN(const int64_t smoothing_bits, NeededOption(map, "smoothing_bits", 0, 31));
  TERN_ASSIGN_OR_RETURN(const int64_t part_bits,
                        NeededOption(map, "spectral_subtraction_bits", 0, 31));
  TERN_ASSIGN_OR_RETURN(const int64_t clamping, NeededOption(map, "clamping", 0, 1));
  TERN_ASSIGN_OR_RETURN(channels_, NeededOption(map, "num_channels", 0, kMaxSamples));
  smoothing_bits_ = static_cast<int>(smoothing_bits);
  part_bits_ = static_cast<int>(part_bits);
  clamping_ = clamping != 0;
  return OkStatus();
}

Status SignalFilterBankSpectralSubtraction::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(ReadOptions(call));
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 2));
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteUInt32, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteUInt32, "output"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(1), kTfLiteUInt32, "noise"));
  TERN_RETURN_IF_ERROR(CheckChannels(call.input(0), channels_));
  for (int i = 0; i < 2; ++i) {
    TERN_RETURN_IF_ERROR(call.SetShape(call.output(i), {channels_}));
  }
  return SetState(call, {{kTfLiteUInt32, {channels_}}});
}

uint32_t SignalFilterBankSpectralSubtraction::Subtract(uint32_t channel, const Smoothing& smoothing,
                                                       uint32_t* estimate) const {
  const uint32_t fine = channel << smoothing_bits_;
  *estimate = static_cast<uint32_t>(
      (uint64_t{fine} * smoothing.channel + uint64_t{*estimate} * smoothing.estimate) >>
      part_bits_);
  const uint32_t noise = std::min(*estimate, fine);
  if (clamping_) *estimate = noise;
  const auto min = static_cast<uint32_t>((uint64_t{channel} * min_) >> part_bits_);
  return std::max((fine - noise) >> smoothing_bits_, min);
}

Status SignalFilterBankSpectralSubtraction::Eval(const OpCall& call) {
  TfLiteTensor* state = State(call, 0);
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(1), "noise"));
  TERN_RETURN_IF_ERROR(CheckData(state, "state"));
  const auto* in = Data<uint32_t>(call.input(0));
  auto* estimates = MutableData<uint32_t>(state);
  for (int64_t i = 0; i < channels_; ++i) {
    MutableData<uint32_t>(call.output(0))[i] = Subtract(in[i], smoothing_[i % 2], &estimates[i]);
  }
  std::copy_n(estimates, channels_, MutableData<uint32_t>(call.output(1)));
  return OkStatus();
}

}  // namespace

TfLiteRegistration SignalFilterBankSpectralSubtractionRegistration(OpForm form) {
  return MakeRegistration<SignalFilterBankSpectralSubtraction>(form);
}

}  // namespace tern
