// SPDX-License-Identifier: Apache-2.0
// From C++ types to element types and back, without the standard library's larger types.
#ifndef TERN_TENSORFLOW_LITE_PORTABLE_TYPE_TO_TFLITETYPE_H_
#define TERN_TENSORFLOW_LITE_PORTABLE_TYPE_TO_TFLITETYPE_H_

#include <cstdint>

#include "tensorflow/lite/core/c/common.h"

namespace tflite {

// The element type that holds a T; kTfLiteNoType for any other type. Programs may specialise it for
// types of theirs.
template <typename T>
constexpr TfLiteType typeToTfLiteType() {
  return kTfLiteNoType;
}

// The C++ type behind an element type, as TfLiteTypeToType<kTfLiteInt8>::Type.
template <TfLiteType kType>
struct TfLiteTypeToType {};

#define TERN_TYPE_PAIR(CppType, kElementType)              \
  template <>                                              \
  constexpr TfLiteType typeToTfLiteType<CppType>() {       \
    return kElementType;                                   \
  }                                                        \
  template <>                                              \
  constexpr TfLiteType typeToTfLiteType<const CppType>() { \
    return kElementType;                                   \
  }                                                        \
  template <>                                              \
  struct TfLiteTypeToType<kElementType> {                  \
    using Type = CppType;                                  \
  };

TERN_TYPE_PAIR(int32_t, kTfLiteInt32)
TERN_TYPE_PAIR(uint32_t, kTfLiteUInt32)
TERN_TYPE_PAIR(int16_t, kTfLiteInt16)
TERN_TYPE_PAIR(uint16_t, kTfLiteUInt16)
TERN_TYPE_PAIR(int64_t, kTfLiteInt64)
TERN_TYPE_PAIR(uint64_t, kTfLiteUInt64)
TERN_TYPE_PAIR(float, kTfLiteFloat32)
TERN_TYPE_PAIR(unsigned char, kTfLiteUInt8)
TERN_TYPE_PAIR(int8_t, kTfLiteInt8)
TERN_TYPE_PAIR(bool, kTfLiteBool)
TERN_TYPE_PAIR(double, kTfLiteFloat64)
TERN_TYPE_PAIR(TfLiteFloat16, kTfLiteFloat16)
TERN_TYPE_PAIR(TfLiteBFloat16, kTfLiteBFloat16)

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_PORTABLE_TYPE_TO_TFLITETYPE_H_
