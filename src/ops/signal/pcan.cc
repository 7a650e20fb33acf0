// SPDX-License-Identifier: Apache-2.0
// SignalPCAN (custom): channels and estimates of their noise [channels] (UINT32), and a table of
// gains (INT16) -> channels (UINT32) whose gain follows their noise ("per-channel amplitude
// normalization"). The table holds the gains for a noise of 0, 1 and 2, and for each doubling from
// 2 on a parabola: three coefficients and a number that is not read.
#include <bit>
#include <cstdint>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/signal/signal_options.h"

namespace tern {
namespace {

constexpr int kRatioBits = 12, kOutputBits = 6;  // fractions of the ratio of signal to noise

class SignalPcan : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SignalPCAN"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  int shift_ = 0;
};

Status SignalPcan::Prepare(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const FlexMap map, OptionsOf(call));
  TERN_ASSIGN_OR_RETURN(const int64_t shift, NeededOption(map, "snr_shift", 0, 63));
  shift_ = static_cast<int>(shift);
  TERN_RETURN_IF_ERROR(call.CheckOperands(3, 3, 1));
  const TfLiteTensor *input = call.input(0), *noise = call.input(1);
  TERN_RETURN_IF_ERROR(CheckType(input, kTfLiteUInt32, "input"));
  TERN_RETURN_IF_ERROR(CheckType(noise, kTfLiteUInt32, "noise"));
  TERN_RETURN_IF_ERROR(CheckType(call.input(2), kTfLiteInt16, "gains"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteUInt32, "output"));
  TERN_RETURN_IF_ERROR(CheckRank(input, 1, "input"));
  TERN_RETURN_IF_ERROR(CheckRank(noise, 1, "noise"));
  TERN_RETURN_IF_ERROR(CheckRank(call.input(2), 1, "gains"));
  if (Dim(input, 0) != Dim(noise, 0)) {
    return Invalid("there must be an estimate of the noise per channel (", Dim(noise, 0), ", ",
                   Dim(input, 0), ")");
  }
  return call.SetShape(call.output(0), ShapeOf(input));
}

// Where the table speaks of a noise, and how many numbers it has there.
struct Entry {
  int64_t at, count;
};

Entry EntryOf(uint32_t noise) {
  if (noise <= 2) return {noise, 1};
  return {4 * int64_t{std::bit_width(noise)} - 6, 3};
}

// The gain at a noise above 2: a parabola over the ten bits that follow the noise's first one.
int16_t Parabola(uint32_t noise, const int16_t* coefficients) {
  const int width = std::bit_width(noise);
  const uint32_t bits = width < 11 ? noise << (11 - width) : noise >> (width - 11);
  const auto part = static_cast<int32_t>(bits & 0x3ff);
  int32_t sum = ((coefficients[2] * part) >> 5) + coefficients[1] * 32;
  sum = (sum * part + (1 << 14)) >> 15;
  return static_cast<int16_t>(sum + coefficients[0]);
}

// A parabola below a ratio of 2 and a straight line above, which meet there.
uint32_t Shrunk(uint32_t ratio) {
  if (ratio < (2u << kRatioBits)) return (ratio * ratio) >> (2 + 2 * kRatioBits - kOutputBits);
  return (ratio >> (kRatioBits - kOutputBits)) - (1u << kOutputBits);
}

Status SignalPcan::Eval(const OpCall& call) {
  for (int i = 0; i < 3; ++i) TERN_RETURN_IF_ERROR(CheckData(call.input(i), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const auto *in = Data<uint32_t>(call.input(0)), *noise = Data<uint32_t>(call.input(1));
  const auto* gains = Data<int16_t>(call.input(2));
  auto* out = MutableData<uint32_t>(call.output(0));
  for (int64_t i = 0; i < Dim(call.input(0), 0); ++i) {
    const Entry entry = EntryOf(noise[i]);
    if (entry.at + entry.count > Dim(call.input(2), 0)) {
      return Invalid("the table of ", Dim(call.input(2), 0), " gains ends before a noise of ",
                     noise[i]);
    }
    const int16_t* at = gains + entry.at;
    const auto gain = static_cast<uint32_t>(int32_t{noise[i] <= 2 ? *at : Parabola(noise[i], at)});
    out[i] = Shrunk(static_cast<uint32_t>((uint64_t{in[i]} * gain) >> shift_));
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration SignalPcanRegistration(OpForm form) {
  return MakeRegistration<SignalPcan>(form);
}

}  // namespace tern
