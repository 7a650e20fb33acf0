// SPDX-License-Identifier: Apache-2.0
// Element types: the file's numbering, the runtime's numbering, and their sizes.
#ifndef TERN_MODEL_TENSOR_TYPES_H_
#define TERN_MODEL_TENSOR_TYPES_H_

#include <cstdint>

#include "base/status.h"
#include "tensorflow/lite/core/c/c_api_types.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tern {

// The runtime type; error for a type number that the schema does not know.
StatusOr<TfLiteType> RuntimeType(tflite::TensorType type);

// Bits per element; 0 for STRING, RESOURCE and VARIANT, whose size the type does not tell, and for
// unknown.
int ElementBits(tflite::TensorType type);

// Bytes that `elements` elements take; sub-byte types are packed, the last byte filled up.
inline int64_t PackedBytes(tflite::TensorType type, int64_t elements) {
  return (elements * ElementBits(type) + 7) / 8;
}

}  // namespace tern

#endif  // TERN_MODEL_TENSOR_TYPES_H_
