// SPDX-License-Identifier: Apache-2.0
// Eight bits in fixed point, 16 bits by tables of the exponential and the reciprocal.
#include "ops/softmax/softmax_quantized.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "ops/cpu_kit/quantized.h"
#include "ops/rules_kit/fixed_point.h"
#include "ops/softmax/int16_softmax_rules.h"
#include "ops/softmax/softmax_scaling.h"

namespace tern {
namespace {

template <class In, class Out>
void QuantizedRow(const In* in, int64_t count, int32_t min, const ExpTable& table, Out* out) {
  constexpr auto kLow = int32_t{std::numeric_limits<Out>::min()};
  constexpr auto kHigh = int32_t{std::numeric_limits<Out>::max()};
  const In max = *std::max_element(in, in + count);
  const int32_t sum = SumOfExponentials(in, count, max, table);
  const int zeros = std::countl_zero(static_cast<uint32_t>(sum));
  const uint32_t shifted = zeros < 32 ? static_cast<uint32_t>(sum) << zeros : 0;
  const int32_t reciprocal =
      fixed::OneOverOnePlus(static_cast<int32_t>(shifted - (uint32_t{1} << 31)));
  const int shift = kSumBits - zeros + 31 - static_cast<int>(sizeof(Out)) * 8;
  for (int64_t i = 0; i < count; ++i) {
    if (int32_t{in[i]} - int32_t{max} < min) {
      out[i] = std::numeric_limits<Out>::min();
      continue;
    }
    const int32_t e = table.At(in[i], max);
    const int64_t v =
        int64_t{RoundingShiftRight(fixed::Product(reciprocal, e), std::clamp(shift, 0, 31))} + kLow;
    out[i] = static_cast<Out>(std::min<int64_t>(std::max<int64_t>(v, kLow), kHigh));
  }
}

template <class In, class Out>
SoftmaxRows BytesRows(const DifferenceScaling& scaling) {
  const ExpTable table = ExpTable::Of(scaling);
  return [min = scaling.min, table](const void* in, void* out, int64_t count, int64_t begin,
                                    int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      QuantizedRow(static_cast<const In*>(in) + row * count, count, min, table,
                   static_cast<Out*>(out) + row * count);
    }
  };
}

// ---- INT16

void Int16Row(const int16_t* in, int64_t count, const Multiplier& multiplier, int16_t* out) {
  const int32_t max = *std::max_element(in, in + count);
  uint32_t sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t scaled = int64_t{Scale(in[i] - max, multiplier)} + INT16_MAX;
    const auto limited = fixed::Saturate<int16_t>(scaled);
    out[i] = static_cast<int16_t>(Interpolate(Int16Exponentials(), limited));
    sum += static_cast<uint32_t>(out[i]);
  }
  const int zeros = std::countl_zero(sum);
  const auto shifted =
      static_cast<int32_t>(((zeros > 0 ? sum << (zeros - 1) : sum >> 1) + (1 << 13)) >> 14);
  const auto limited = fixed::Saturate<int16_t>(int64_t{shifted} - (1 << 15) - (1 << 16));
  const int32_t reciprocal = Interpolate(Int16Reciprocals(), limited);
  const int shift = 31 - zeros;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t nudge = shift > 0 ? int64_t{1} << (shift - 1) : 0;
    const int64_t v = shift < 0 ? 0 : (int64_t{out[i]} * reciprocal + nudge) >> shift;
    out[i] = static_cast<int16_t>(std::min<int64_t>(std::max<int64_t>(v, 0), INT16_MAX));
  }
}

SoftmaxRows Int16Rows(float scale, float beta) {
  const Multiplier multiplier = MakeMultiplier(Int16SoftmaxStep(scale, beta));
  return [multiplier](const void* in, void* out, int64_t count, int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      Int16Row(static_cast<const int16_t*>(in) + row * count, count, multiplier,
               static_cast<int16_t*>(out) + row * count);
    }
  };
}

// The result's numbers are fixed by its type: from 0 to nearly 1. Beside a UINT8 input the
// reference does not ask what the output says.
Status CheckOutput(TfLiteType from, TfLiteType to, const Quantization& q) {
  if (from == kTfLiteUInt8) return OkStatus();
  const bool wide = to == kTfLiteInt16 && from != kTfLiteInt16;
  const float scale = to != kTfLiteInt16 ? 1.0f / 256 : wide ? 1.0f / 65536 : 1.0f / 32768;
  const int32_t zero_point = to == kTfLiteInt8 ? -128 : wide ? -32768 : 0;
  const bool loose = wide && q.zero_point == 0 && std::fabs(q.scale * 32768 - 1) <= 1e-3f;
  if (loose) return OkStatus();
  if (q.zero_point == zero_point && std::fabs(q.scale / scale - 1) <= 1e-3f) return OkStatus();
  return Invalid("the output's quantization must be (", scale, ", ", zero_point, "), it is (",
                 q.scale, ", ", q.zero_point, ")");
}

}  // namespace

StatusOr<SoftmaxRows> QuantizedSoftmax(const TfLiteTensor* input, const TfLiteTensor* output,
                                       float beta) {
  const TfLiteType from = input->type, to = output->type;
  if (!IsQuantizedType(from)) {
    return Unsupported("type ", TypeText(from), " is not supported yet (input)");
  }
  if (to != from && to != kTfLiteInt16) {
    return Unsupported("from type ", TypeText(from), " to type ", TypeText(to),
                       " is not supported yet");
  }
  TERN_ASSIGN_OR_RETURN(const Quantization in, QuantizationOf(input, "input"));
  TERN_ASSIGN_OR_RETURN(const Quantization out, QuantizationOf(output, "output"));
  TERN_RETURN_IF_ERROR(CheckOutput(from, to, out));
  if (!(beta > 0)) return Invalid("beta must be positive (", beta, ")");
  if (from == kTfLiteInt16) return Int16Rows(in.scale, beta);
  const DifferenceScaling scaling = DifferenceScaling::Of(in.scale, beta);
  if (from == kTfLiteInt8) {
    return to == kTfLiteInt8 ? BytesRows<int8_t, int8_t>(scaling)
                             : BytesRows<int8_t, int16_t>(scaling);
  }
  return to == kTfLiteUInt8 ? BytesRows<uint8_t, uint8_t>(scaling)
                            : BytesRows<uint8_t, int16_t>(scaling);
}

}  // namespace tern
