// SPDX-License-Identifier: Apache-2.0
// One-operand operations from element to element, for the CPU and the GPU: with integers alone
// where the reference computes so, else through the function of real numbers.
#ifndef TERN_OPS_ELEMENTWISE_UNARY_RULES_H_
#define TERN_OPS_ELEMENTWISE_UNARY_RULES_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ops/rules_kit/fixed_point.h"
#include "ops/rules_kit/quantized_numbers.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::elementwise {

// Input and output have one type.
struct UnaryElements {
  TfLiteType type = kTfLiteInt8;
  Quantization in, out;
  IntRange range{0, 0};  // of the type
};

struct Absolute {
  explicit Absolute(const UnaryElements& elements) : e(elements) {
    same = e.in.scale == e.out.scale;
    multiplier = MakeMultiplier(double{e.in.scale / e.out.scale});
  }
  int32_t operator()(int32_t q) const {
    const int32_t v = std::abs(q - e.in.zero_point);
    return fixed::Place(same ? v : Scale(v, multiplier), e.out.zero_point, e.range);
  }
  UnaryElements e;
  bool same = false;
  Multiplier multiplier;
};

struct SquareRoot {
  int32_t operator()(int32_t q) const {
    const float v = e.in.scale * static_cast<float>(std::max(q - e.in.zero_point, 0));
    const float root = std::floor(std::sqrt(v) / e.out.scale);
    const float highest = static_cast<float>(e.range.max - e.out.zero_point);
    return e.range.Clamp(static_cast<int32_t>(std::min(root, highest)) + e.out.zero_point);
  }
  UnaryElements e;
};

// Of 8 bits.
struct InverseRoot {
  static constexpr int kGuard = 20;
  explicit InverseRoot(const UnaryElements& elements) : e(elements) {
    scale = MakeMultiplier(1.0 / static_cast<double>(std::sqrt(e.in.scale) * e.out.scale));
    scale.shift -= kGuard;
  }
  int32_t operator()(int32_t q) const {
    if (q <= e.in.zero_point) return e.range.max;
    Multiplier root = fixed::InverseSqrt(q - e.in.zero_point);
    root.shift += kGuard;
    return fixed::Place(Scale(Scale(1, root), scale), e.out.zero_point, e.range);
  }
  UnaryElements e;
  Multiplier scale;
};

// To limits that are real numbers.
struct Clamped {
  Clamped(const UnaryElements& elements, float low, float high) : e(elements) {
    multiplier = MakeMultiplier(double{e.in.scale / e.out.scale});
    limits = QuantizedRange(low, high, e.type, e.out);
  }
  int32_t operator()(int32_t q) const {
    return fixed::Place(Scale(q - e.in.zero_point, multiplier), e.out.zero_point, limits);
  }
  UnaryElements e;
  Multiplier multiplier;
  IntRange limits{0, 0};
};

struct LeakyRelu {
  LeakyRelu(const UnaryElements& elements, float alpha) : e(elements), falls(alpha < 0) {
    positive = MakeMultiplier(double{e.in.scale / e.out.scale});
    negative = MakeMultiplier(std::fabs(double{e.in.scale * alpha / e.out.scale}));
  }
  int32_t operator()(int32_t q) const {
    const int32_t v = q - e.in.zero_point;
    const int32_t scaled = v >= 0 ? Scale(v, positive) : Scale(v, negative);
    const int32_t result = v < 0 && falls ? fixed::Subtract(0, scaled) : scaled;
    return fixed::Place(result, e.out.zero_point, e.range);
  }
  UnaryElements e;
  bool falls;
  Multiplier positive, negative;
};

