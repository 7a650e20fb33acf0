// SPDX-License-Identifier: Apache-2.0
// SignalFilterBankLog (custom): [channels] (UINT32) -> output_scale times the natural logarithms of
// the inputs times 2^input_correction_bits (INT16, at most 32767; 0 for inputs of 0 and 1).
// Products and shifts wrap around at 32 bits.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/signal/signal_options.h"

namespace tern {
namespace {

constexpr int kFractionBits = 16;
constexpr uint32_t kHalf = 1u << (kFractionBits - 1);
constexpr uint32_t kLogOf2 = 45426;  // in 65536ths

// By how much the logarithm to base 2 of 1 + i/128 exceeds i/128, in 65536ths.
class Bulge {
 public:
  Bulge() {
    for (size_t i = 0; i < excess_.size(); ++i) {
      const double part = static_cast<double>(i) / kSegments;
      excess_[i] = static_cast<int32_t>(std::lround(65536 * (std::log2(1 + part) - part)));
    }
  }

  // The logarithm to base 2 of 1 + part / 65536. Between two entries the reference goes a 128th of
  // the way that a straight line would go.
  uint32_t operator()(uint32_t part) const {
    const uint32_t segment = part / kWidth, rest = part % kWidth;
    const int32_t step = (excess_[segment + 1] - excess_[segment]) * static_cast<int32_t>(rest);
    return part + static_cast<uint32_t>(excess_[segment] + (step >> kFractionBits));
  }

 private:
  static constexpr uint32_t kSegments = 128, kWidth = (1u << kFractionBits) / kSegments;
  std::array<int32_t, kSegments + 1> excess_;
};

class SignalFilterBankLog : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SignalFilterBankLog"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  uint32_t ScaledLog(uint32_t v) const;

  Bulge bulge_;
  int bits_ = 0;
  uint32_t scale_ = 0;
};

Status SignalFilterBankLog::Prepare(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const FlexMap map, OptionsOf(call));
  TERN_ASSIGN_OR_RETURN(const int64_t bits, NeededOption(map, "input_correction_bits", 0, 31));
  TERN_ASSIGN_OR_RETURN(const int64_t scale, NeededOption(map, "output_scale", 0, INT32_MAX));
  bits_ = static_cast<int>(bits);
  scale_ = static_cast<uint32_t>(scale);
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteUInt32, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteInt16, "output"));
  TERN_RETURN_IF_ERROR(CheckRank(call.input(0), 1, "input"));
  return call.SetShape(call.output(0), ShapeOf(call.input(0)));
}

// Of v > 1.
uint32_t SignalFilterBankLog::ScaledLog(uint32_t v) const {
  const int whole = std::bit_width(v) - 1;
  const uint32_t rest = v - (1u << whole);
  const uint32_t part =
      whole < kFractionBits ? rest << (kFractionBits - whole) : rest >> (whole - kFractionBits);
  const uint32_t log2 = (static_cast<uint32_t>(whole) << kFractionBits) + bulge_(part);
  const auto log = static_cast<uint32_t>((uint64_t{kLogOf2} * log2 + kHalf) >> kFractionBits);
  return (scale_ * log + kHalf) >> kFractionBits;
}

Status SignalFilterBankLog::Eval(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const auto* in = Data<uint32_t>(call.input(0));
  auto* out = MutableData<int16_t>(call.output(0));
  for (int64_t i = 0; i < Elements(call.input(0)); ++i) {
    const uint32_t v = in[i] << bits_;
    out[i] = v > 1 ? static_cast<int16_t>(std::min<uint32_t>(ScaledLog(v), INT16_MAX)) : int16_t{0};
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration SignalFilterBankLogRegistration(OpForm form) {
  return MakeRegistration<SignalFilterBankLog>(form);
}

}  // namespace tern
