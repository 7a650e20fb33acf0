// SPDX-License-Identifier: Apache-2.0
// What a well-formed op looks like: its options table and how many operands it has.
#ifndef TERN_MODEL_OP_RULES_H_
#define TERN_MODEL_OP_RULES_H_

#include <cstdint>

#include "tensorflow/lite/schema/schema_generated.h"

namespace tern {

inline constexpr int kAnyCount = 0x7FFF;

struct OpRule {
  tflite::BuiltinOperator code;
  int16_t min_inputs;
  int16_t max_inputs;  // kAnyCount: no limit
  int16_t min_outputs;
  int16_t max_outputs;
  uint64_t optional_inputs = 0;  // bit i: operand i may be absent (-1)
  // The table with the op's parameters; NONE where the op has none, and then any table is ignored.
  tflite::BuiltinOptions options = tflite::BuiltinOptions_NONE;
  tflite::BuiltinOptions2 options_2 = tflite::BuiltinOptions2_NONE;
};

// Null for ops without rules (custom ops and ops that no kernel here knows).
const OpRule* FindOpRule(tflite::BuiltinOperator code);

}  // namespace tern

#endif  // TERN_MODEL_OP_RULES_H_
