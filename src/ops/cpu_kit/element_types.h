// SPDX-License-Identifier: Apache-2.0
// Element types in memory and the numbers that ops compute with: narrow floats compute as float.
#ifndef TERN_OPS_CPU_KIT_ELEMENT_TYPES_H_
#define TERN_OPS_CPU_KIT_ELEMENT_TYPES_H_

#include <complex>
#include <cstdint>

#include "base/tensor/half.h"
#include "tensorflow/lite/core/c/common.h"

namespace tern {

struct Half {
  uint16_t bits;
};
struct Bfloat16 {
  uint16_t bits;
};

// A stored BOOL, which may be any byte.
struct StoredBool {
  uint8_t byte;
};

template <class T>
struct Stored {
  using Number = T;
  static T Load(T v) { return v; }
  static T Store(T v) { return v; }
};
template <>
struct Stored<Half> {
  using Number = float;
  static float Load(Half v) { return HalfToFloat(v.bits); }
  static Half Store(float v) { return {FloatToHalf(v)}; }
};
template <>
struct Stored<Bfloat16> {
  using Number = float;
  static float Load(Bfloat16 v) { return Bfloat16ToFloat(v.bits); }
  static Bfloat16 Store(float v) { return {FloatToBfloat16(v)}; }
};

template <class T>
inline constexpr TfLiteType kTypeOf = kTfLiteNoType;
template <>
inline constexpr TfLiteType kTypeOf<float> = kTfLiteFloat32;
template <>
inline constexpr TfLiteType kTypeOf<double> = kTfLiteFloat64;
template <>
inline constexpr TfLiteType kTypeOf<Half> = kTfLiteFloat16;
template <>
inline constexpr TfLiteType kTypeOf<Bfloat16> = kTfLiteBFloat16;
template <>
inline constexpr TfLiteType kTypeOf<std::complex<float>> = kTfLiteComplex64;
template <>
inline constexpr TfLiteType kTypeOf<bool> = kTfLiteBool;
template <>
inline constexpr TfLiteType kTypeOf<int8_t> = kTfLiteInt8;
template <>
inline constexpr TfLiteType kTypeOf<uint8_t> = kTfLiteUInt8;
template <>
inline constexpr TfLiteType kTypeOf<int16_t> = kTfLiteInt16;
template <>
inline constexpr TfLiteType kTypeOf<uint16_t> = kTfLiteUInt16;
template <>
inline constexpr TfLiteType kTypeOf<int32_t> = kTfLiteInt32;
template <>
inline constexpr TfLiteType kTypeOf<uint32_t> = kTfLiteUInt32;
template <>
inline constexpr TfLiteType kTypeOf<int64_t> = kTfLiteInt64;

// The element types that an op takes.
template <class... T>
struct Types {
  static constexpr bool Has(TfLiteType type) { return ((kTypeOf<T> == type) || ...); }

  // Calls function(T{}) for the type of this number; false when it is none of them.
  template <class F>
  static bool Dispatch(TfLiteType type, const F& function) {
    return ((kTypeOf<T> == type ? (function(T{}), true) : false) || ...);
  }
};

}  // namespace tern

#endif  // TERN_OPS_CPU_KIT_ELEMENT_TYPES_H_
