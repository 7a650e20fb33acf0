// SPDX-License-Identifier: Apache-2.0
// SignalFftAutoScale (custom): samples [n] (INT16) -> the samples shifted to the left as far as the
// largest of them allows, and by how many bits (INT32, a scalar).
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class SignalFftAutoScale : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SignalFftAutoScale"; }

  Status Prepare(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 2));
    TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteInt16, "input"));
    TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteInt16, "output"));
    TERN_RETURN_IF_ERROR(CheckType(call.output(1), kTfLiteInt32, "bits"));
    TERN_RETURN_IF_ERROR(CheckRank(call.input(0), 1, "input"));
    TERN_RETURN_IF_ERROR(call.SetShape(call.output(0), ShapeOf(call.input(0))));
    return call.SetShape(call.output(1), {});
  }

  Status Eval(const OpCall& call) override {
    TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
    TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
    TERN_RETURN_IF_ERROR(CheckData(call.output(1), "bits"));
    const auto* in = Data<int16_t>(call.input(0));
    auto* out = MutableData<int16_t>(call.output(0));
    const int64_t samples = Elements(call.input(0));
    int32_t largest = 0;
    for (int64_t i = 0; i < samples; ++i) largest = std::max(largest, std::abs(int32_t{in[i]}));
    // Silence stays as it is, and so does what goes with -2^15 (which the reference forgets when
    // other samples follow: it then shifts too far).
    const int width = std::bit_width(static_cast<uint32_t>(largest));
    const int bits = width == 0 || width > 15 ? 0 : 15 - width;
    for (int64_t i = 0; i < samples; ++i) out[i] = static_cast<int16_t>(in[i] * (1 << bits));
    *MutableData<int32_t>(call.output(1)) = bits;
    return OkStatus();
  }

  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }
};

}  // namespace

TfLiteRegistration SignalFftAutoScaleRegistration(OpForm form) {
  return MakeRegistration<SignalFftAutoScale>(form);
}

}  // namespace tern
