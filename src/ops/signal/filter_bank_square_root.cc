// SPDX-License-Identifier: Apache-2.0
// SignalFilterBankSquareRoot (custom): sums [channels] (UINT64) and a number of bits (INT32, a
// scalar) -> their square roots (UINT32), rounded to nearest, then shifted to the right by the
// bits.
#include <cmath>
#include <cstdint>
#include <limits>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class SignalFilterBankSquareRoot : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "SignalFilterBankSquareRoot"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  bool IsFolded(const OpCall& call) const override { return AllConstant(call); }
};

Status SignalFilterBankSquareRoot::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 2, 1));
  TERN_RETURN_IF_ERROR(CheckType(call.input(0), kTfLiteUInt64, "input"));
  TERN_RETURN_IF_ERROR(CheckType(call.input(1), kTfLiteInt32, "bits"));
  TERN_RETURN_IF_ERROR(CheckType(call.output(0), kTfLiteUInt32, "output"));
  TERN_RETURN_IF_ERROR(CheckRank(call.input(0), 1, "input"));
  if (Elements(call.input(1)) != 1) {
    return Invalid("there must be one number of bits (", Elements(call.input(1)), ")");
  }
  return call.SetShape(call.output(0), ShapeOf(call.input(0)));
}

// Roots of numbers below 2^32 are at most 2^16 - 1, those of others at most 2^32 - 1.
uint32_t RoundedRoot(uint64_t v) {
  constexpr uint64_t kMax32 = std::numeric_limits<uint32_t>::max();
  constexpr uint64_t kMax16 = std::numeric_limits<uint16_t>::max();
  auto root = static_cast<uint64_t>(std::sqrt(static_cast<double>(v)));
  if (root > kMax32) root = kMax32;
  while (root * root > v) --root;
  while (root < kMax32 && (root + 1) * (root + 1) <= v) ++root;
  const bool nearer_to_next = v - root * root > root;
  return static_cast<uint32_t>(nearer_to_next && root != (v <= kMax32 ? kMax16 : kMax32) ? root + 1
                                                                                         : root);
}

Status SignalFilterBankSquareRoot::Eval(const OpCall& call) {
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(1), "bits"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  const int32_t bits = *Data<int32_t>(call.input(1));
  if (bits < 0 || bits > 31) return Invalid("the bits must lie in 0..31 (", bits, ")");
  const auto* in = Data<uint64_t>(call.input(0));
  auto* out = MutableData<uint32_t>(call.output(0));
  for (int64_t i = 0; i < Elements(call.input(0)); ++i) out[i] = RoundedRoot(in[i]) >> bits;
  return OkStatus();
}

}  // namespace

TfLiteRegistration SignalFilterBankSquareRootRegistration(OpForm form) {
  return MakeRegistration<SignalFilterBankSquareRoot>(form);
}

}  // namespace tern
