// SPDX-License-Identifier: Apache-2.0
// Writes an operator code into both of its fields, so that old readers still understand codes up to
// 126.
#ifndef TERN_TENSORFLOW_LITE_SCHEMA_SCHEMA_CONVERSION_UTILS_H_
#define TERN_TENSORFLOW_LITE_SCHEMA_SCHEMA_CONVERSION_UTILS_H_

#include <cstdint>

#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite {

inline int8_t ConvertBuiltinCodeToDeprecatedBuiltinCode(BuiltinOperator builtin_code) {
  return builtin_code < BuiltinOperator_PLACEHOLDER_FOR_GREATER_OP_CODES
             ? static_cast<int8_t>(builtin_code)
             : static_cast<int8_t>(BuiltinOperator_PLACEHOLDER_FOR_GREATER_OP_CODES);
}

// Like the generated functions of the same names, with one code for both fields.
inline flatbuffers::Offset<OperatorCode> CreateOperatorCode(
    flatbuffers::FlatBufferBuilder& builder, BuiltinOperator builtin_code,
    flatbuffers::Offset<flatbuffers::String> custom_code = 0, int32_t version = 1) {
  return CreateOperatorCode(builder, ConvertBuiltinCodeToDeprecatedBuiltinCode(builtin_code),
                            custom_code, version, builtin_code);
}

inline flatbuffers::Offset<OperatorCode> CreateOperatorCodeDirect(
    flatbuffers::FlatBufferBuilder& builder, BuiltinOperator builtin_code,
    const char* custom_code = nullptr, int32_t version = 1) {
  return CreateOperatorCodeDirect(builder, ConvertBuiltinCodeToDeprecatedBuiltinCode(builtin_code),
                                  custom_code, version, builtin_code);
}

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_SCHEMA_SCHEMA_CONVERSION_UTILS_H_
