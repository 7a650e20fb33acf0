// SPDX-License-Identifier: Apache-2.0
// INT16 forms of one-operand operations that go through a table of results, for both forms.
#ifndef TERN_OPS_ELEMENTWISE_SHORT_CURVE_RULES_H_
#define TERN_OPS_ELEMENTWISE_SHORT_CURVE_RULES_H_

#include <cstdint>

#include "ops/rules_kit/short_table.h"
#include "tensorflow/lite/builtin_ops.h"

namespace tern::elementwise {

inline bool HasShortCurve(int builtin) {
  switch (builtin) {
    case kTfLiteBuiltinElu:
    case kTfLiteBuiltinExp:
    case kTfLiteBuiltinGelu:
    case kTfLiteBuiltinLog:
    case kTfLiteBuiltinRsqrt:
      return true;
    default:
      return false;
  }
}

// Where LOG and RSQRT have no result, the table holds an end of the type. `function` maps a float
// to a float.
template <class F>
ShortTable MakeShortCurve(int builtin, const ShortScale<float>& in, const ShortScale<float>& out,
                          const F& function) {
  const bool is_log = builtin == kTfLiteBuiltinLog;
  const bool has_end = is_log || builtin == kTfLiteBuiltinRsqrt;
  const float end = out.Real(is_log ? INT16_MIN : INT16_MAX);
  return MakeShortTable<float>(in, out,
                               [&](float v) { return v > 0 || !has_end ? function(v) : end; });
}

}  // namespace tern::elementwise

#endif  // TERN_OPS_ELEMENTWISE_SHORT_CURVE_RULES_H_
