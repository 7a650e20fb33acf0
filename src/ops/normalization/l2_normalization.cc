// SPDX-License-Identifier: Apache-2.0
// L2_NORMALIZATION: rows along the last axis divided by their length. FLOAT32, and 8-bit integers
// by integers alone.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/cpu_kit/rows.h"
#include "ops/cpu_registry.h"
#include "ops/rules_kit/fixed_point.h"

namespace tern {
namespace {

constexpr double kShortest = 1e-6;  // a row's length counts as this at least

class L2Normalization : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "L2_NORMALIZATION"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 private:
  int32_t zero_point_ = 0;
};

Status L2Normalization::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(1, 1, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const auto activation = call.params<TfLiteL2NormParams>().activation;
  if (activation != kTfLiteActNone) {
    return Unsupported("fused activation ", static_cast<int>(activation), " is not supported");
  }
  TERN_ASSIGN_OR_RETURN(const bool bytes, CheckRows(call));
  if (bytes) {
    const int32_t zero_point = call.input(0)->type == kTfLiteInt8 ? 0 : 128;
    TERN_ASSIGN_OR_RETURN(const Quantization in,
                          ReadRowQuantization(call, {1.0f / 128, zero_point}));
    zero_point_ = in.zero_point;
  }
  return call.SetShape(call.output(0), ShapeOf(call.input(0)));
}

void L2FloatRow(const float* in, int64_t count, float* out) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += double{in[i]} * double{in[i]};
  const double length = std::max(std::sqrt(sum), kShortest);
  for (int64_t i = 0; i < count; ++i) out[i] = static_cast<float>(double{in[i]} / length);
}

// The result's unit is 1/128: 7 bits, which INT8 adds to the multiplier and UINT8 to the number.
template <class T>
void BytesRow(const T* in, int64_t count, int32_t zero_point, T* out) {
  constexpr bool kSigned = std::is_signed_v<T>;
  const IntRange range = TypeRange(kSigned ? kTfLiteInt8 : kTfLiteUInt8);
  uint32_t sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int32_t v = in[i] - zero_point;
    sum += static_cast<uint32_t>(v * v);
  }
  const auto square = static_cast<int32_t>(std::min<uint32_t>(sum, INT32_MAX));
  Multiplier multiplier = fixed::InverseSqrt(square);
  if (kSigned) multiplier.shift += 7;
  for (int64_t i = 0; i < count; ++i) {
    const int32_t v = in[i] - zero_point;
    const int32_t scaled = Scale(kSigned ? v : 128 * v, multiplier);
    out[i] = static_cast<T>(fixed::Place(scaled, kSigned ? 0 : 128, range));
  }
}

Status L2Normalization::Eval(const OpCall& call) {
  return EvalRows(call, Pool(call), 4, [&]<class T>(const T* in, int64_t count, T* out) {
    if constexpr (std::is_same_v<T, float>) {
      L2FloatRow(in, count, out);
    } else {
      BytesRow(in, count, zero_point_, out);
    }
  });
}

}  // namespace

TfLiteRegistration L2NormalizationRegistration(OpForm form) {
  return MakeRegistration<L2Normalization>(form);
}

}  // namespace tern