struct HardSwish {
  struct Int16Multiplier {
    explicit Int16Multiplier(double real) {
      const Multiplier m = MakeMultiplier(real);
      const int64_t rounded = (int64_t{m.value} + (1 << 15)) >> 16;
      value = static_cast<int16_t>(std::min<int64_t>(rounded, INT16_MAX));
      shift = m.shift;
    }
    int16_t value;
    int shift;
  };
  explicit HardSwish(const UnaryElements& elements)
      : e(elements),
        result(double{(1.0f / 128.0f) * e.in.scale / e.out.scale}),
        gate(double{(1.0f / 128.0f) * e.in.scale / (3.0f / 32768.0f)}) {}
  // The multiplier of the result must only make numbers smaller.
  bool is_possible() const { return result.shift <= 0; }
  int32_t operator()(int32_t q) const {
    const auto x = static_cast<int16_t>((q - e.in.zero_point) * 128);
    const int16_t value = fixed::Product(x, result.value);
    int16_t relu = x;
    if (gate.shift > 0) relu = fixed::TimesPowerOf2(relu, gate.shift - 1);
    relu = fixed::Product(relu, gate.value);
    if (gate.shift > 0) relu = fixed::TimesPowerOf2(relu, 1);
    if (gate.shift < 0) relu = fixed::TimesPowerOf2(relu, gate.shift);
    const int32_t share = (relu + (1 << 15)) >> 1;
    const int32_t product = value * share / (1 << 15);
    return fixed::Place(RoundingShiftRight(product, -result.shift), e.out.zero_point, e.range);
  }
  UnaryElements e;
  Int16Multiplier result, gate;
};

// Calls `use` with the function of an operation that is computed with integers alone, for 8 and 16
// bits alike; false for any other.
template <class Use>
bool WithIntegers(int builtin, const UnaryElements& e, float alpha, const Use& use) {
  constexpr float kNoEnd = std::numeric_limits<float>::max();
  switch (builtin) {
    case kTfLiteBuiltinAbs:
      use(Absolute(e));
      return true;
    case kTfLiteBuiltinLeakyRelu:
      use(LeakyRelu(e, alpha));
      return true;
    case kTfLiteBuiltinRelu:
      use(Clamped(e, 0, kNoEnd));
      return true;
    case kTfLiteBuiltinRelu6:
      use(Clamped(e, 0, 6));
      return true;
    case kTfLiteBuiltinRelu0To1:
      use(Clamped(e, 0, 1));
      return true;
    case kTfLiteBuiltinReluN1To1:
      use(Clamped(e, -1, 1));
      return true;
    case kTfLiteBuiltinSqrt:
      use(SquareRoot{e});
      return true;
    default:
      return false;
  }
}

// The results of all elements of 8 bits by a function from element to element.
template <class F>
ByteTable TableOf(const IntRange& range, const F& function) {
  ByteTable table{};
  for (int32_t q = range.min; q <= range.max; ++q)
    table[static_cast<uint8_t>(q)] = static_cast<uint8_t>(function(q));
  return table;
}

// The results of all elements of 8 bits. `function` is the operation on real numbers; where LOG has
// no result the table holds the lowest element.
template <class F>
ByteTable UnaryTable(int builtin, const UnaryElements& e, const F& function, float alpha) {
  ByteTable table{};
  const auto fill = [&](const auto& integers) { table = TableOf(e.range, integers); };
  if (WithIntegers(builtin, e, alpha, fill)) return table;
  switch (builtin) {
    case kTfLiteBuiltinHardSwish:
      return TableOf(e.range, HardSwish(e));
    case kTfLiteBuiltinRsqrt:
      return TableOf(e.range, InverseRoot(e));
    case kTfLiteBuiltinLog: {
      const float lowest = e.out.scale * static_cast<float>(e.range.min - e.out.zero_point);
      return MakeByteTable(e.type, e.in, e.out,
                           [&](float v) { return v > 0 ? function(v) : lowest; });
    }
    default:
      return MakeByteTable(e.type, e.in, e.out, function);
  }
}

}  // namespace tern::elementwise

#endif  // TERN_OPS_ELEMENTWISE_UNARY_RULES_H_
