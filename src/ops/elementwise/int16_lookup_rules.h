// SPDX-License-Identifier: Apache-2.0
// One-operand operations on INT16 by a lookup table, for the CPU and the GPU.
#ifndef TERN_OPS_ELEMENTWISE_INT16_LOOKUP_RULES_H_
#define TERN_OPS_ELEMENTWISE_INT16_LOOKUP_RULES_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "ops/rules_kit/int16_table.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::elementwise {

inline bool IsSigmoid(int builtin) {
  return builtin == kTfLiteBuiltinLogistic || builtin == kTfLiteBuiltinTanh;
}

inline bool HasInt16Lookup(int builtin) {
  switch (builtin) {
    case kTfLiteBuiltinElu:
    case kTfLiteBuiltinExp:
    case kTfLiteBuiltinGelu:
    case kTfLiteBuiltinLog:
    case kTfLiteBuiltinLogistic:
    case kTfLiteBuiltinRsqrt:
    case kTfLiteBuiltinTanh:
      return true;
    default:
      return false;
  }
}

// Where LOG and RSQRT have no result, the table holds an end of the type. `function` maps a float
// to a float.
template <class F>
Int16Table MakeInt16Lookup(int builtin, const Int16Scale<float>& in, const Int16Scale<float>& out,
                           const F& function) {
  const bool is_log = builtin == kTfLiteBuiltinLog;
  const bool has_end = is_log || builtin == kTfLiteBuiltinRsqrt;
  const float end = out.Real(is_log ? INT16_MIN : INT16_MAX);
  return MakeInt16Table<float>(in, out,
                               [&](float v) { return v > 0 || !has_end ? function(v) : end; });
}

// ---- LOGISTIC and TANH

// 1 / (1 + exp(-i / 24)) in units of 2^-16. As the function lies above the lines between the
// entries, each point is lifted by half of what a line misses in its middle.
inline const std::array<int32_t, 256>& SigmoidTable() {
  static const std::array<int32_t, 256> table = [] {
    const auto sigmoid = [](double i) { return 65536.0 / (1 + std::exp(-i / 24)); };
    std::array<int32_t, 256> values{};
    for (int i = 0; i < 255; ++i) {
      const double missed = sigmoid(i + 0.5) - (sigmoid(i) + sigmoid(i + 1)) / 2;
      values[i] = static_cast<int32_t>(std::round(sigmoid(i) + missed / 2));
    }
    values[255] = 65535;
    return values;
  }();
  return table;
}

struct SigmoidInput {
  int32_t multiplier = 0;
  int shift = 0;
};

// Inputs in units of 1 / (3 * 4096), as a multiplier of 15 bits.
inline SigmoidInput ScaleToSigmoid(float scale) {
  double multiplier = double{scale} * 4096 * 3;
  SigmoidInput result;
  while (multiplier <= 32767.0 / 2 && result.shift <= 30) {
    ++result.shift;
    multiplier *= 2;
  }
  result.multiplier = static_cast<int32_t>(std::min(multiplier, double{INT32_MAX} / 65536));
  return result;
}

}  // namespace tern::elementwise

#endif  // TERN_OPS_ELEMENTWISE_INT16_LOOKUP_RULES_H_
