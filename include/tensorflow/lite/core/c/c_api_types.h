// SPDX-License-Identifier: Apache-2.0
// The smallest vocabulary of the C ABI: status values, element types, quantization scalars and
// opaque handles. C11 and C++17. Every value is part of the ABI.
#ifndef TERN_TENSORFLOW_LITE_CORE_C_C_API_TYPES_H_
#define TERN_TENSORFLOW_LITE_CORE_C_C_API_TYPES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Marks a function as visible outside the library that defines it.
#if defined(SWIG) || defined(TFL_STATIC_LIBRARY_BUILD)
#define TFL_CAPI_EXPORT
#elif defined(_WIN32)
#ifdef TFL_COMPILE_LIBRARY
#define TFL_CAPI_EXPORT __declspec(dllexport)
#else
#define TFL_CAPI_EXPORT
#endif
#else
#define TFL_CAPI_EXPORT __attribute__((visibility("default")))
#endif

typedef enum TfLiteStatus {
  kTfLiteOk = 0,
  kTfLiteError = 1,                 // the runtime or an operation failed
  kTfLiteDelegateError = 2,         // a delegate failed; the graph is back in its undelegated form
  kTfLiteApplicationError = 3,      // delegate and graph do not fit; the graph is still usable
  kTfLiteDelegateDataNotFound = 4,  // delegate cache: no such entry
  kTfLiteDelegateDataWriteError = 5,  // delegate cache: could not write
  kTfLiteDelegateDataReadError = 6,   // delegate cache: could not read
  kTfLiteUnresolvedOps = 7,           // a custom operation has no kernel
  kTfLiteCancelled = 8,               // the client cancelled the run
  kTfLiteOutputShapeNotKnown =
      9,  // from prepare only: the output shape appears when the operation runs
} TfLiteStatus;

typedef enum {
  kTfLiteNoType = 0,
  kTfLiteFloat32 = 1,
  kTfLiteInt32 = 2,
  kTfLiteUInt8 = 3,
  kTfLiteInt64 = 4,
  kTfLiteString = 5,
  kTfLiteBool = 6,
  kTfLiteInt16 = 7,
  kTfLiteComplex64 = 8,
  kTfLiteInt8 = 9,
  kTfLiteFloat16 = 10,
  kTfLiteFloat64 = 11,
  kTfLiteComplex128 = 12,
  kTfLiteUInt64 = 13,
  kTfLiteResource = 14,
  kTfLiteVariant = 15,
  kTfLiteUInt32 = 16,
  kTfLiteUInt16 = 17,
  kTfLiteInt4 = 18,
  kTfLiteBFloat16 = 19,
  kTfLiteInt2 = 20,
  kTfLiteUInt4 = 21,
  kTfLiteFloat8E4M3FN = 22,
  kTfLiteFloat8E5M2 = 23,
} TfLiteType;

// Per-tensor form: real = scale * (stored - zero_point). {0, 0} when the tensor has no such form.
typedef struct TfLiteQuantizationParams {
  float scale;
  int32_t zero_point;
} TfLiteQuantizationParams;

// Views of runtime objects for code that must not depend on their layout.
typedef struct TfLiteOpaqueContext TfLiteOpaqueContext;
typedef struct TfLiteOpaqueNode TfLiteOpaqueNode;
typedef struct TfLiteOpaqueTensor TfLiteOpaqueTensor;
typedef struct TfLiteDelegate TfLiteDelegate;
typedef struct TfLiteOpaqueDelegateStruct TfLiteOpaqueDelegateStruct;
#if TFLITE_WITH_STABLE_ABI || TFLITE_USE_OPAQUE_DELEGATE
typedef TfLiteOpaqueDelegateStruct TfLiteOpaqueDelegate;
#else
typedef TfLiteDelegate TfLiteOpaqueDelegate;
#endif

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // TERN_TENSORFLOW_LITE_CORE_C_C_API_TYPES_H_
