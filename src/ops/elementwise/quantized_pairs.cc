// SPDX-License-Identifier: Apache-2.0
// Scales of quantized pairs as fixed-point multipliers, and the arithmetic with them.
#include "ops/elementwise/quantized_pairs.h"

#include <algorithm>
#include <bit>

#include "ops/rules_kit/fixed_point.h"

namespace tern {
namespace {

Status ReadPair(const OpCall& call, TfLiteFusedActivation activation, PairQuantization& q) {
  TERN_ASSIGN_OR_RETURN(q.a, QuantizationOf(call.input(0), "first input"));
  TERN_ASSIGN_OR_RETURN(q.b, QuantizationOf(call.input(1), "second input"));
  TERN_ASSIGN_OR_RETURN(q.out, QuantizationOf(call.output(0), "output"));
  q.range = ActivationRange(activation, call.output(0)->type, q.out);
  return OkStatus();
}

Status CheckSymmetric(const OpCall& call, const PairQuantization& q) {
  const TfLiteTensor* tensors[] = {call.input(0), call.input(1), call.output(0)};
  const int32_t zero_points[] = {q.a.zero_point, q.b.zero_point, q.out.zero_point};
  for (int i = 0; i < 3; ++i) {
    if (tensors[i]->type == kTfLiteInt16 && zero_points[i] != 0) {
      return Invalid("zero point of an INT16 operand must be 0 (", zero_points[i], ")");
    }
  }
  return OkStatus();
}

// The multiplier of the output must only make numbers smaller.
Status CheckReduces(const elementwise::CommonScales& scales) {
  if (scales.out.shift <= 0) return OkStatus();
  return Invalid("the output's scale is too small for the scales of the inputs (ratio ",
                 scales.ratio, ", below 1 expected)");
}

// The stored number, `v` steps from the zero point.
int32_t Finish(const PairQuantization& q, int64_t v) {
  return static_cast<int32_t>(
      std::clamp<int64_t>(v + q.out.zero_point, q.range.min, std::max(q.range.min, q.range.max)));
}

BytePair PairOf(const PairQuantization& q) {
  return {q.a.zero_point, q.b.zero_point, q.out.zero_point, q.range.min,
          std::max(q.range.min, q.range.max)};
}

int32_t SaturateInt16(int32_t v) { return TypeRange(kTfLiteInt16).Clamp(v); }

}  // namespace

// ---- sums

Status QuantizedSum::CheckShifts(const OpCall& call) const {
  const auto [a, b] = *shifts_;
  if (a < 0 || b < 0 || (a != 0 && b != 0)) {
    return Invalid("the output's scale must be the larger of the inputs' (", q_.a.scale, ", ",
                   q_.b.scale, ", ", q_.out.scale, ")");
  }
  if (std::max(a, b) > 31) {
    return Invalid("scales of the inputs differ too much (", q_.a.scale, ", ", q_.b.scale, ")");
  }
  if (!subtract_ && ShapeOf(call.input(0)) != ShapeOf(call.input(1))) {
    return Unsupported("INT16 operands with power-of-two scales cannot be broadcast (",
                       ShapeText(ShapeOf(call.input(0))), ", ", ShapeText(ShapeOf(call.input(1))),
                       ")");
  }
  return OkStatus();
}

Status QuantizedSum::Prepare(const OpCall& call, TfLiteFusedActivation activation,
                             bool powers_of_two) {
  TERN_RETURN_IF_ERROR(ReadPair(call, activation, q_));
  TERN_RETURN_IF_ERROR(CheckSymmetric(call, q_));
  const bool wide = call.output(0)->type == kTfLiteInt16;
  shifts_.reset();
  if (wide && powers_of_two) shifts_ = elementwise::ShiftsOfSum(q_.a, q_.b, q_.out);
  if (shifts_) return CheckShifts(call);
  scales_ = elementwise::SumScales(q_.a, q_.b, q_.out, wide);
  return subtract_ ? OkStatus() : CheckReduces(scales_);
}

int32_t QuantizedSum::operator()(int32_t a, int32_t b) const {
  if (shifts_) {
    const int32_t x = RoundingShiftRight(a, shifts_->a), y = RoundingShiftRight(b, shifts_->b);
    return q_.range.Clamp(SaturateInt16(subtract_ ? x - y : x + y));
  }
  const int32_t one = 1 << scales_.guard_bits;
  const int32_t x = Scale((a - q_.a.zero_point) * one, scales_.a);
  const int32_t y = Scale((b - q_.b.zero_point) * one, scales_.b);
  return Finish(q_, Scale(subtract_ ? x - y : x + y, scales_.out));
}

ByteSum QuantizedSum::Bytes() const {
  return {PairOf(q_), subtract_, scales_.a, scales_.b, scales_.out};
}

// ---- products

Status QuantizedProduct::Prepare(const OpCall& call, TfLiteFusedActivation activation) {
  TERN_RETURN_IF_ERROR(ReadPair(call, activation, q_));
  TERN_RETURN_IF_ERROR(CheckSymmetric(call, q_));
  narrows_ = call.input(0)->type != call.output(0)->type;
  scale_ = elementwise::ProductScale(q_.a, q_.b, q_.out);
  return OkStatus();
}

int32_t QuantizedProduct::operator()(int32_t a, int32_t b) const {
  if (narrows_) {
    const int32_t product = a * b;
    const int32_t nudge = product >= 0 ? 1 << 14 : 1 - (1 << 14);
    const int32_t high = SaturateInt16((product + nudge) / (1 << 15));
    return Finish(q_, RoundingShiftRight(high, 8));
  }
  const int32_t product = (a - q_.a.zero_point) * (b - q_.b.zero_point);
  return Finish(q_, Scale(product, scale_));
}

ByteProduct QuantizedProduct::Bytes() const { return {PairOf(q_), scale_}; }

// ---- quotients

Status QuantizedQuotient::Prepare(const OpCall& call, TfLiteFusedActivation activation) {
  TERN_RETURN_IF_ERROR(ReadPair(call, activation, q_));
  scale_ = elementwise::QuotientScale(q_.a, q_.b, q_.out);
  return OkStatus();
}

int32_t QuantizedQuotient::operator()(int32_t a, int32_t b) const {
  int32_t dividend = a - q_.a.zero_point, divisor = b - q_.b.zero_point;
  if (divisor < 0) {
    dividend = -dividend;
    divisor = -divisor;
  }
  if (divisor == 0) return Finish(q_, 0);
  // The divisor is (1 + fraction) * 2^(31 - zeros); the dividend moves up to its full length.
  const int zeros = std::countl_zero(static_cast<uint32_t>(divisor));
  const auto fraction = static_cast<int32_t>((static_cast<uint32_t>(divisor) << zeros) & INT32_MAX);
  const int headroom =
      std::countl_zero(static_cast<uint32_t>(dividend < 0 ? ~dividend : dividend)) - 1;
  const auto moved = static_cast<int32_t>(static_cast<uint32_t>(dividend) << headroom);
  const int32_t quotient =
      MultiplyHigh(MultiplyHigh(moved, fixed::OneOverOnePlus(fraction)), scale_.value);
  const int right = 31 - zeros + headroom - scale_.shift;
  return Finish(q_, right > 31 ? 0 : fixed::TimesPowerOf2(quotient, -right));
}

// ---- squared differences

Status QuantizedSquaredDifference::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(ReadPair(call, kTfLiteActNone, q_));
  scales_ = elementwise::SquareScales(q_.a, q_.b, q_.out);
  return CheckReduces(scales_);
}

int32_t QuantizedSquaredDifference::operator()(int32_t a, int32_t b) const {
  const int32_t one = 1 << scales_.guard_bits;
  const int32_t x = Scale((a - q_.a.zero_point) * one, scales_.a);
  const int32_t y = Scale((b - q_.b.zero_point) * one, scales_.b);
  const int32_t difference = x - y;
  return Finish(q_, Scale(difference * difference, scales_.out));
}

}  // namespace tern
