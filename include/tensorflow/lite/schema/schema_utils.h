// SPDX-License-Identifier: Apache-2.0
// Reads an operator code from whichever of its two fields holds it.
#ifndef TERN_TENSORFLOW_LITE_SCHEMA_SCHEMA_UTILS_H_
#define TERN_TENSORFLOW_LITE_SCHEMA_SCHEMA_UTILS_H_

#include <algorithm>

#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite {

// Old files have only the 8-bit field; files with codes above 126 store a placeholder there. The
// greater of both is right for all of them.
inline BuiltinOperator GetBuiltinCode(const OperatorCode* op_code) {
  return std::max(op_code->builtin_code(),
                  static_cast<BuiltinOperator>(op_code->deprecated_builtin_code()));
}

inline BuiltinOperator GetBuiltinCode(const OperatorCodeT* op_code) {
  return std::max(op_code->builtin_code,
                  static_cast<BuiltinOperator>(op_code->deprecated_builtin_code));
}

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_SCHEMA_SCHEMA_UTILS_H_
