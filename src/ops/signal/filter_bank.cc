// SPDX-License-Identifier: Apache-2.0
// SignalFilterBank (custom): energies [bins] (UINT32) -> num_channels sums (UINT64) over triangles
// that overlap by halves. Inputs 3, 4 and 5 (INT16) say of num_channels + 1 ranges where they begin
// among the bins, where among the weights, and how long they are; range i rises in channel i with
// the weights of input 1 and falls in channel i + 1 with those of input 2. The first channel, of
// which there is but one half, is dropped. Sums wrap around at 64 bits.
#include <cstdint>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"
#include "ops/signal/signal_options.h"

namespace tern {
namespace {

constexpr int64_t kMaxChannels = 1 << 15;

class SignalFilterBank : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SignalFilterBank"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }

 private:
  int64_t channels_ = 0;
};

Status SignalFilterBank::Prepare(const OpCall& call) {
  TERN_ASSIGN_OR_RETURN(const FlexMap map, OptionsOf(call));
  TERN_ASSIGN_OR_RETURN(channels_, NeededOption(map, "num_channels", 1, kMaxChannels));
  TERN_RETURN_IF_ERROR(call.CheckOperands(6, 6, 1));
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteUInt32, "input"));
  TERN_RETURN_IF_ERROR(CheckRank(call.input(0), 1, "input"));
  constexpr const char* kNames[] = {"weights", "falling weights", "first bins", "first weights",
                                    "lengths"};
  for (int i = 1; i < 6; ++i) {
    TERN_RETURN_IF_ERROR(CheckType(call.input(i), kTfLiteInt16, kNames[i - 1]));
    TERN_RETURN_IF_ERROR(CheckRank(call.input(i), 1, kNames[i - 1]));
    if (i >= 3 && Dim(call.input(i), 0) != channels_ + 1) {
      return Invalid("there must be a range more than channels (", kNames[i - 1], ": ",
                     Dim(call.input(i), 0), ", ", channels_, ")");
    }
  }
  if (Dim(call.input(1), 0) != Dim(call.input(2), 0)) {
    return Invalid("there must be as many falling as rising weights (", Dim(call.input(2), 0), ", ",
                   Dim(call.input(1), 0), ")");
  }
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteUInt64, "output"));
  return call.SetShape(call.output(0), {channels_});
}

uint64_t Weighed(int16_t weight, uint32_t energy) {
  return static_cast<uint64_t>(int64_t{weight}) * energy;
}

Status SignalFilterBank::Eval(const OpCall& call) {
  for (int i = 0; i < 6; ++i) TERN_RETURN_IF_ERROR(CheckData(call.input(i), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const auto* in = Data<uint32_t>(call.input(0));
  const auto *rising = Data<int16_t>(call.input(1)), *falling = Data<int16_t>(call.input(2));
  const auto *bins = Data<int16_t>(call.input(3)), *weights = Data<int16_t>(call.input(4));
  const auto* lengths = Data<int16_t>(call.input(5));
  auto* out = MutableData<uint64_t>(call.output(0));
  const int64_t max_bins = Dim(call.input(0), 0), max_weights = Dim(call.input(1), 0);
  uint64_t from_last_range = 0;
  for (int64_t i = 0; i <= channels_; ++i) {
    const int64_t bin = bins[i], weight = weights[i], length = lengths[i];
    if (length > 0 &&
        (bin < 0 || bin + length > max_bins || weight < 0 || weight + length > max_weights)) {
      return Invalid("range ", i, " leaves the ", max_bins, " bins or the ", max_weights,
                     " weights (", bin, ", ", weight, ", length ", length, ")");
    }
    uint64_t sum = from_last_range;
    from_last_range = 0;
    for (int64_t j = 0; j < length; ++j) {
      sum += Weighed(rising[weight + j], in[bin + j]);
      from_last_range += Weighed(falling[weight + j], in[bin + j]);
    }
    if (i > 0) out[i - 1] = sum;
  }
  return OkStatus();
}

}  // namespace

TfLiteRegistration SignalFilterBankRegistration(OpForm form) {
  return MakeRegistration<SignalFilterBank>(form);
}

}  // namespace tern
