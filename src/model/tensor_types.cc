// SPDX-License-Identifier: Apache-2.0
// One row per element type.

#include "model/tensor_types.h"

namespace tern {
namespace {

struct TensorTypeRow {
  tflite::TensorType schema;
  TfLiteType runtime;
  int bits;
};

constexpr TensorTypeRow kRows[] = {
    {tflite::TensorType_FLOAT32, kTfLiteFloat32, 32},
    {tflite::TensorType_FLOAT16, kTfLiteFloat16, 16},
    {tflite::TensorType_INT32, kTfLiteInt32, 32},
    {tflite::TensorType_UINT8, kTfLiteUInt8, 8},
    {tflite::TensorType_INT64, kTfLiteInt64, 64},
    {tflite::TensorType_STRING, kTfLiteString, 0},
    {tflite::TensorType_BOOL, kTfLiteBool, 8},
    {tflite::TensorType_INT16, kTfLiteInt16, 16},
    {tflite::TensorType_COMPLEX64, kTfLiteComplex64, 64},
    {tflite::TensorType_INT8, kTfLiteInt8, 8},
    {tflite::TensorType_FLOAT64, kTfLiteFloat64, 64},
    {tflite::TensorType_COMPLEX128, kTfLiteComplex128, 128},
    {tflite::TensorType_UINT64, kTfLiteUInt64, 64},
    {tflite::TensorType_RESOURCE, kTfLiteResource, 0},
    {tflite::TensorType_VARIANT, kTfLiteVariant, 0},
    {tflite::TensorType_UINT32, kTfLiteUInt32, 32},
    {tflite::TensorType_UINT16, kTfLiteUInt16, 16},
    {tflite::TensorType_INT4, kTfLiteInt4, 4},
    {tflite::TensorType_BFLOAT16, kTfLiteBFloat16, 16},
    {tflite::TensorType_INT2, kTfLiteInt2, 2},
    {tflite::TensorType_UINT4, kTfLiteUInt4, 4},
    {tflite::TensorType_FLOAT8_E4M3FN, kTfLiteFloat8E4M3FN, 8},
    {tflite::TensorType_FLOAT8_E5M2, kTfLiteFloat8E5M2, 8},
};

constexpr bool RowsAreInSchemaOrder() {
  int expected = 0;
  for (const TensorTypeRow& row : kRows) {
    if (row.schema != expected++) return false;
  }
  return expected == tflite::TensorType_MAX + 1;
}
static_assert(RowsAreInSchemaOrder());

bool IsKnown(int type) { return type >= 0 && type <= tflite::TensorType_MAX; }

}  // namespace

StatusOr<TfLiteType> RuntimeType(tflite::TensorType type) {
  if (!IsKnown(type)) return Unsupported("unknown element type (", static_cast<int>(type), ")");
  return kRows[type].runtime;
}

int ElementBits(tflite::TensorType type) { return IsKnown(type) ? kRows[type].bits : 0; }

}  // namespace tern
