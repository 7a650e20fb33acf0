// SPDX-License-Identifier: Apache-2.0
// Eight bits mostly by a table of all results; 16 bits by interpolation between 513 of them; where
// the reference computes with integers alone, so does this.
#include "ops/elementwise/unary_quantized.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "cpu/byte_rows.h"
#include "ops/cpu_kit/fixed_point.h"
#include "ops/cpu_kit/quantized.h"
#include "ops/elementwise/short_curve_rules.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern {
namespace {

using Function = std::function<float(float)>;

struct Operands {
  TfLiteType type;
  Quantization in, out;
  IntRange range;
};

Status Refuse(TfLiteType type) {
  return Unsupported("type ", TypeText(type), " is not supported yet (input)");
}

UnaryKernel ByTable(const ByteTable& table) {
  return {[table](const void* in, void* out, int64_t begin, int64_t end) {
    MapBytes(table.data(), static_cast<const uint8_t*>(in) + begin,
             static_cast<uint8_t*>(out) + begin, end - begin);
  }};
}

// `value` maps a quantized number, zero point not yet subtracted, to a quantized one.
template <class F>
UnaryKernel PerValue(const Operands& o, const F& value) {
  if (o.type == kTfLiteInt16) {
    return {[value](const void* in, void* out, int64_t begin, int64_t end) {
      const int16_t* from = static_cast<const int16_t*>(in);
      int16_t* to = static_cast<int16_t*>(out);
      for (int64_t i = begin; i < end; ++i) to[i] = static_cast<int16_t>(value(from[i]));
    }};
  }
  ByteTable table{};
  for (int32_t q = o.range.min; q <= o.range.max; ++q) {
    table[static_cast<uint8_t>(q)] = static_cast<uint8_t>(value(q));
  }
  return ByTable(table);
}

// ---- functions of real numbers

UnaryKernel ByShortCurve(int builtin, const Operands& o, const Function& function) {
  const auto table = std::make_shared<const ShortTable>(elementwise::MakeShortCurve(
      builtin, {o.in.scale, o.in.zero_point}, {o.out.scale, o.out.zero_point}, function));
  return PerValue(o, [table](int32_t v) { return Interpolate(*table, v); });
}

UnaryKernel ByFunction(const Operands& o, const Function& function) {
  return ByTable(MakeByteTable(o.type, o.in, o.out, function));
}

// Where the function has no result, the table holds an end of the type.
UnaryKernel Logarithm(const Operands& o, const Function& function) {
  const float lowest = o.out.scale * static_cast<float>(o.range.min - o.out.zero_point);
  return ByFunction(o, [&](float v) { return v > 0 ? function(v) : lowest; });
}

// ---- LOGISTIC and TANH of 16 bits

// The table between two of its points; `v` has `bits` bits below the points.
int32_t SigmoidAt(int32_t v, int bits, int32_t end) {
  const std::array<int32_t, 256>& table = elementwise::SigmoidTable();
  const int32_t index = v >> bits;
  if (index >= 255) return end << bits;
  const int32_t part = v & ((1 << bits) - 1);
  return (table[index] << bits) + part * (table[index + 1] - table[index]);
}

int32_t ShortLogistic(int32_t v) {
  const int32_t half = SigmoidAt(std::abs(v), 9, 0x7FFF << 1);
  const int32_t result = v >= 0 ? half + (1 << 9) : (1 << 25) - half + (1 << 9) - 1;
  return result >> 10;
}

int32_t ShortTanh(int32_t v) {
  const int32_t sigmoid = SigmoidAt(std::abs(v), 8, 0xFFFF) - (1 << 23);
  const int32_t result = v >= 0 ? sigmoid + (1 << 7) : -sigmoid + (1 << 7) - 1;
  return result >> 8;
}

UnaryKernel ShortSigmoid(const Operands& o, bool is_tanh) {
  const elementwise::SigmoidInput scaled = elementwise::ScaleToSigmoid(o.in.scale);
  return PerValue(o, [is_tanh, scaled](int32_t v) {
    const int64_t nudge = scaled.shift > 0 ? int64_t{1} << (scaled.shift - 1) : 0;
    const int64_t wide = (int64_t{v} * scaled.multiplier + nudge) >> scaled.shift;
    const auto x = static_cast<int32_t>(std::clamp<int64_t>(wide, -(1 << 28), 1 << 28));
    return is_tanh ? ShortTanh(x) : ShortLogistic(x);
  });
}

StatusOr<UnaryKernel> Sigmoid(const Operands& o, const Function& function, bool is_tanh) {
  if (o.type != kTfLiteInt16) return ByFunction(o, function);
  if (o.in.zero_point != 0 || o.out.zero_point != 0) {
    return Invalid("zero points of INT16 must be 0 (", o.in.zero_point, ", ", o.out.zero_point,
                   ")");
  }
  return ShortSigmoid(o, is_tanh);
}

// ---- ops on integers

UnaryKernel Absolute(const Operands& o) {
  const bool same = o.in.scale == o.out.scale;
  const Multiplier multiplier = MakeMultiplier(double{o.in.scale / o.out.scale});
  return PerValue(o, [o, same, multiplier](int32_t q) {
    const int32_t v = std::abs(q - o.in.zero_point);
    return fixed::Place(same ? v : Scale(v, multiplier), o.out.zero_point, o.range);
  });
}

UnaryKernel SquareRoot(const Operands& o) {
  UnaryKernel kernel = PerValue(o, [o](int32_t q) {
    const float v = o.in.scale * static_cast<float>(std::max(q - o.in.zero_point, 0));
    const float root = std::floor(std::sqrt(v) / o.out.scale);
    const float highest = static_cast<float>(o.range.max - o.out.zero_point);
    return o.range.Clamp(static_cast<int32_t>(std::min(root, highest)) + o.out.zero_point);
  });
  kernel.least = o.in.zero_point;
  return kernel;
}

UnaryKernel InverseRoot(int builtin, const Operands& o, const Function& function) {
  UnaryKernel kernel;
  if (o.type == kTfLiteInt16) {
    kernel = ByShortCurve(builtin, o, function);
  } else {
    constexpr int kGuard = 20;
    Multiplier scale =
        MakeMultiplier(1.0 / static_cast<double>(std::sqrt(o.in.scale) * o.out.scale));
    scale.shift -= kGuard;
    kernel = PerValue(o, [o, scale](int32_t q) {
      if (q <= o.in.zero_point) return o.range.max;
      Multiplier root = fixed::InverseSqrt(q - o.in.zero_point);
      root.shift += kGuard;
      const int32_t v = Scale(Scale(1, root), scale);
      return fixed::Place(v, o.out.zero_point, o.range);
    });
  }
  kernel.least = o.in.zero_point;
  return kernel;
}

UnaryKernel Clamped(const Operands& o, float low, float high) {
  const Multiplier multiplier = MakeMultiplier(double{o.in.scale / o.out.scale});
  const IntRange range = QuantizedRange(low, high, o.type, o.out);
  return PerValue(o, [o, multiplier, range](int32_t q) {
    return fixed::Place(Scale(q - o.in.zero_point, multiplier), o.out.zero_point, range);
  });
}

UnaryKernel LeakyRelu(const Operands& o, float alpha) {
  const Multiplier positive = MakeMultiplier(double{o.in.scale / o.out.scale});
  const Multiplier negative = MakeMultiplier(std::fabs(double{o.in.scale * alpha / o.out.scale}));
  const int32_t sign = alpha < 0 ? -1 : 1;
  return PerValue(o, [o, positive, negative, sign](int32_t q) {
    const int32_t v = q - o.in.zero_point;
    const int32_t scaled = v >= 0 ? Scale(v, positive) : Scale(v, negative);
    return fixed::Place(v >= 0 || sign > 0 ? scaled : fixed::Subtract(0, scaled), o.out.zero_point,
                        o.range);
  });
}

struct ShortMultiplier {
  int16_t value;
  int shift;
};

ShortMultiplier MakeShortMultiplier(double real) {
  const Multiplier m = MakeMultiplier(real);
  const int64_t value = (int64_t{m.value} + (1 << 15)) >> 16;
  return {static_cast<int16_t>(std::min<int64_t>(value, INT16_MAX)), m.shift};
}

StatusOr<UnaryKernel> HardSwish(const Operands& o) {
  const float hires = (1.0f / 128.0f) * o.in.scale;
  const ShortMultiplier result = MakeShortMultiplier(double{hires / o.out.scale});
  const ShortMultiplier gate = MakeShortMultiplier(double{hires / (3.0f / 32768.0f)});
  if (result.shift > 0) {
    return Invalid("the output's scale is too small for the input's (", o.out.scale, ", ",
                   o.in.scale, ")");
  }
  return PerValue(o, [o, result, gate](int32_t q) {
    const auto x = static_cast<int16_t>((q - o.in.zero_point) * 128);
    const int16_t value = fixed::Product(x, result.value);
    int16_t relu = x;
    if (gate.shift > 0) relu = fixed::TimesPowerOf2(relu, gate.shift - 1);
    relu = fixed::Product(relu, gate.value);
    if (gate.shift > 0) relu = fixed::TimesPowerOf2(relu, 1);
    if (gate.shift < 0) relu = fixed::TimesPowerOf2(relu, gate.shift);
    const int32_t share = (relu + (1 << 15)) >> 1;
    const int32_t product = value * share / (1 << 15);
    return fixed::Place(RoundingShiftRight(product, -result.shift), o.out.zero_point, o.range);
  });
}

StatusOr<UnaryKernel> Make(int builtin, const Operands& o, const Function& function, float alpha) {
  constexpr float kNoEnd = std::numeric_limits<float>::max();
  const bool is_short = o.type == kTfLiteInt16;
  switch (builtin) {
    case kTfLiteBuiltinAbs:
      return Absolute(o);
    case kTfLiteBuiltinElu:
    case kTfLiteBuiltinExp:
    case kTfLiteBuiltinGelu:
      return is_short ? ByShortCurve(builtin, o, function) : ByFunction(o, function);
    case kTfLiteBuiltinHardSwish:
      if (is_short) return Refuse(o.type);
      return HardSwish(o);
    case kTfLiteBuiltinLeakyRelu:
      return LeakyRelu(o, alpha);
    case kTfLiteBuiltinLog:
      return is_short ? ByShortCurve(builtin, o, function) : Logarithm(o, function);
    case kTfLiteBuiltinLogistic:
      return Sigmoid(o, function, false);
    case kTfLiteBuiltinTanh:
      return Sigmoid(o, function, true);
    case kTfLiteBuiltinRelu:
      return Clamped(o, 0, kNoEnd);
    case kTfLiteBuiltinRelu6:
      return Clamped(o, 0, 6);
    case kTfLiteBuiltinRelu0To1:
      return Clamped(o, 0, 1);
    case kTfLiteBuiltinReluN1To1:
      return Clamped(o, -1, 1);
    case kTfLiteBuiltinRsqrt:
      if (o.type == kTfLiteUInt8) return Refuse(o.type);
      return InverseRoot(builtin, o, function);
    case kTfLiteBuiltinSqrt:
      if (o.type == kTfLiteUInt8) return Refuse(o.type);
      return SquareRoot(o);
    default:
      return Refuse(o.type);
  }
}

}  // namespace

StatusOr<UnaryKernel> QuantizedUnary(int builtin, const TfLiteTensor* input,
                                     const TfLiteTensor* output,
                                     const std::function<float(float)>& function, float alpha) {
  if (!IsQuantizedType(input->type)) return Refuse(input->type);
  Operands o{input->type, {}, {}, TypeRange(input->type)};
  TERN_ASSIGN_OR_RETURN(o.in, QuantizationOf(input, "input"));
  TERN_ASSIGN_OR_RETURN(o.out, QuantizationOf(output, "output"));
  return Make(builtin, o, function, alpha);
}

}  // namespace tern
